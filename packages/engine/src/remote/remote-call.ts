import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';

export type RemoteFault =
  'unreachable' | 'refused' | 'too-large' | 'busy' | 'bad-answer' | 'timeout' | 'redirect';

/**
 * A call to another server failed. `message` is for the operator and never contains the API key.
 */
export class RemoteError extends Error {
  override name = 'RemoteError';
  readonly fault: RemoteFault;
  /** HTTP status of the answer; null if there was none. */
  readonly status: number | null;

  constructor(fault: RemoteFault, message: string, status: number | null = null) {
    super(message);
    this.fault = fault;
    this.status = status;
  }
}

/** A server that the operator configured. */
export interface RemoteServer {
  /** The name of the server in messages, such as `speech server`. */
  name: string;
  /** Prefix of its environment variables, such as `SPEECH`. */
  settings: string;
  apiKey?: string | undefined;
}

export interface RemoteCall {
  url: string;
  /** If omitted, the call is a GET. */
  body?: { type: string; bytes: Buffer };
  /** Sends the key as `Authorization: Bearer`. */
  bearer?: boolean;
  signal: AbortSignal;
  /** Maximum time for one attempt, including the answer. */
  timeoutMs: number;
  /**
   * Maximum size of the answer.
   * @default 16 MiB
   */
  maxBytes?: number;
}

interface Reply {
  status: number;
  retryAfter: string;
  text: string;
}

/** Separate from the answer's limit: an answer may take minutes, a connection may not. */
const connectTimeoutMs = 15_000;
/** The maximum number of calls of a busy server (429, 502, 503, 504). */
const maxAttempts = 4;
/** Maximum wait between two attempts, also if the server asks for more. */
const maxPauseMs = 60_000;

/** A server's text, shortened and without keys: some servers repeat the key that they reject. */
function withoutKeys(text: string, apiKey: string | undefined): string {
  const known = apiKey ? text.replaceAll(apiKey, '***') : text;
  const plain = known
    .replace(/\b(?:(?:sk|pk|key)[-_]|bearer )[^\s"',;]+/gi, '***')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return plain.length > 200 ? `${plain.slice(0, 199)}…` : plain;
}

/**
 * The message in an error body: `{error: {message}}`, `{error}`, `{message}` or `{detail}`, or
 * null.
 */
function readError(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return null;
  const { error, detail, message } = answer as Record<string, unknown>;
  if (error === undefined || error === null || error === false || error === '') {
    // FastAPI sends a list of invalid fields, which is readable as JSON.
    if (detail !== undefined) return typeof detail === 'string' ? detail : JSON.stringify(detail);
    return typeof message === 'string' ? message : null;
  }
  if (typeof error === 'string') return error;
  const inner = (error as Record<string, unknown>)['message'];
  return typeof inner === 'string' ? inner : 'an error without a message';
}

async function send(server: RemoteServer, call: RemoteCall, signal: AbortSignal): Promise<Reply> {
  const maxBytes = call.maxBytes ?? 16 * 1024 * 1024;
  const agent = new Agent({
    connect: { timeout: connectTimeoutMs },
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: maxBytes,
  });
  try {
    const { statusCode, headers, body } = await request(call.url, {
      dispatcher: agent,
      method: call.body ? 'POST' : 'GET',
      signal,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': 'clip-service',
        ...(call.body && { 'content-type': call.body.type }),
        ...(call.bearer && server.apiKey && { authorization: `Bearer ${server.apiKey}` }),
      },
      body: call.body?.bytes ?? null,
    });
    const retryAfter = String(headers['retry-after'] ?? '');
    return { status: statusCode, retryAfter, text: await body.text() };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') {
      throw new RemoteError(
        'bad-answer',
        `The ${server.name} sent an answer that is too large. The limit is ${maxBytes} bytes. Check ${server.settings}_URL.`,
      );
    }
    if (code === 'UND_ERR_CONNECT_TIMEOUT') {
      throw new RemoteError(
        'unreachable',
        `The ${server.name} did not accept a connection within ${connectTimeoutMs / 1000} s. Check ${server.settings}_URL, and that the server is up.`,
      );
    }
    throw error;
  } finally {
    void agent.destroy();
  }
}

/**
 * Milliseconds to wait: as `Retry-After` asks (seconds or a date), otherwise 0.5 s that doubles
 * each time.
 */
function computePauseMs(retryAfter: string, attempt: number, now: number): number {
  const stated = retryAfter.trim();
  const asked = /^\d+$/.test(stated) ? Number(stated) * 1000 : Date.parse(stated) - now;
  const pauseMs = stated !== '' && Number.isFinite(asked) ? asked : 500 * 2 ** attempt;
  return Math.min(maxPauseMs, Math.max(0, pauseMs));
}

function makeRefusal(server: RemoteServer, { status, text }: Reply): RemoteError {
  const { name, settings } = server;
  let said: string | null = null;
  try {
    said = readError(JSON.parse(text));
  } catch {
    // Probably a page from a proxy: the status is enough.
  }
  const why = said ? `: ${withoutKeys(said, server.apiKey)}` : '';
  if (status >= 300 && status < 400) {
    return new RemoteError(
      'redirect',
      `The ${name} redirects to another address, which is not allowed. Set ${settings}_URL to the final address.`,
      status,
    );
  }
  if (status === 413) {
    return new RemoteError(
      'too-large',
      `The ${name} does not accept a request of this size.`,
      status,
    );
  }
  if (status === 429 || status === 502 || status === 503 || status === 504) {
    return new RemoteError(
      'busy',
      `The ${name} is busy or down (HTTP ${status})${why}. Try again later.`,
      status,
    );
  }
  const todo =
    status === 401 || status === 403
      ? ` Check ${settings}_API_KEY.`
      : status === 404
        ? ` Check ${settings}_URL.`
        : '';
  return new RemoteError(
    'refused',
    `The ${name} answered with HTTP status ${status}${why}.${todo}`,
    status,
  );
}

async function sendOnce(server: RemoteServer, call: RemoteCall): Promise<Reply> {
  const late = AbortSignal.timeout(Math.ceil(call.timeoutMs));
  try {
    return await send(server, call, AbortSignal.any([call.signal, late]));
  } catch (error) {
    call.signal.throwIfAborted();
    if (error instanceof RemoteError) throw error;
    if (late.aborted) {
      const seconds = Math.round(call.timeoutMs / 100) / 10;
      throw new RemoteError(
        'timeout',
        `The ${server.name} did not answer within ${seconds} s. Check that it is up and not overloaded.`,
      );
    }
    const { code = 'no connection' } = error as NodeJS.ErrnoException;
    throw new RemoteError(
      'unreachable',
      `The ${server.name} cannot be reached (${code}). Check ${server.settings}_URL, and that the server is up.`,
    );
  }
}

/**
 * Calls a server that answers in JSON. Retries a busy server after the time that it names (60 s at
 * most). Throws {@link RemoteError}, also for an error with status 200, or the signal's reason.
 */
export async function callJson(server: RemoteServer, call: RemoteCall): Promise<unknown> {
  for (let tried = 0; ; tried++) {
    const reply = await sendOnce(server, call);
    if (reply.status >= 200 && reply.status < 300) {
      let answer: unknown;
      try {
        answer = JSON.parse(reply.text);
      } catch {
        throw new RemoteError(
          'bad-answer',
          `The ${server.name} did not answer in JSON. Check ${server.settings}_URL.`,
        );
      }
      const error = readError(answer);
      if (error === null) return answer;
      const shown = withoutKeys(error, server.apiKey);
      throw new RemoteError('refused', `The ${server.name} answered with an error: ${shown}.`, 200);
    }
    const failure = makeRefusal(server, reply);
    if (failure.fault !== 'busy' || tried + 1 >= maxAttempts) throw failure;
    await pause(computePauseMs(reply.retryAfter, tried, Date.now()), undefined, {
      signal: call.signal,
    }).catch(() => call.signal.throwIfAborted());
  }
}

/** A JSON body for a call. */
export const makeJsonBody = (value: unknown): { type: string; bytes: Buffer } => ({
  type: 'application/json',
  bytes: Buffer.from(JSON.stringify(value)),
});

/** Host names that only the local network knows. */
const localNames = /^(?:localhost|[^.:]+|.+\.(?:local|internal|lan|home\.arpa|localhost))$/i;

const isLocalAddress = (host: string): boolean =>
  /^(?:127|10)\.\d+\.\d+\.\d+$|^192\.168\.\d+\.\d+$|^172\.(?:1[6-9]|2\d|3[01])\.\d+\.\d+$/.test(
    host,
  ) || /^\[(?:::1|f[cd][0-9a-f:]*)\]$/i.test(host);

/**
 * Whether a URL may be used for another server: https anywhere, http only in the local network,
 * because keys and speech are sent there. A user name, query or fragment is not allowed.
 */
export function isRemoteUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  if (url.username || url.password || url.search || url.hash) return false;
  if (url.protocol === 'https:') return true;
  return (
    url.protocol === 'http:' && (localNames.test(url.hostname) || isLocalAddress(url.hostname))
  );
}

/**
 * The address of an operation of an OpenAI-compatible server.
 * @param base address of the server, with or without `/v1`, or of the operation itself
 */
export function makeEndpoint(base: string, operation: string): string {
  const url = new URL(base);
  const path = url.pathname.replace(/(?<!\/)\/+$/, '');
  if (!path.endsWith(operation)) url.pathname = `${path || '/v1'}${operation}`;
  return url.href;
}
