import { newUploadSchema } from 'clip-kit/contract';
import { answerHeaders, HostProblem, parseOrRefuse } from '../http/host-problem.ts';
import { readJson } from '../http/json-body.ts';
import { isMissing } from '../tasks/task-list.ts';
import { readAttemptKey, makeJsonResponse, type Answer } from './route-context.ts';

/** `POST /uploads`: the service makes nothing twice for a key, if there is one. */
export const createUpload: Answer = async (context) => {
  const { request, service } = context;
  const key = request.headers.has('Idempotency-Key') && readAttemptKey(request);
  const file = parseOrRefuse(newUploadSchema, await readJson(request));
  await context.allow('upload');
  const upload = await context.callService('upload', (onBehalfOf) =>
    service
      .createUpload(file, { onBehalfOf, ...(key && { idempotencyKey: key }) })
      .catch((cause: unknown) => {
        if (!isMissing(cause)) throw cause;
        throw new HostProblem('not-supported', {
          detail:
            'The clip service does not accept uploads. Paste the address of the video instead.',
        });
      }),
  );
  return makeJsonResponse(upload, 201);
};

/** `GET /uploads/{upload_id}` */
export const readUpload: Answer = async (context) => {
  const { ids, service } = context;
  const [id = ''] = ids;
  await context.allow('read');
  return makeJsonResponse(
    await context.callService('upload', (onBehalfOf) => service.getUpload(id, { onBehalfOf })),
  );
};

/** `DELETE /uploads/{upload_id}` */
export const deleteUpload: Answer = async (context) => {
  const { ids, service } = context;
  const [id = ''] = ids;
  await context.allow('upload');
  await context.callService('upload', (onBehalfOf) => service.deleteUpload(id, { onBehalfOf }));
  return new Response(null, { status: 204, headers: answerHeaders });
};
