import { open, type FileHandle } from 'node:fs/promises';
import type { MediaInfo, Note } from '../facts.ts';
import { maxPixels } from '../program/input-guard.ts';
import { isOfTheInput, ProcessError } from '../program/process-error.ts';
import {
  findVideoStream,
  makeMediaInfo,
  measurePacketEnd,
  measurePacketRate,
  pictureSize,
  readPixelShape,
  probe,
  type Probed,
  readStartTime,
  readStatedDuration,
} from './probe.ts';
import { isEncrypted } from './encryption.ts';
import { isCutOff } from './mp4-boxes.ts';
import { SourceError, makeTooMuchWorkError } from './source-error.ts';
import { withHeardTracks } from './sound-tracks.ts';

const makeNotVideoError = (what: string) =>
  new SourceError(
    'source-not-video',
    `${what} Use a video file (MP4, MOV, MKV, WebM, MPEG-TS, AVI, FLV, WMV, DV or Ogg), a sound file (MP3, M4A, AAC, WAV, FLAC, Ogg or Opus) or its direct address.`,
  );

/** The number of first bytes of a file that identify its type. */
export const headBytes = 4096;

/**
 * Checks the first bytes of a file: {@link headBytes}, or all that it has. Throws SourceError if it
 * is neither a video nor sound.
 */
export function requireVideo(head: Uint8Array): void {
  const found = detectKind(head);
  if (found.kind === 'video') return;
  if (found.kind === 'playlist') {
    throw new SourceError(
      'source-playlist',
      'The file is a playlist, which only lists other files. Use a video file or its direct address.',
    );
  }
  if (found.kind === 'empty') throw makeNotVideoError('The file is empty.');
  if (found.kind === 'page') throw makeNotVideoError('The file is a web page, not a video.');
  throw makeNotVideoError('The file is neither a video nor sound in a supported format.');
}

async function readHead(file: FileHandle): Promise<Uint8Array> {
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(headBytes), position: 0 });
  return buffer.subarray(0, bytesRead);
}

/** Reads the first {@link headBytes} of a file, or all that it has. */
export async function readFirstBytes(path: string): Promise<Uint8Array> {
  const file = await open(path);
  return readHead(file).finally(() => file.close());
}

/**
 * Reads the first bytes of a file, and what says that it is encrypted. Throws SourceError if it is,
 * or if it is neither a video nor sound.
 */
export async function checkHead(path: string): Promise<void> {
  const file = await open(path);
  try {
    const head = await readHead(file);
    requireVideo(head);
    const found = detectKind(head);
    if (found.kind !== 'video' || !(await isEncrypted(file, found.container))) return;
  } finally {
    await file.close();
  }
  throw new SourceError(
    'source-encrypted',
    'The video is encrypted, so it can only be played with its key. Use a copy without encryption (DRM), then send a new request.',
  );
}

const makeTooManyPixelsError = (width: number, height: number) =>
  new SourceError(
    'source-too-large',
    `The picture has ${width} by ${height} pixels. The limit is ${maxPixels / 1e6} million pixels. Use a smaller version of the video.`,
  );

/** Reads the headers of a file. Throws SourceError if they cannot be read. */
export async function openProbed(path: string, signal: AbortSignal): Promise<Probed> {
  try {
    return await probe(path, signal);
  } catch (error) {
    if (!(error instanceof ProcessError) || !isOfTheInput(error)) throw error;
    if (error.end !== 'failed' && error.end !== 'crashed')
      throw makeTooMuchWorkError('video', error);
    const size = pictureSize.exec(error.stderrTail);
    if (size) throw makeTooManyPixelsError(Number(size[1]), Number(size[2]));
    if (/moov atom not found|truncat|end of file/i.test(error.stderrTail)) {
      throw new SourceError(
        'source-truncated',
        'The video file is incomplete: its index is missing. Upload the whole file again, then send a new request.',
      );
    }
    throw makeNotVideoError('The file looks like a video or sound, but it cannot be read.');
  }
}

/** Seconds in a readable form: `4 h 2 min`, `12 min`, `45 s`. */
function formatDuration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A recording whose end is missing is used if it has this much, in seconds. */
const minCutOffSeconds = 12;

/** Handles an error of a program: packets that cannot be read are as if there were none. */
const ignoreInputErrors =
  <T>(none: T) =>
  (error: unknown): T => {
    if (!(error instanceof ProcessError) || !isOfTheInput(error)) throw error;
    if (error.end !== 'failed' && error.end !== 'crashed')
      throw makeTooMuchWorkError('video', error);
    return none;
  };

/**
 * The real duration of the file: the end of its last packet. The header only says whether some are
 * missing. Its duration counts from the first packet or, if that is later, from 0.
 */
async function measureDuration(
  path: string,
  probed: Probed,
  signal: AbortSignal,
): Promise<{ duration: number; endsEarly: boolean }> {
  const stated = readStatedDuration(probed);
  const startTime = readStartTime(probed);
  const endFrom = (from: number) =>
    measurePacketEnd(path, { from, startTime, signal }).catch(ignoreInputErrors(0));
  const isShort = (end: number) =>
    stated - end - Math.max(0, startTime) > Math.max(2, stated * 0.02);
  const format = probed.format?.format_name ?? '';
  // These have no index, and their headers are a guess from the first packets.
  const isGuess = /^(?:mp3|aac)$/.test(format);
  let real = await endFrom(isGuess ? 0 : stated - 10);
  // Beyond the data, a search may find nothing.
  if (!isGuess && isShort(real)) real = await endFrom(0);
  const isMp4 = /^mov,mp4/.test(format);
  const endsEarly = (!isGuess && isShort(real)) || (isMp4 && (await isCutOff(path)));
  if (endsEarly && real < minCutOffSeconds) {
    const why = isShort(real)
      ? `its header says ${formatDuration(stated)}, but the data ends before that`
      : 'its last part is cut off';
    throw new SourceError(
      'source-truncated',
      `The video file is incomplete: ${why}. Upload the whole file again, then send a new request.`,
    );
  }
  return { duration: real > 0 ? real : stated, endsEarly };
}

/** Lists the notes on a source that can be used. */
export const listSourceNotes = ({ duration, endsEarly }: MediaInfo): Note[] =>
  endsEarly
    ? [
        {
          code: 'source-ends-early',
          message: `The recording ends early: after ${formatDuration(duration)}, the rest of the file is missing. The clips are made from the part that is there. If you have the whole file, use it in a new request.`,
        },
      ]
    : [];

/** The real duration of a file. Throws SourceError if it is incomplete, empty or too long. */
export async function checkDuration(
  path: string,
  probed: Probed,
  { maxSeconds, signal }: { maxSeconds: number; signal: AbortSignal },
): Promise<{ duration: number; endsEarly: boolean }> {
  const found = await measureDuration(path, probed, signal);
  if (found.duration <= 0) throw makeNotVideoError('The file has neither video nor sound.');
  if (found.duration > maxSeconds) {
    throw new SourceError(
      'source-too-long',
      `The video is ${formatDuration(found.duration)} long. The limit is ${formatDuration(maxSeconds)}. Use a shorter video.`,
    );
  }
  return found;
}

/** Maximum ratio of a pixel's sides. Pixels of real (anamorphic) videos are at most about 2:1. */
const maxPixelAspect = 4;

/**
 * Reads what a video file contains. Throws SourceError if the file is damaged, too long or too
 * large, or the signal's reason.
 */
export async function checkMedia(
  path: string,
  probed: Probed,
  options: { maxSeconds: number; signal: AbortSignal },
): Promise<MediaInfo> {
  const video = findVideoStream(probed);
  if (!video) throw makeNotVideoError('The file has neither video nor sound.');
  const { width = 0, height = 0 } = video;
  const shape = readPixelShape(video);
  if (width * height * Math.max(1, shape) > maxPixels) throw makeTooManyPixelsError(width, height);
  if (shape > maxPixelAspect || shape < 1 / maxPixelAspect) {
    throw new SourceError(
      'source-unsupported',
      `The file says that the video's pixels have the shape ${video.sample_aspect_ratio}, which no camera or screen uses. ` +
        'Convert the video to square pixels, then send a new request.',
    );
  }
  const { duration, endsEarly } = await checkDuration(path, probed, options);
  const steady = await measurePacketRate(path, probed, options.signal).catch(
    ignoreInputErrors(null),
  );
  const found = makeMediaInfo(probed, duration, steady);
  if (!found) throw makeNotVideoError('The file has no video.');
  const media = { ...found, ...(endsEarly && { endsEarly }) };
  return withHeardTracks(path, { probed, media, signal: options.signal });
}

/** The kind of a file, from its first bytes. */
type Sniffed =
  | { kind: 'video'; container: string }
  | { kind: 'playlist' }
  | { kind: 'page' }
  | { kind: 'empty' }
  | { kind: 'other' };

const playlistStarts = [
  '#extm3u',
  '#ext-x-',
  'ffconcat version',
  '[playlist]',
  '[reference]',
  '<mpd',
  '<smil',
  '<asx',
  '<playlist',
  '<smoothstreamingmedia',
  'v=0\n',
  'v=0\r',
  'rtsptext',
  'file ',
];

function decodeText(head: Uint8Array): string | null {
  const shown = new TextDecoder('utf-8', { fatal: false }).decode(head.subarray(0, 4096));
  // Nearly every container has a zero byte, and text has none. A UTF-16 playlist has its own mark.
  if (shown.includes('\0') && !(head[0] === 0xff && head[1] === 0xfe)) return null;
  return shown
    .replaceAll('\0', '')
    .replace(/^[\uFEFF\uFFFD\s]+/u, '')
    .toLowerCase();
}

/** Whether bytes begin with the header of an MPEG sound frame: MP3, or AAC in ADTS. */
function isSoundFrame([first = 0, second = 0, third = 0]: Uint8Array): boolean {
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return false;
  const layer = (second >> 1) & 3;
  if (layer === 0) return (second & 0xf0) === 0xf0 && ((third >> 2) & 15) < 13;
  // Version, bit rate and sample rate have values that are not used; FF FE begins UTF-16 text.
  return layer !== 3 && (second & 0x18) !== 8 && third >> 4 < 15 && ((third >> 2) & 3) < 3;
}

/** A container, and what its files have at places of their first bytes. */
type Signature = readonly [container: string, ...parts: (readonly [at: number, text: string])[]];

const signatures: readonly Signature[] = [
  ...['ftyp', 'moov', 'mdat', 'free', 'wide', 'skip', 'pnot'].map(
    (box) => ['mp4', [4, box]] as const,
  ),
  ['matroska', [0, '\x1a\x45\xdf\xa3']],
  ['avi', [0, 'RIFF'], [8, 'AVI']],
  ['wav', [0, 'RIFF'], [8, 'WAVE']],
  ['flac', [0, 'fLaC']],
  ['mp3', [0, 'ID3']],
  ['flv', [0, 'FLV']],
  ['ogg', [0, 'OggS']],
  ['mpeg', [0, '\x00\x00\x01\xba']],
  ['mpegts', [0, 'G'], [188, 'G'], [376, 'G']],
  ['mpegts', [4, 'G'], [196, 'G'], [388, 'G']],
  ['asf', [0, '\x30\x26\xb2\x75\x8e\x66\xcf\x11']],
  ['dv', [0, '\x1f\x07\x00']],
];

/** @param head the first 4096 bytes or more */
export function detectKind(head: Uint8Array): Sniffed {
  if (head.length === 0) return { kind: 'empty' };
  const bytes = Buffer.from(head).toString('latin1');
  const [container] =
    signatures.find(([, ...parts]) => parts.every(([at, text]) => bytes.startsWith(text, at))) ??
    (isSoundFrame(head) ? ['mp3'] : []);
  if (container !== undefined) return { kind: 'video', container };
  const shown = decodeText(head);
  if (shown === null) return { kind: 'other' };
  const body = shown.replace(/^<\?xml[^>]*\?>\s*/, '').replace(/^(?:<!--[\s\S]*?-->\s*)+/, '');
  if (playlistStarts.some((start) => body.startsWith(start))) return { kind: 'playlist' };
  if (/^<!doctype html|^<html|^<head|^<body/.test(body)) return { kind: 'page' };
  return shown.startsWith('<?xml') ? { kind: 'playlist' } : { kind: 'other' };
}
