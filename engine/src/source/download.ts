import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm, statfs } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { awakeTimer } from './awake-timer.ts';
import { guardedConnection, PrivateAddress, type Resolve } from './guarded-connection.ts';

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
const connectTimeoutMs = 15_000;
const defaultIdleMs = 30_000;
const silent = 'stopped sending data. Check that the server is up, then try again';
const defaultDownloadMs = 2 * 60 * 60 * 1000;
/**
 * Minimum bytes in each pace window. A slow body would hold its place and file for ever, but never
 * be idle.
 */
const minPaceBytes = 256 * 1024;
/** Free disk space is checked again after this many bytes. */
const spaceCheckBytes = 32 * 1024 * 1024;
/** Disk space that stays free for everything else. */
const reservedBytes = 512 * 1024 * 1024;

/** An address that may be shown: without its query, which often contains a signature. */
const shownUrl = (url: string): string =>
  URL.canParse(url) ? new URL(url).origin + new URL(url).pathname : 'the address';

const privateAddress = (host: string) =>
  new DownloadError(
    'private-address',
    `${host} is on a private or reserved network, but this service only downloads from public addresses. ` +
      'Put the file on a public address, or ask the service’s operator to set CLIP_ALLOW_PRIVATE_SOURCES=1.',
  );

function open(url: URL, options: DownloadOptions): Promise<http.IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const { get } = url.protocol === 'https:' ? https : http;
  const request = get(
    url,
    {
      ...guardedConnection(url, options),
      signal: options.signal,
      headers: { 'accept-encoding': 'identity', accept: '*/*', 'user-agent': 'clip-service' },
    },
    resolve,
  );
  const gone = (what: string) => () =>
    request.destroy(new DownloadError('unreachable', `${url.host} ${what}.`));
  const timers = [
    awakeTimer(
      connectTimeoutMs,
      gone('did not answer within 15 seconds. Check that the server is up, then try again'),
    ),
    awakeTimer(options.idleTimeoutMs ?? defaultIdleMs, gone(silent)),
  ];
  const answered = () => timers.forEach(({ stop }) => stop());
  request.on('response', answered);
  request.on('error', (error) => {
    answered();
    reject(error);
  });
  return promise;
}

/**
 * Checks a redirect and returns its target. Throws if the target drops encryption or contains a
 * password.
 */
export function redirected(from: URL, to: URL): URL {
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

async function follow(start: string, options: DownloadOptions) {
  let url = new URL(start);
  for (let hop = 0; hop <= maxRedirects; hop++) {
    if (!/^https?:$/.test(url.protocol)) {
      throw new DownloadError(
        'unreachable',
        `The address leads to ${url.protocol}, but only http and https are allowed. Use an address that starts with https://.`,
      );
    }
    const response = await open(url, options);
    const status = response.statusCode ?? 0;
    const location = response.headers.location;
    if (status >= 300 && status < 400 && location) {
      response.destroy();
      if (!URL.canParse(location, url)) {
        throw new DownloadError(
          'unreachable',
          `${url.host} redirects to an invalid address. Use the final address of the file.`,
        );
      }
      url = redirected(url, new URL(location, url));
      continue;
    }
    if (status === 200) return { response, url };
    response.destroy();
    throw new DownloadError(
      'unreachable',
      `${shownUrl(url.href)} answered with HTTP status ${status} instead of the file. ` +
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

const tooSlow = (deadlineMs: number) =>
  new DownloadError(
    'too-slow',
    `The download took longer than ${Math.round(deadlineMs / 60_000)} minutes. Use a faster server, or a smaller file.`,
  );

const megabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`;

async function store(
  { response, url }: { response: http.IncomingMessage; url: URL },
  options: DownloadOptions,
) {
  const stated = response.headers['content-length'];
  const length = stated === undefined ? null : Number(stated);
  const tooLarge = () =>
    new DownloadError(
      'too-large',
      `The file is too large. The limit is ${megabytes(options.maxBytes)}. Use a smaller file.`,
    );
  if (length !== null && length > options.maxBytes) throw tooLarge();
  const room = async () => {
    const disk = await statfs(dirname(options.path));
    return disk.bavail * disk.bsize - reservedBytes;
  };
  // The same error code as on a disk that is really full: it is a problem of the machine.
  const noRoom = () => Object.assign(new Error('no room on the disk'), { code: 'ENOSPC' });
  if ((await room()) < (length ?? 0)) throw noRoom();
  const hash = createHash('sha256');
  let bytes = 0;
  let checkedBytes = 0;
  let before = 0;
  const idle = awakeTimer(options.idleTimeoutMs ?? defaultIdleMs, () =>
    response.destroy(new DownloadError('unreachable', `${url.host} ${silent}.`)),
  );
  const pace = awakeTimer(options.paceWindowMs ?? 60_000, () => {
    if (bytes - before < minPaceBytes) {
      response.destroy(
        new DownloadError(
          'unreachable',
          'The server sends the file too slowly. Try again later, or use another server.',
        ),
      );
    }
    before = bytes;
  });
  await pipeline(
    response,
    async function* (pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces) {
        idle.restart();
        bytes += piece.length;
        if (bytes > options.maxBytes) throw tooLarge();
        if (bytes - checkedBytes >= spaceCheckBytes) {
          checkedBytes = bytes;
          if ((await room()) < 0) throw noRoom();
        }
        hash.update(piece);
        if (length) options.onProgress?.(Math.min(1, bytes / length));
        yield piece;
      }
    },
    createWriteStream(options.path),
    { signal: options.signal },
  ).finally(() => {
    idle.stop();
    pace.stop();
  });
  if (length !== null && bytes !== length) throw new DownloadError('truncated', '');
  return { bytes, sha256: hash.digest('hex') };
}

/**
 * Downloads a file over http or https. Each address is checked when the connection is made, also
 * after a redirect (5 at most).
 * Throws {@link DownloadError}, the signal's reason, or an error with the code ENOSPC. The file is
 * removed then.
 */
export async function download(url: string, asked: DownloadOptions): Promise<Downloaded> {
  const deadline = new AbortController();
  const deadlineMs = asked.deadlineMs ?? defaultDownloadMs;
  const timer = setTimeout(() => deadline.abort(tooSlow(deadlineMs)), deadlineMs);
  const options = { ...asked, signal: AbortSignal.any([asked.signal, deadline.signal]) };
  try {
    const opened = await follow(url, options);
    try {
      const stored = await store(opened, options);
      const contentType = opened.response.headers['content-type'] ?? '';
      return { ...stored, contentType, url: opened.url.href };
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? '';
      const cut = ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'EPIPE'].includes(code);
      if (cut || (error instanceof DownloadError && error.fault === 'truncated')) {
        throw new DownloadError(
          'truncated',
          `The connection to ${opened.url.host} ended before the download was complete. Try again.`,
        );
      }
      throw error;
    } finally {
      opened.response.destroy();
    }
  } catch (error) {
    await rm(options.path, { force: true });
    options.signal.throwIfAborted();
    if (error instanceof DownloadError) throw error;
    if (error instanceof PrivateAddress) throw privateAddress(error.host);
    const { code = '', syscall = '' } = error as NodeJS.ErrnoException;
    const local = ['open', 'write', 'statfs', 'fsync'].includes(syscall);
    if (local || !code || code === 'ENOSPC' || code === 'EFBIG') throw error;
    const host = new URL(url).host;
    const reason =
      code === 'ENOTFOUND' || code === 'EAI_AGAIN' ? 'the host name is not known' : code;
    throw new DownloadError(
      'unreachable',
      `Could not connect to ${host} (${reason}). Check that the address is correct and the server is up.`,
    );
  } finally {
    clearTimeout(timer);
  }
}
