import { createHash } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { open, rm, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { errors, interceptors, request, type Dispatcher } from 'undici';
import { findMachineFault, NetworkDown } from '../program/process-error.ts';
import { createGuardedAgent, PrivateAddress, type Resolve } from './guarded-agent.ts';

export type DownloadFault =
  'unreachable' | 'private-address' | 'too-large' | 'too-slow' | 'truncated';

/** A download failed. `message` is a sentence for a person. */
export class DownloadError extends Error {
  readonly fault: DownloadFault;

  constructor(fault: DownloadFault, message: string) {
    super(message);
    this.name = 'DownloadError';
    this.fault = fault;
  }
}

export interface DownloadOptions {
  /** File to write. Removed if the download fails. */
  path: string;
  allowPrivate: boolean;
  maxBytes: number;
  signal: AbortSignal;
  onProgress?: (share: number) => void;
  /**
   * Milliseconds without a byte after which the download fails.
   * @default 30_000
   */
  idleTimeoutMs?: number;
  /**
   * Milliseconds in which at least 256 kB must arrive, again and again until the file ends.
   * @default 60_000
   */
  paceWindowMs?: number;
  /**
   * Milliseconds after which the download fails, however much has arrived.
   * @default 7_200_000
   */
  deadlineMs?: number;
  /**
   * Resolves host names.
   * @default dns.lookup
   */
  resolve?: Resolve;
}

export interface Downloaded {
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
  contentType: string;
  /** Final address, after redirects. */
  url: string;
}

const maxRedirects = 5;
/** The time that a server may take until it begins to answer. */
const answerTimeoutMs = 15_000;
const defaultIdleMs = 30_000;
/** A download that was cut is continued this many times in a row without a new byte. */
export const maxResumes = 5;
const firstResumePauseMs = 500;
const defaultDownloadMs = 2 * 60 * 60 * 1000;
/**
 * Minimum bytes in each pace window. A slow body would hold its place and file for ever, but never
 * be idle.
 */
const minPaceBytes = 256 * 1024;
/** Free disk space is checked again after this many bytes. */
const spaceCheckBytes = 32 * 1024 * 1024;
/** Disk space that stays free for everything else. */
export const reservedDiskBytes = 512 * 1024 * 1024;
/** A timer that is this late: the process was stopped, and the server was not slow. */
const lateMs = 1000;

/** An address that may be shown: without its query, which often contains a signature. */
const hideQuery = (url: string): string =>
  URL.canParse(url) ? new URL(url).origin + new URL(url).pathname : 'the address';

const makePrivateAddressError = (host: string) =>
  new DownloadError(
    'private-address',
    `${host} is on a private or reserved network, but this service only downloads from public addresses. ` +
      'Put the file on a public address, or ask the service’s operator to set CLIP_ALLOW_PRIVATE_SOURCES=1.',
  );

/** The state with which a download continues after its connection was cut. */
export class Resuming {
  /** Without a strong ETag, the rest could be that of another file. */
  isPossible = false;
  bytes = 0;
  #bytesAtCut = -1;
  #triesInARow = 0;
  #pause: NodeJS.Timeout | undefined;

  /** Whether to ask for the rest, after a pause. */
  readonly retry = (
    error: Error & { statusCode?: number },
    _: unknown,
    done: (error?: Error | null) => void,
  ): null => {
    if (this.bytes > this.#bytesAtCut) this.#triesInARow = 0;
    this.#bytesAtCut = this.bytes;
    const { statusCode = 500 } = error;
    const mayPass = statusCode >= 500 || statusCode === 429;
    if (!this.isPossible || !mayPass || this.#triesInARow === maxResumes) done(error);
    else this.#pause = setTimeout(done, firstResumePauseMs * 2 ** this.#triesInARow++, null);
    return null;
  };

  /** Ends a pause, which would keep the process from ending. */
  stop(): void {
    this.isPossible = false;
    clearTimeout(this.#pause);
  }
}

/**
 * Checks a redirect and returns its target. Throws if the target drops encryption or contains a
 * password.
 */
export function followRedirect(from: URL, to: URL): URL {
  if (from.protocol === 'https:' && to.protocol === 'http:') {
    throw new DownloadError(
      'unreachable',
      `${from.host} redirects from https to http, which is not allowed. Use the final address of the file.`,
    );
  }
  if (to.username || to.password) {
    throw new DownloadError(
      'unreachable',
      `${from.host} redirects to an address that contains a password, which is not allowed. Use the final address of the file.`,
    );
  }
  return to;
}

async function follow(start: string, options: DownloadOptions, dispatcher: Dispatcher) {
  const idleMs = options.idleTimeoutMs ?? defaultIdleMs;
  let url = new URL(start);
  for (let hop = 0; hop <= maxRedirects; hop++) {
    if (!/^https?:$/.test(url.protocol)) {
      throw new DownloadError(
        'unreachable',
        `The address leads to ${url.protocol}, but only http and https are allowed. Use an address that starts with https://.`,
      );
    }
    const response = await request(url, {
      dispatcher,
      signal: options.signal,
      headers: { 'accept-encoding': 'identity', accept: '*/*', 'user-agent': 'clip-service' },
      headersTimeout: Math.min(answerTimeoutMs, idleMs),
      bodyTimeout: idleMs,
    });
    const status = response.statusCode;
    const location = readHeader(response, 'location');
    if (status !== 200) response.body.on('error', () => {}).destroy();
    if (status >= 300 && status < 400 && location) {
      if (!URL.canParse(location, url)) {
        throw new DownloadError(
          'unreachable',
          `${url.host} redirects to an invalid address. Use the final address of the file.`,
        );
      }
      url = followRedirect(url, new URL(location, url));
      continue;
    }
    if (status === 200) return { response, url };
    throw new DownloadError(
      'unreachable',
      `${hideQuery(url.href)} answered with HTTP status ${status} instead of the file. ` +
        (status === 401 || status === 403
          ? 'The file may need a login, or the link has expired. Use an address that works without a login.'
          : 'Check that the address is correct.'),
    );
  }
  throw new DownloadError(
    'unreachable',
    `The address redirects more than ${maxRedirects} times. Use the final address of the file.`,
  );
}

const makeTooSlowError = (deadlineMs: number) =>
  new DownloadError(
    'too-slow',
    `The download took longer than ${Math.round(deadlineMs / 60_000)} minutes. Use a faster server, or a smaller file.`,
  );

function readHeader({ headers }: Dispatcher.ResponseData, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

const makeTooSlowlyError = () =>
  new DownloadError(
    'unreachable',
    'The server sends the file too slowly. Try again later, or use another server.',
  );

const formatMegabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`;

async function store(
  response: Dispatcher.ResponseData,
  resuming: Resuming,
  options: DownloadOptions,
) {
  const stated = readHeader(response, 'content-length');
  const length = stated === undefined ? null : Number(stated);
  const tooLarge = () =>
    new DownloadError(
      'too-large',
      `The file is too large. The limit is ${formatMegabytes(options.maxBytes)}. Use a smaller file.`,
    );
  if (length !== null && length > options.maxBytes) throw tooLarge();
  const room = async () => {
    const disk = await statfs(dirname(options.path));
    return disk.bavail * disk.bsize - reservedDiskBytes;
  };
  // The same error code as on a disk that is really full: it is a problem of the machine.
  const noRoom = () => Object.assign(new Error('no room on the disk'), { code: 'ENOSPC' });
  if ((await room()) < (length ?? 0)) throw noRoom();
  // A stream that opens it itself may do so after the connection was cut, and leave it behind.
  const file = await open(options.path, 'w');
  const hash = createHash('sha256');
  let bytes = 0;
  let checkedBytes = 0;
  let before = 0;
  const paceMs = options.paceWindowMs ?? 60_000;
  let due = performance.now() + paceMs;
  const pace = setInterval(() => {
    const wasStopped = performance.now() - due > lateMs;
    due = performance.now() + paceMs;
    if (!wasStopped && bytes - before < minPaceBytes) response.body.destroy(makeTooSlowlyError());
    before = bytes;
  }, paceMs);
  await pipeline(
    response.body,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        resuming.bytes = bytes;
        if (bytes > options.maxBytes) throw tooLarge();
        if (bytes - checkedBytes >= spaceCheckBytes) {
          checkedBytes = bytes;
          if ((await room()) < 0) throw noRoom();
        }
        hash.update(chunk);
        if (length) options.onProgress?.(Math.min(1, bytes / length));
        yield chunk;
      }
    },
    file.createWriteStream(),
    { signal: options.signal },
  ).finally(() => clearInterval(pace));
  return { bytes, sha256: hash.digest('hex') };
}

/** Errors that an address may have, or all of them if this machine has no network. */
const unrouted: ReadonlySet<unknown> = new Set([
  'ENETUNREACH',
  'ENETDOWN',
  'EHOSTUNREACH',
  'EAI_AGAIN',
]);

/** Addresses for documentation, which no host has (RFC 5737, RFC 3849). */
const elsewhere = [
  ['udp4', '192.0.2.1'],
  ['udp6', '2001:db8::1'],
] as const;

/** Whether this machine has a route to other networks. Nothing is sent. */
export async function hasRoute(): Promise<boolean> {
  const routes = elsewhere.map(async ([type, address]) => {
    const socket = createSocket(type);
    try {
      socket.connect(9, address);
      await once(socket, 'connect');
    } finally {
      socket.close();
    }
  });
  return (await Promise.allSettled(routes)).some(({ status }) => status === 'fulfilled');
}

/** The sentence for an error of the connection; the error itself if it is not one. */
function explainConnectionError(error: unknown, { host }: URL, hasBegun: boolean): unknown {
  if (error instanceof DownloadError) return error;
  if (error instanceof PrivateAddress) return makePrivateAddressError(error.host);
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException;
  const isLocal = ['open', 'write', 'statfs', 'fsync'].includes(syscall);
  if (isLocal || !code || findMachineFault(error)) return error;
  if (error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError) {
    const message = `${host} stopped sending data. Check that the server is up, then try again.`;
    return new DownloadError('unreachable', message);
  }
  if (hasBegun) {
    const message = `The connection to ${host} ended before the download was complete. Try again.`;
    return new DownloadError('truncated', message);
  }
  const isUnknown = code === 'ENOTFOUND' || code === 'EAI_AGAIN';
  const isLate = error instanceof errors.ConnectTimeoutError;
  const reason = isUnknown ? 'the host name is not known' : isLate ? 'it took too long' : code;
  return new DownloadError(
    'unreachable',
    `Could not connect to ${host} (${reason}). Check that the address is correct and the server is up.`,
  );
}

/**
 * Downloads a file over http or https. Each address is checked when the connection is made, also
 * after a redirect (5 at most). If the connection is cut, and the server gave the file a strong
 * ETag, the download continues where it was.
 * Throws {@link DownloadError}, the signal's reason, or an error with the code ENOSPC. The file is
 * removed then.
 */
export async function download(url: string, asked: DownloadOptions): Promise<Downloaded> {
  const deadline = new AbortController();
  const deadlineMs = asked.deadlineMs ?? defaultDownloadMs;
  const timer = setTimeout(() => deadline.abort(makeTooSlowError(deadlineMs)), deadlineMs);
  const options = { ...asked, signal: AbortSignal.any([asked.signal, deadline.signal]) };
  const resuming = new Resuming();
  const agent = createGuardedAgent(asked);
  const retrying = interceptors.retry({ retry: resuming.retry, throwOnError: false });
  let at = new URL(url);
  let hasBegun = false;
  try {
    const { response, url: end } = await follow(url, options, agent.compose(retrying));
    // At once: the connection may be cut while the disk is asked for its space.
    resuming.isPossible = readHeader(response, 'etag')?.startsWith('"') ?? false;
    at = end;
    hasBegun = true;
    const stored = await store(response, resuming, options);
    const contentType = readHeader(response, 'content-type') ?? '';
    return { ...stored, contentType, url: end.href };
  } catch (error) {
    await rm(options.path, { force: true });
    options.signal.throwIfAborted();
    const { code } = error as NodeJS.ErrnoException;
    if (unrouted.has(code) && !(await hasRoute()))
      throw new NetworkDown('no route', { cause: error });
    throw explainConnectionError(error, at, hasBegun);
  } finally {
    clearTimeout(timer);
    resuming.stop();
    void agent.destroy();
  }
}
