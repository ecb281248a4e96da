import { newUploadSchema } from 'clip-kit/contract';
import { answerHeaders, parseOrRefuse } from '../http/host-problem.ts';
import { readJson, emptyQuerySchema, readQuery } from '../http/json-body.ts';
import { readAttemptKey, makeJsonResponse, type Answer } from './route-context.ts';

type Uploading = 'allow' | 'hostUser' | 'ids' | 'request' | 'uploads' | 'url';

/** `POST /uploads`: the service makes nothing twice for a key, if there is one. */
export const createUpload: Answer<Exclude<Uploading, 'ids'>> = async (context) => {
  const { request, url, hostUser, uploads } = context;
  readQuery(url, emptyQuerySchema);
  const key = request.headers.has('Idempotency-Key') ? readAttemptKey(request) : undefined;
  const file = parseOrRefuse(newUploadSchema, await readJson(request));
  await context.allow('upload');
  return makeJsonResponse(await uploads.create(hostUser, file, key), 201);
};

/** `GET /uploads/{upload_id}` */
export const readUpload: Answer<Uploading> = async (context) => {
  const { url, ids, hostUser, uploads } = context;
  const [id = ''] = ids;
  readQuery(url, emptyQuerySchema);
  await context.allow('read');
  return makeJsonResponse(await uploads.read(hostUser, id));
};

/** `DELETE /uploads/{upload_id}` */
export const deleteUpload: Answer<Uploading> = async (context) => {
  const { url, ids, hostUser, uploads } = context;
  const [id = ''] = ids;
  readQuery(url, emptyQuerySchema);
  await context.allow('upload');
  await uploads.remove(hostUser, id);
  return new Response(null, { status: 204, headers: answerHeaders });
};
