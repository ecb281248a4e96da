import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { Upload } from '../../src/contract/upload.ts';
import type { FakeService } from './fake-service.ts';
import { send } from './mounted-host.ts';
import { waitFor } from './wait-for.ts';

const page = { Cookie: 'user=ann', 'Sec-Fetch-Site': 'same-origin' };

/** A host with uploads behind it passes a file on as it comes, until the client leaves. */
export async function assertPassesFileOn(url: string, service: FakeService): Promise<void> {
  const { uploads } = service.world;
  const body = { name: 'talk.mp4', size: 300_000 };
  const created = await send(url, 'POST', '/clips/uploads', { body, headers: page });
  assert.equal(created.status, 201, created.text);
  const { id } = created.json<Upload>();
  const path = `/clips/uploads/${id}`;
  const arrived = () => uploads.get(id)!.upload.offset;
  const sending = (offset: number) =>
    request(url + path, {
      method: 'PATCH',
      agent: false,
      headers: {
        ...page,
        'Content-Type': 'application/offset+octet-stream',
        'Tus-Resumable': '1.0.0',
        'Upload-Offset': offset,
      },
    });
  const cut = sending(0).on('error', () => {});
  cut.write(Buffer.alloc(100_000, 'a'));
  // Not kept back until the rest is there, which never comes.
  await waitFor('the bytes that were sent so far', () => arrived() === 100_000, arrived);
  cut.destroy();
  const headers = { ...page, 'Tus-Resumable': '1.0.0' };
  const head = await send(url, 'HEAD', path, { headers });
  assert.deepEqual([head.status, head.headers['upload-offset']], [200, '100000']);
  const rest = sending(100_000);
  rest.end(Buffer.alloc(200_000, 'b'));
  const [{ statusCode }] = (await once(rest, 'response')) as [IncomingMessage];
  assert.deepEqual([statusCode, arrived()], [204, 300_000]);
  assert.equal((await send(url, 'DELETE', path, { headers: page })).status, 204);
  assert.equal(uploads.has(id), false);
}
