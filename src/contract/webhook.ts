import * as z from 'zod/mini';
import { exportSchema } from './export.ts';
import { dateTimeSchema } from './primitive.ts';
import { taskSchema } from './task.ts';

const makeEventSchema = <Type extends string, Data extends z.core.$ZodType>(
  type: Type,
  data: Data,
) => z.object({ type: z.literal(type), timestamp: dateTimeSchema, data });

/** An event of the self-hosted service: a task or an export is ready or has failed. */
export const webhookEventSchema = z.discriminatedUnion('type', [
  makeEventSchema('task.ready', taskSchema),
  makeEventSchema('task.error', taskSchema),
  makeEventSchema('export.ready', exportSchema),
  makeEventSchema('export.error', exportSchema),
]);

export type WebhookEvent = z.output<typeof webhookEventSchema>;

/** Headers of a message, by the Standard Webhooks specification. */
export const webhookHeaders = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;

/** The signed parts: the message's id, the time of sending in Unix seconds, and the exact body. */
export interface WebhookMessage {
  readonly id: string;
  readonly timestamp: string;
  readonly body: string;
}

/** 24 to 64 bytes in base64, after a prefix: what Standard Webhooks demands of a secret. */
const secretPattern = /^whsec_([A-Za-z0-9+/]+={0,2})$/;

/**
 * The bytes of a secret (`whsec_` and base64). Throws a `TypeError`, which does not repeat the
 * secret, if it is not one.
 */
export function decodeWebhookSecret(secret: string): Uint8Array {
  const base64 = secretPattern.exec(secret)?.[1];
  const bytes = base64 === undefined ? null : fromBase64(base64);
  if (!bytes || bytes.length < 24 || bytes.length > 64) {
    throw new TypeError('a webhook secret must be whsec_ and 24 to 64 bytes in base64');
  }
  return bytes;
}

/** The key that signs, from the bytes of a secret. */
export const importWebhookKey = (bytes: Uint8Array): Promise<CryptoKey> =>
  // Before TypeScript 5.7 the type of an array of bytes took no argument.
  crypto.subtle.importKey(
    'raw',
    bytes as Uint8Array<ArrayBuffer>,
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign', 'verify'],
  );

const encodeSigned = ({ id, timestamp, body }: WebhookMessage): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(`${id}.${timestamp}.${body}`);

/** The signature as it stands in its header: `v1,` and base64. */
export async function signWebhook(key: CryptoKey, message: WebhookMessage): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', key, encodeSigned(message)));
  return `v1,${btoa(String.fromCharCode(...bytes))}`;
}

/** Whether one of the signatures in a header (separated by spaces) is made with one of the keys. */
export async function isSignedWebhook(
  keys: readonly CryptoKey[],
  message: WebhookMessage,
  header: string,
): Promise<boolean> {
  const signatures = header
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => fromBase64(signature.slice(3)))
    .filter((bytes) => bytes !== null);
  for (const key of keys) {
    for (const signature of signatures) {
      if (await crypto.subtle.verify('HMAC', key, signature, encodeSigned(message))) return true;
    }
  }
  return false;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
