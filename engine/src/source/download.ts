import { createHash } from 'node:crypto';
import { lookup as dnsLookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import { createWriteStream } from 'node:fs';
import { rm, statfs } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { mayConnect } from './address-guard.ts';

export type DownloadFault = 'unreachable' | 'private-address' | 'too-large' | 'truncated';

/** A download that did not come to its end. `message` is a sentence for a person. */
export class DownloadError extends Error {
  readonly fault: DownloadFault;

  constructor(fault: DownloadFault, message: string) {
    super(message);
    this.name = 'DownloadError';
    this.fault = fault;
  }
}

export interface DownloadOptions {
  /** File that is written; removed on any failure. */
  path: string;
  allowPrivate: boolean;
  maxBytes: number;
  signal: AbortSignal;
  onProgress?: (share: number) => void;
  /** Milliseconds without a byte after which the server counts as gone; 30 000 where left out. */
  idleTimeout?: number;
  /** Milliseconds in which a body must bring 256 kB or end, over and over; 60 000 where left out. */
  paceWindow?: number;
  /** How names become addresses; the system's way where left out. */
  resolve?: Resolve;
}

/** As `dns.lookup` with all addresses. */
type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface Downloaded {
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
  contentType: string;
  /** Address of the last redirect. */
  url: string;
}

const maxRedirects = 5;
const connectTimeout = 15_000;
/** A body that drips keeps a place and a file for ever, though it is never idle. */
const leastBytes = 256 * 1024;
/** Bytes between two looks at the room on the disk. */
const lookEvery = 32 * 1024 * 1024;
/** Room that is left on the disk for everybody else. */
const reservedBytes = 512 * 1024 * 1024;

/** An address as it may be shown: query strings often hold signatures. */
const shownUrl = (url: string): string =>
  URL.canParse(url) ? new URL(url).origin + new URL(url).pathname : 'the address';

const privateAddress = (host: string) =>
  new DownloadError(
    'private-address',
    `${host} is on a private or reserved network, and this service fetches from public addresses only. ` +
      'Put the file on a public address, or let the service’s operator set CLIP_ALLOW_PRIVATE_SOURCES=1.',
  );

const guardedLookup =
  (allowPrivate: boolean, resolve: Resolve): LookupFunction =>
  (hostname, options, callback) => {
    // What is judged here is what is connected to: no second look-up comes in between.
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '');
      if (!addresses.every(({ address }) => mayConnect(address, allowPrivate))) {
        return callback(privateAddress(hostname), '');
      }
      const first = addresses[0];
      if (!first)
        return callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '');
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };

function open(url: URL, options: DownloadOptions): Promise<http.IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>();
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) && !mayConnect(host, options.allowPrivate)) {
    return Promise.reject(privateAddress(host));
  }
  const { get } = url.protocol === 'https:' ? https : http;
  const request = get(
    url,
    {
      agent: false,
      lookup: guardedLookup(options.allowPrivate, options.resolve ?? dnsLookup),
      signal: options.signal,
      headers: { 'accept-encoding': 'identity', accept: '*/*', 'user-agent': 'clip-service' },
    },
    resolve,
  );
  const gone = (what: string) => () =>
    request.destroy(new DownloadError('unreachable', `${url.host} ${what}.`));
  const timer = setTimeout(gone('did not answer within 15 seconds'), connectTimeout);
  request.setTimeout(options.idleTimeout ?? 30_000, gone('sent nothing for too long'));
  request.on('response', () => clearTimeout(timer));
  request.on('error', (error) => {
    clearTimeout(timer);
    reject(error);
  });
  return promise;
}

/** The address that a redirect leads to. Throws where it takes away what the first address had: encryption, or no password. */
export function redirected(from: URL, to: URL): URL {
  if (from.protocol === 'https:' && to.protocol === 'http:') {
    throw new DownloadError(
      'unreachable',
      `${from.host} redirects from https to plain http, which is not followed. Give the address of the file itself.`,
    );
  }
  if (to.username || to.password) {
    throw new DownloadError(
      'unreachable',
      `${from.host} redirects to an address with a password in it, which is not followed.`,
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
        `The address leads to ${url.protocol} — only http and https are fetched.`,
      );
    }
    const response = await open(url, options);
    const status = response.statusCode ?? 0;
    const location = response.headers.location;
    if (status >= 300 && status < 400 && location) {
      response.destroy();
      if (!URL.canParse(location, url)) {
        throw new DownloadError('unreachable', `${url.host} redirects to no valid address.`);
      }
      url = redirected(url, new URL(location, url));
      continue;
    }
    if (status === 200) return { response, url };
    response.destroy();
    throw new DownloadError(
      'unreachable',
      `${shownUrl(url.href)} answered with HTTP status ${status} instead of the file.` +
        (status === 401 || status === 403 ? ' It may need a log-in, or the link has expired.' : ''),
    );
  }
  throw new DownloadError('unreachable', `The address redirects more than ${maxRedirects} times.`);
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`;

async function store(response: http.IncomingMessage, options: DownloadOptions) {
  const stated = response.headers['content-length'];
  const length = stated === undefined ? null : Number(stated);
  const tooLarge = () =>
    new DownloadError(
      'too-large',
      `The file is larger than the ${megabytes(options.maxBytes)} that are taken.`,
    );
  if (length !== null && length > options.maxBytes) throw tooLarge();
  const room = async () => {
    const disk = await statfs(dirname(options.path));
    return disk.bavail * disk.bsize - reservedBytes;
  };
  // The same error as that of a disk that is really full: what lacks is the machine's.
  const noRoom = () => Object.assign(new Error('no room on the disk'), { code: 'ENOSPC' });
  if ((await room()) < (length ?? 0)) throw noRoom();
  const hash = createHash('sha256');
  let bytes = 0;
  let looked = 0;
  let before = 0;
  const pace = setInterval(() => {
    if (bytes - before < leastBytes) {
      response.destroy(new DownloadError('unreachable', 'The server sends the file too slowly.'));
    }
    before = bytes;
  }, options.paceWindow ?? 60_000);
  await pipeline(
    response,
    async function* (pieces: AsyncIterable<Buffer>) {
      for await (const piece of pieces) {
        bytes += piece.length;
        if (bytes > options.maxBytes) throw tooLarge();
        if (bytes - looked >= lookEvery) {
          looked = bytes;
          if ((await room()) < 0) throw noRoom();
        }
        hash.update(piece);
        if (length) options.onProgress?.(Math.min(1, bytes / length));
        yield piece;
      }
    },
    createWriteStream(options.path),
    { signal: options.signal },
  ).finally(() => clearInterval(pace));
  if (length !== null && bytes !== length) throw new DownloadError('truncated', '');
  return { bytes, sha256: hash.digest('hex') };
}

/**
 * Fetches a file over http or https. Each address is checked when it is connected to, also after redirects (5 at most).
 * Throws {@link DownloadError}, the signal's reason, or an error with the code ENOSPC; the file is gone then.
 */
export async function download(url: string, options: DownloadOptions): Promise<Downloaded> {
  try {
    const opened = await follow(url, options);
    try {
      const stored = await store(opened.response, options);
      const contentType = opened.response.headers['content-type'] ?? '';
      return { ...stored, contentType, url: opened.url.href };
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? '';
      const cut = ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'EPIPE'].includes(code);
      if (cut || (error instanceof DownloadError && error.fault === 'truncated')) {
        throw new DownloadError(
          'truncated',
          `The connection to ${opened.url.host} ended before the whole file had come. Try again.`,
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
    const { code = '', syscall = '' } = error as NodeJS.ErrnoException;
    const local = ['open', 'write', 'statfs', 'fsync'].includes(syscall);
    if (local || !code || code === 'ENOSPC' || code === 'EFBIG') throw error;
    const host = new URL(url).host;
    const reason =
      code === 'ENOTFOUND' || code === 'EAI_AGAIN' ? 'is not a known host' : `(${code})`;
    throw new DownloadError(
      'unreachable',
      `No connection to ${host}: ${reason}. Check the address, and that the host is up.`,
    );
  }
}
