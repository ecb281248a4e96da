import * as z from 'zod/mini';
import { exportSchema } from './export.ts';
import { dateTimeSchema, httpUrlSchema, idSchema, ignoreMisfit } from './primitive.ts';
import { metadataSchema, taskSchema } from './task.ts';

const makeEventSchema = <Type extends string, Data extends z.core.$ZodType>(
  type: Type,
  data: Data,
) => z.object({ type: z.literal(type), timestamp: dateTimeSchema, data });

/** An export in an event, with the `metadata` of its task. */
const exportEventSchema = z.extend(exportSchema, { metadata: ignoreMisfit(metadataSchema) });

/** An event of the self-hosted service: a task or an export is ready or has failed. */
export const webhookEventSchema = z.discriminatedUnion('type', [
  makeEventSchema('task.ready', taskSchema),
  makeEventSchema('task.error', taskSchema),
  makeEventSchema('task.exports_ready', taskSchema),
  makeEventSchema('export.ready', exportEventSchema),
  makeEventSchema('export.error', exportEventSchema),
]);

export type WebhookEvent = z.output<typeof webhookEventSchema>;

/** The message that tests a webhook. */
export const pingEventSchema = makeEventSchema('ping', z.object({ webhook_id: idSchema }));

export type PingEvent = z.output<typeof pingEventSchema>;

const webhookFields = {
  url: httpUrlSchema,
  /** Types of events; `*` stands for all, also for those of later versions. */
  events: z
    .array(
      z.enum([
        '*',
        ...webhookEventSchema.def.options.map(({ shape }) => shape.type.def.values[0]!),
      ]),
    )
    .check(z.minLength(1, 'must not be empty'), z.maxLength(16, 'must be at most 16')),
  enabled: z.boolean(),
  description: z.string().check(z.maxLength(255, 'must be at most 255 characters')),
};

/** Body of `POST /webhooks` (this project's service). */
export const newWebhookSchema = z.strictObject({
  url: webhookFields.url,
  events: z._default(webhookFields.events, ['*']),
  enabled: z._default(webhookFields.enabled, true),
  description: z._default(webhookFields.description, ''),
});

export type NewWebhook = z.output<typeof newWebhookSchema>;
export type NewWebhookInput = z.input<typeof newWebhookSchema>;

/** Body of `PATCH /webhooks/{webhook_id}`: what is omitted stays. */
export const webhookChangesSchema = z.partial(z.strictObject(webhookFields));

export type WebhookChanges = z.output<typeof webhookChangesSchema>;

/** A webhook of an organization (this project's service). */
export const webhookSchema = z.object({
  id: idSchema,
  url: httpUrlSchema,
  events: z.array(z.string()),
  enabled: z.boolean(),
  description: z.string(),
  created_at: dateTimeSchema,
  /** Until then the secret before signs too; null if there is none. */
  previous_secret_expires_at: z.nullable(dateTimeSchema),
});

export type Webhook = z.output<typeof webhookSchema>;

/** The answer of `GET /webhooks`. */
export const webhookListSchema = z.array(webhookSchema);

/** The answer of `POST /webhooks`. The secret is not shown again. */
export const webhookWithSecretSchema = z.extend(webhookSchema, { secret: z.string() });

export type WebhookWithSecret = z.output<typeof webhookWithSecretSchema>;

/** The answer of `POST /webhooks/{webhook_id}/secret`. */
export const webhookSecretSchema = z.pick(webhookWithSecretSchema, {
  secret: true,
  previous_secret_expires_at: true,
});

export type WebhookSecret = z.output<typeof webhookSecretSchema>;

const maxOverlapSeconds = 7 * 24 * 60 * 60;

/** Body of `POST /webhooks/{webhook_id}/secret`. */
export const newSecretSchema = z.strictObject({
  /** The time for which the secret before signs too. */
  overlap_seconds: z._default(
    z
      .int('must be a whole number')
      .check(
        z.minimum(0, 'must be at least 0'),
        z.maximum(maxOverlapSeconds, `must be at most ${maxOverlapSeconds}`),
      ),
    24 * 60 * 60,
  ),
});

export type NewSecret = z.input<typeof newSecretSchema>;

/** A message to a webhook, without its content. */
export const deliverySchema = z.object({
  /** The `webhook-id` of the message. */
  id: idSchema,
  /** The type of the event. */
  event: z.string(),
  /** The id of the task, the export, or the webhook that was tested. */
  object_id: idSchema,
  status: z.enum(['waiting', 'delivered', 'failed']),
  attempts: z.int(),
  /** The status of the last answer; null if there was none. */
  response_status: z.nullable(z.int()),
  /** Why the last attempt failed; null if it did not. */
  problem: z.nullable(z.string()),
  created_at: dateTimeSchema,
  /** When it is sent next, if it waits. */
  next_attempt_at: z.nullable(dateTimeSchema),
  finished_at: z.nullable(dateTimeSchema),
});

export type Delivery = z.output<typeof deliverySchema>;

/** The answer of `GET /webhooks/{webhook_id}/deliveries`. */
export const deliveryListSchema = z.array(deliverySchema);

/** Query of `GET /webhooks/{webhook_id}/deliveries`. */
export const deliveryListQuerySchema = z.strictObject({
  /** 1 to 1000; default 100. */
  limit: z.optional(
    z.pipe(
      z.string().check(z.regex(/^(?:[1-9]\d{0,2}|1000)$/, 'must be a whole number from 1 to 1000')),
      z.transform(Number),
    ),
  ),
  status: z.optional(deliverySchema.shape.status),
});

/** The deliveries to list. */
export type DeliveryFilter = z.output<typeof deliveryListQuerySchema>;

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
