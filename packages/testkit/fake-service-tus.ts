import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ByteFaults } from './byte-faults.ts';
import type { FakeWorld } from './fake-service-world.ts';

const tus = { 'Tus-Resumable': '1.0.0', 'Cache-Control': 'no-store' };

const crossOrigin = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Tus-Resumable, Upload-Length, Upload-Offset',
};

/**
 * The address of an upload: tus 1.0, for every page that has it. `cutAfterBytes`: the connection
 * ends after a number of bytes of a `PATCH`, and what came before is kept.
 */
export async function answerTus(
  request: IncomingMessage,
  response: ServerResponse,
  world: FakeWorld,
  cutAfterBytes: number | null = null,
  faults: ByteFaults | null = null,
): Promise<void> {
  const id = (request.url ?? '').split('/')[2] ?? '';
  const answer = (status: number, headers: Record<string, string | number> = {}): void => {
    response.writeHead(status, { ...tus, ...crossOrigin, ...headers }).end();
  };
  if (request.method === 'OPTIONS') {
    return answer(204, {
      'Access-Control-Allow-Methods': 'DELETE, HEAD, OPTIONS, PATCH',
      'Access-Control-Allow-Headers': 'Content-Type, Tus-Resumable, Upload-Offset',
    });
  }
  if (faults?.offline) return void request.socket.destroy();
  const offset = () => world.uploads.get(id)?.upload.offset ?? 0;
  const known = world.uploads.get(id);
  if (!known) return answer(404);
  if (request.headers['tus-resumable'] !== '1.0.0') return answer(412, { 'Tus-Version': '1.0.0' });
  switch (request.method) {
    case 'HEAD':
      return answer(200, { 'Upload-Offset': offset(), 'Upload-Length': known.upload.size });
    case 'DELETE':
      world.uploads.delete(id);
      return answer(204);
    case 'PATCH':
      break;
    default:
      return answer(405, { Allow: 'DELETE, HEAD, OPTIONS, PATCH' });
  }
  if (faults?.refuseBytes) {
    const headers = { ...tus, ...crossOrigin, 'Content-Type': 'application/problem+json' };
    const detail = 'This file has no video: it is a picture.';
    response.writeHead(faults.refuseBytes, headers).end(JSON.stringify({ detail }));
    return;
  }
  if (faults && !(await faults.carry(request))) return;
  if (request.headers['content-type'] !== 'application/offset+octet-stream') return answer(415);
  if (Number(request.headers['upload-offset']) !== offset()) return answer(409);
  let arrived = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      const left = (cutAfterBytes ?? Infinity) - arrived;
      const taken = chunk.subarray(0, left);
      if (offset() + taken.length > known.upload.size) return answer(413);
      world.receive(id, taken);
      arrived += taken.length;
      if (taken.length < chunk.length) return void request.destroy();
    }
  } catch {
    return;
  }
  answer(204, { 'Upload-Offset': offset() });
}
