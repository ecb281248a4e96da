import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { serve, type Served } from 'clip-testkit/serve';
import { readPoster } from '../src/poster.ts';

describe('the picture of a clip', () => {
  let answer: (response: ServerResponse) => void;
  let service: Served;
  let other: Served;
  before(async () => {
    service = await serve((_, response) => answer(response));
    other = await serve((_, response) => response.setHeader('Content-Type', 'image/png').end('x'));
  });
  after(async () => {
    await service?.close();
    await other?.close();
  });

  const read = (url: string | null, signal = new AbortController().signal) =>
    readPoster(
      url,
      {
        ...{ serviceUrl: `${service.origin}/v2`, apiKey: 'key', user: null, playerUrl: null },
        ...{
          editorUrl: null,
          mayExport: false,
          hasWebhooks: false,
          mayShare: false,
          downloads: null,
          http: null,
        },
      },
      signal,
    );

  const makeAnswer =
    (type: string, bytes: number, status = 200) =>
    (response: ServerResponse) =>
      response.writeHead(status, { 'Content-Type': type }).end(Buffer.alloc(bytes, 'x'));

  it('comes as an image', async () => {
    answer = makeAnswer('image/jpeg', 300_000);
    const data = Buffer.alloc(300_000, 'x').toString('base64');
    const image = { type: 'image', mimeType: 'image/jpeg', data };
    assert.deepEqual(await read(`${service.origin}/poster.jpg`), image);
  });

  it('is left out where it is missing, too large, no picture, or at another address', async () => {
    const url = `${service.origin}/poster.jpg`;
    assert.equal(await read(null), null);
    for (const made of [
      makeAnswer('image/jpeg', 300_001),
      makeAnswer('image/jpeg', 0),
      makeAnswer('image/jpeg', 9, 404),
      makeAnswer('image/svg+xml', 9),
      makeAnswer('text/html', 9),
      (response: ServerResponse) => response.writeHead(302, { Location: other.origin }).end(),
      (response: ServerResponse) => response.destroy(),
    ]) {
      answer = made;
      assert.equal(await read(url), null);
    }
    assert.equal(await read(`${other.origin}/poster.png`), null);
  });

  it('does not hide that the call was cancelled', async () => {
    await assert.rejects(read(`${service.origin}/poster.jpg`, AbortSignal.abort()), /abort/i);
  });
});
