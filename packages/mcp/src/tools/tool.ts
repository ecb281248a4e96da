import { setTimeout } from 'node:timers/promises';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type {
  CallToolResult,
  ServerNotification,
  ServerRequest,
  ToolAnnotations,
} from '@modelcontextprotocol/sdk/types.js';
import { attemptKeySchema, type Export, idSchema, type Task } from 'clip-kit/contract';
import type { ServiceClient } from 'clip-kit/client';
import * as z from 'zod';
import { explain } from '../answer.ts';
import type { Settings } from '../settings.ts';

/** The objects that the tools use. */
export interface Clips {
  readonly server: McpServer;
  readonly service: ServiceClient;
  readonly settings: Settings;
  /** Options of each call of the service: the user. */
  readonly call: { readonly onBehalfOf?: string };
}

/** Adds one tool to the server. */
export type AddTool = (clips: Clips) => void;

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** A tool call that goes on. */
export interface Run {
  readonly signal: AbortSignal;
  /** Tells a client that asked for it how far the work is; `share`: 0 to 1. */
  progress(share: number, message: string): Promise<void>;
  /** Whether the person agrees to what costs. A client that cannot ask leaves it to the agent. */
  isAgreed(question: string): Promise<boolean>;
}

/** The reason that the agent gets when {@link Run.isAgreed} is false. */
export const disagreement = 'the person did not agree. Do not try again unless they ask for it.';

/** The time that a person has for an answer. */
const askMs = 600_000;

function makeRun(
  { server }: McpServer,
  { signal, requestId, _meta, sendNotification }: Extra,
): Run {
  let last = -1;
  return {
    signal,
    async progress(share, message) {
      const progressToken = _meta?.progressToken;
      // The protocol wants each value above the last one.
      if (progressToken === undefined || share <= last) return;
      last = share;
      await sendNotification({
        method: 'notifications/progress',
        params: { progressToken, progress: share, total: 1, message },
      });
    },
    async isAgreed(message) {
      if (!server.getClientCapabilities()?.elicitation?.form) return true;
      const form = { message, requestedSchema: { type: 'object', properties: {} } } as const;
      const options = { signal, timeout: askMs, relatedRequestId: requestId };
      // No answer is no agreement.
      const answer = await server.elicitInput(form, options).catch(() => null);
      return answer?.action === 'accept';
    },
  };
}

const isMatching = (schema: typeof idSchema | typeof attemptKeySchema) => (text: string) =>
  schema.safeParse(text).success;

/** An id of the service, described for the agent. */
export const makeIdSchema = (what: string) =>
  z.string().refine(isMatching(idSchema), 'is not an id').describe(what);

export const idempotencyKey = z
  .string()
  .refine(isMatching(attemptKeySchema), 'must be 8 to 128 characters of A-Z a-z 0-9 . _ -')
  .describe(
    'A new key for each new result, such as a UUID. After a lost answer, send the same key again: nothing is created twice.',
  );

/** The annotations of a tool that changes nothing. */
export const reads = { readOnlyHint: true, openWorldHint: false };

/** Seconds that a tool waits before it answers. */
export const waitSeconds = z
  .number()
  .min(0)
  .max(600)
  .default(50)
  .describe('Maximum wait in seconds: call again to keep waiting');

interface Tool<Input extends z.ZodRawShape> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly annotations: ToolAnnotations;
  work(input: z.output<z.ZodObject<Input>>, run: Run): Promise<CallToolResult>;
}

/** Adds a tool whose errors are sentences. */
export function addTool<Input extends z.ZodRawShape>(
  server: McpServer,
  { name, input, work, ...about }: Tool<Input>,
): void {
  server.registerTool(
    name,
    { ...about, inputSchema: z.strictObject(input) },
    async (given: unknown, extra: Extra) => {
      try {
        return await work(given as z.output<z.ZodObject<Input>>, makeRun(server, extra));
      } catch (error) {
        return explain(error);
      }
    },
  );
}

/** Reads again, with pauses, until it is done or the seconds are over. Gives the last one. */
export async function watch<T extends Pick<Task | Export, 'status' | 'progress'>>(
  seconds: number,
  { signal, progress }: Run,
  read: () => Promise<T>,
): Promise<T> {
  const ends = performance.now() + seconds * 1000;
  for (;;) {
    signal.throwIfAborted();
    const value = await read();
    if (value.status !== 'processing') {
      await progress(1, value.status);
      return value;
    }
    await progress(value.progress?.share ?? 0, value.progress?.stage ?? value.status);
    const left = ends - performance.now();
    if (left <= 0) return value;
    await setTimeout(Math.min(2000, left), undefined, { signal });
  }
}
