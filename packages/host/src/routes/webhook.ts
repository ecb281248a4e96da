import {
  isSignedWebhook,
  type WebhookEvent,
  webhookEventSchema,
  webhookHeaders,
  importWebhookKey,
  decodeWebhookSecret,
} from 'clip-kit/contract';
import { answerHeaders, HostProblem, parseOrRefuse } from '../http/host-problem.ts';
import { parseJson, readText } from '../http/json-body.ts';

/** The largest difference between the time of sending and now: an older message may be a replay. */
const toleranceMs = 5 * 60 * 1000;

const knownTypes = webhookEventSchema.def.options.map(({ shape }) => shape.type.def.values[0]);

/** Whether it is an event of another type, such as one of a later version: it is ignored. */
const isOtherEvent = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  typeof value.type === 'string' &&
  !knownTypes.includes(value.type as WebhookEvent['type']);

/**
 * Creates the route that receives the service's webhooks: `POST {basePath}/webhook`. Throws a
 * `TypeError` for a secret that is not one.
 *
 * @param onEvent called with each event whose signature fits
 */
export function createWebhookRoute(
  secrets: readonly string[],
  now: () => number,
  onEvent: (event: WebhookEvent) => void,
): (request: Request) => Promise<Response> {
  const importing = Promise.all(secrets.map(decodeWebhookSecret).map(importWebhookKey));
  return async (request) => {
    if (request.method !== 'POST') {
      throw new HostProblem('method-not-allowed', { headers: { Allow: 'POST' } });
    }
    const keys = await importing;
    const header = (name: string): string => request.headers.get(name) ?? '';
    const timestamp = header(webhookHeaders.timestamp);
    const body = await readText(request);
    const message = { id: header(webhookHeaders.id), timestamp, body };
    const sentMs = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) * 1000 : NaN;
    const isRecent = Math.abs(now() - sentMs) <= toleranceMs;
    if (!isRecent || !(await isSignedWebhook(keys, message, header(webhookHeaders.signature)))) {
      throw new HostProblem('unauthenticated', {
        detail: 'The webhook is not signed with a known secret, or was sent too long ago.',
      });
    }
    const event = parseJson(body);
    // A sender would repeat what is refused, and give up in the end.
    if (!isOtherEvent(event)) onEvent(parseOrRefuse(webhookEventSchema, event));
    return new Response(null, { status: 204, headers: answerHeaders });
  };
}
