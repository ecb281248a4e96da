import http from 'node:http';
import https from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';

export type RemoteFault =
  'unreachable' | 'refused' | 'too-large' | 'busy' | 'bad-answer' | 'timeout' | 'redirect';

/** A call of another server that came to nothing. `message` is a sentence for the operator; it never holds the key. */
export class RemoteError extends Error {
  override name = 'RemoteError';
  readonly fault: RemoteFault;
  /** HTTP status where there was one. */
  readonly status: number | null;

  constructor(fault: RemoteFault, message: string, status: number | null = null) {
    super(message);
    this.fault = fault;
    this.status = status;
  }
}

/** A server of the operator's own choice. */
export interface RemoteServer {
  /** What it is called in messages, such as `speech server`. */
  name: string;
  /** Begins the names of its settings, such as `SPEECH`. */
  settings: string;
  apiKey?: string | undefined;
}

export interface RemoteCall {
  url: string;
  /** Where left out, a GET. */
  body?: { type: string; bytes: Buffer };
  /** Sends the key as `Authorization: Bearer`. */
  bearer?: boolean;
  signal: AbortSignal;
  /** Milliseconds for one attempt, answer included. */
  timeoutMs: number;
  /** Largest answer that is read, in bytes; 16 MiB where left out. */
  maxBytes?: number;
}

interface Reply {
  status: number;
  retryAfter: string | undefined;
  text: string;
}

/** Longest time for a connection, in milliseconds: an answer may take minutes, a connection does not. */
const connectMs = 15_000;
/** How often a server is asked that is busy (429, 502, 503, 504). */
const attempts = 4;
/** Longest wait between two attempts, in milliseconds, whatever the server asks for. */
const longestPause = 60_000;

/** What a server says about itself, short and without keys: some echo the key that they refuse. */
function told(text: string, apiKey: string | undefined): string {
  const known = apiKey ? text.replaceAll(apiKey, '***') : text;
  const plain = known
    .replace(/\b(?:(?:sk|pk|key)[-_]|bearer )[^\s"',;]+/gi, '***')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return plain.length > 200 ? `${plain.slice(0, 199)}…` : plain;
}

/** The sentence inside an error body: `{error: {message}}`, `{error}`, `{message}` or `{detail}`; null where there is none. */
function errorIn(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return null;
  const { error, detail, message } = answer as Record<string, unknown>;
  if (error === undefined || error === null || error === false || error === '') {
    // A list of misfits (FastAPI) says which field; as JSON it is still readable.
    if (detail !== undefined) return typeof detail === 'string' ? detail : JSON.stringify(detail);
    return typeof message === 'string' ? message : null;
  }
  if (typeof error === 'string') return error;
  const inner = (error as Record<string, unknown>)['message'];
  return typeof inner === 'string' ? inner : 'an error without a message';
}

function send(server: RemoteServer, call: RemoteCall, signal: AbortSignal): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const url = new URL(call.url);
  const request = (url.protocol === 'https:' ? https : http).request(
    url,
    {
      agent: false,
      method: call.body ? 'POST' : 'GET',
      signal,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        'user-agent': 'clip-service',
        ...(call.body && {
          'content-type': call.body.type,
          'content-length': call.body.bytes.length,
        }),
        ...(call.bearer && server.apiKey && { authorization: `Bearer ${server.apiKey}` }),
      },
    },
    (response) => {
      const maxBytes = call.maxBytes ?? 16 * 1024 * 1024;
      const pieces: Buffer[] = [];
      let bytes = 0;
      response.on('data', (piece: Buffer) => {
        bytes += piece.length;
        if (bytes > maxBytes) {
          const message = `The ${server.name} sent more than the ${maxBytes} bytes that are read.`;
          request.destroy(new RemoteError('bad-answer', message));
        } else pieces.push(piece);
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          retryAfter: response.headers['retry-after'],
          text: Buffer.concat(pieces).toString('utf8'),
        }),
      );
    },
  );
  const connecting = setTimeout(() => {
    const message = `The ${server.name} took no connection within ${connectMs / 1000} s: check ${server.settings}_URL.`;
    request.destroy(new RemoteError('unreachable', message));
  }, connectMs);
  request.on('socket', (socket) => {
    socket.once('connect', () => clearTimeout(connecting));
  });
  request.on('close', () => clearTimeout(connecting));
  request.on('error', reject);
  request.end(call.body?.bytes);
  return promise;
}

/** Milliseconds that a `Retry-After` asks for (seconds or a date); doubling half seconds where there is none. */
function pauseOf(retryAfter: string | undefined, attempt: number, now: number): number {
  const stated = retryAfter?.trim() ?? '';
  const asked = /^\d+$/.test(stated) ? Number(stated) * 1000 : Date.parse(stated) - now;
  const pause = stated !== '' && Number.isFinite(asked) ? asked : 500 * 2 ** attempt;
  return Math.min(longestPause, Math.max(0, pause));
}

function refusal(server: RemoteServer, { status, text }: Reply): RemoteError {
  const { name, settings } = server;
  let said: string | null = null;
  try {
    said = errorIn(JSON.parse(text));
  } catch {
    // A page of a proxy: its status says enough.
  }
  const why = said ? `: ${told(said, server.apiKey)}` : '';
  if (status >= 300 && status < 400) {
    return new RemoteError(
      'redirect',
      `The ${name} redirects, and redirects are not followed: set ${settings}_URL to the address it leads to.`,
      status,
    );
  }
  if (status === 413) {
    return new RemoteError('too-large', `The ${name} takes no request of this size.`, status);
  }
  if (status === 429 || status === 502 || status === 503 || status === 504) {
    return new RemoteError('busy', `The ${name} is busy or down (HTTP ${status})${why}.`, status);
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

async function attempt(server: RemoteServer, call: RemoteCall): Promise<Reply> {
  const late = AbortSignal.timeout(call.timeoutMs);
  try {
    return await send(server, call, AbortSignal.any([call.signal, late]));
  } catch (error) {
    call.signal.throwIfAborted();
    if (error instanceof RemoteError) throw error;
    if (late.aborted) {
      const seconds = Math.round(call.timeoutMs / 100) / 10;
      throw new RemoteError('timeout', `The ${server.name} did not answer within ${seconds} s.`);
    }
    const { code = 'no connection' } = error as NodeJS.ErrnoException;
    throw new RemoteError(
      'unreachable',
      `The ${server.name} cannot be reached (${code}): check ${server.settings}_URL, and that it is up.`,
    );
  }
}

/**
 * Asks a server for JSON. One that is busy is asked again, after the time that it names (60 s at most).
 * Throws {@link RemoteError}, also for an error that comes with status 200, or the signal's reason.
 */
export async function callJson(server: RemoteServer, call: RemoteCall): Promise<unknown> {
  for (let tried = 0; ; tried++) {
    const reply = await attempt(server, call);
    if (reply.status >= 200 && reply.status < 300) {
      let answer: unknown;
      try {
        answer = JSON.parse(reply.text);
      } catch {
        throw new RemoteError(
          'bad-answer',
          `The ${server.name} answered with something else than JSON: check ${server.settings}_URL.`,
        );
      }
      const error = errorIn(answer);
      if (error === null) return answer;
      const shown = told(error, server.apiKey);
      throw new RemoteError('refused', `The ${server.name} answered with an error: ${shown}.`, 200);
    }
    const failure = refusal(server, reply);
    if (failure.fault !== 'busy' || tried + 1 >= attempts) throw failure;
    await pause(pauseOf(reply.retryAfter, tried, Date.now()), undefined, {
      signal: call.signal,
    }).catch(() => call.signal.throwIfAborted());
  }
}

/** JSON as the body of a call. */
export const jsonBody = (value: unknown): { type: string; bytes: Buffer } => ({
  type: 'application/json',
  bytes: Buffer.from(JSON.stringify(value)),
});
