import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { PageServer } from 'clip-testkit/page-server';

interface Worker {
  fetch(request: Request, env: Readonly<Record<string, string>>): Promise<Response>;
}

/** The worker of `docs/private-clips.md`, as it stands there. */
async function documentedWorker(): Promise<Worker> {
  const page = new URL('../../../../docs/private-clips.md', import.meta.url);
  const [, code = ''] = /```js\n(.*?)```/s.exec(await readFile(page, 'utf8')) ?? [];
  const url = `data:text/javascript,${encodeURIComponent(code)}`;
  return ((await import(url)) as { default: Worker }).default;
}

describe('a worker at a CDN', () => {
  let server: PageServer;
  let worker: Worker;
  const file = '/player/clip/files/previews/clip/a.mp4';
  // Those of the page server.
  const env = { LINK_KEY: 'key', NEXT_LINK_KEY: 'another' };
  before(async () => {
    [server, worker] = await Promise.all([PageServer.start(), documentedWorker()]);
    server.clips.set('clip', { ...server.clip, privateClips: true });
  });
  after(() => server?.close());

  const ask = (path: string, headers = {}, keys: Readonly<Record<string, string>> = env) =>
    worker.fetch(new Request(server.url + path, { headers }), keys);

  it('lets signed files pass, with ranges', async () => {
    const { query } = await server.links.sign('clip', 60);
    const part = await ask(`${file}?${query}`, { Range: 'bytes=5-9' });
    assert.equal(part.status, 206);
    assert.equal((await part.arrayBuffer()).byteLength, 5);
  });

  it('knows what the next key signs', async () => {
    const { query } = await server.links.sign('clip', 60);
    const former = { LINK_KEY: 'former', NEXT_LINK_KEY: 'key' };
    assert.equal((await ask(`${file}?${query}`, {}, former)).status, 200);
  });

  it('refuses what is not signed, has ended or is of another clip, without asking the service', async () => {
    const { query } = await server.links.sign('clip', 60);
    const ended = (await server.links.sign('clip', -1)).query;
    server.opened.length = 0;
    for (const path of [
      file,
      `${file}?${ended}`,
      `${file}?${query.replace('expires=', 'expires=1')}`,
      `${file}?${query.slice(0, -1)}`,
      `${file}?${query}x`,
      `${file.replace('clip', 'other')}?${query}`,
    ]) {
      assert.equal((await ask(path)).status, 404, path);
    }
    const others = { LINK_KEY: 'wrong', NEXT_LINK_KEY: 'too' };
    assert.equal((await ask(`${file}?${query}`, {}, others)).status, 404);
    assert.deepEqual(server.opened, []);
  });

  it('leaves pages to the service', async () => {
    assert.equal((await ask('/player/clip')).status, 404);
    const { query } = await server.links.sign('clip', 60);
    assert.equal((await ask(`/player/clip?${query}`)).status, 200);
  });
});
