import { newUploadSchema } from 'clip-kit/contract';
import { answerHeaders, HostProblem, parsedOrRefused } from '../http/host-problem.ts';
import { readJson, emptyQuerySchema, readQuery } from '../http/json-body.ts';
import { attemptKeyOf, jsonResponse, type Answer } from './route-context.ts';

type Uploading = 'addresses' | 'allow' | 'hostUser' | 'ids' | 'request' | 'uploads' | 'url';

/** `POST /uploads`: the service makes nothing twice for a key, if there is one. */
export const createUpload: Answer<Exclude<Uploading, 'ids'>> = async (context) => {
  const { request, url, hostUser, uploads, addresses } = context;
  readQuery(url, emptyQuerySchema);
  const key = request.headers.has('Idempotency-Key') ? attemptKeyOf(request) : undefined;
  const file = parsedOrRefused(newUploadSchema, await readJson(request));
  await context.allow('upload');
  return jsonResponse(await uploads.create(hostUser, file, addresses.of, key), 201);
};

/** `GET /uploads/{upload_id}` */
export const readUpload: Answer<Uploading> = async (context) => {
  const { url, ids, hostUser, uploads, addresses } = context;
  const [id = ''] = ids;
  readQuery(url, emptyQuerySchema);
  await context.allow('read');
  return jsonResponse(await uploads.read(hostUser, id, addresses.of));
};

/** `DELETE /uploads/{upload_id}`; also that of tus. */
export const deleteUpload: Answer<Uploading> = async (context) => {
  const { url, ids, hostUser, uploads } = context;
  const [id = ''] = ids;
  readQuery(url, emptyQuerySchema);
  await context.allow('upload');
  await uploads.remove(hostUser, id);
  return new Response(null, {
    status: 204,
    headers: { ...answerHeaders, 'Tus-Resumable': '1.0.0' },
  });
};

/** `HEAD` and `PATCH /uploads/{upload_id}` of tus, where the bytes come by way of the host. */
export const passUpload: Answer<Uploading> = async (context) => {
  const { request, url, ids, hostUser, uploads } = context;
  const [id = ''] = ids;
  if (!uploads.isBehindHost) {
    throw new HostProblem('method-not-allowed', {
      detail: 'The bytes go to the url of the upload, and not to this host.',
      headers: { Allow: 'GET, DELETE' },
    });
  }
  readQuery(url, emptyQuerySchema);
  await context.allow(request.method === 'HEAD' ? 'read' : 'upload');
  return uploads.pass(hostUser, id, request);
};
