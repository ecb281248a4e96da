import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { download, DownloadError } from './download.ts';
import { run } from '../program/ffmpeg-process.ts';
import { readInProcess } from '../program/file-reader.ts';
import { decodeGuard, quietStart } from '../program/input-guard.ts';
import { fetchPlatformSubtitles, isPlatformLink } from './platform-link.ts';
import { isOfTheInput, ProcessError } from '../program/process-error.ts';
import { readFirstBytes, detectKind } from './check-file.ts';
import { SourceError, makeTooMuchWorkError } from './source-error.ts';
import type { SubtitleAnswer } from './subtitle-reader.ts';
import { findSubtitlePosition, type Probed } from './probe.ts';
import { getBaseLanguage, parseLanguage } from '../words/language-code.ts';
import { type Cue, TooManyWords } from '../words/subtitles.ts';
import { UnreadableText } from '../words/subtitle-text.ts';

/** Maximum size of a subtitle file. */
export const maxSubtitleBytes = 16 * 1024 * 1024;

const extensions = ['.vtt', '.srt', '.ass', '.ssa', '.sbv', '.ttml'];

/**
 * Addresses where subtitles may be: the video's path with the extension of subtitles in place of
 * its own, first with the wanted language before it (`talk.de.srt`), then behind it
 * (`talk.mp4.srt`).
 */
export function listSubtitleUrls(url: string, language?: string | null): string[] {
  const beside = new URL(url);
  const match = /^(.*\/[^/]+?)(\.[A-Za-z0-9]{2,5})$/.exec(beside.pathname);
  if (!match?.[1]) return [];
  const [, stem, ending = ''] = match;
  const tags = language ? [...new Set([`.${language}`, `.${getBaseLanguage(language)}`])] : [];
  const [common, others] = [extensions.slice(0, 2), extensions.slice(2)];
  return [
    ...[...tags, ''].flatMap((tag) => common.map((extension) => stem + tag + extension)),
    ...common.map((extension) => stem + ending + extension),
    ...others.map((extension) => stem + extension),
  ].map((pathname) => {
    beside.pathname = pathname;
    return beside.href;
  });
}

/**
 * The subtitle files beside a local video, best first: in the wanted language, then without a
 * language in their names (`talk.vtt`, `talk.mp4.vtt`). Only if no language is wanted, others
 * follow (`talk.de.srt`, `talk_de.srt`).
 */
export async function findSubtitlesBeside(path: string, wanted?: string | null): Promise<string[]> {
  const file = basename(path);
  const stem = file.replace(/\.[^.]+$/, '');
  const base = wanted ? getBaseLanguage(wanted) : null;
  const found = (await readdir(dirname(path))).flatMap((name) => {
    const extension = extensions.findIndex((one) => name.toLowerCase().endsWith(one));
    if (extension < 0 || !name.startsWith(stem)) return [];
    const start = name.startsWith(`${file}.`) ? file : stem;
    const rest = name.slice(start.length, name.lastIndexOf('.'));
    const tag = /^[._-](.+)$/.exec(rest)?.[1] ?? '';
    const language = tag && parseLanguage(tag);
    if (rest && !language) return [];
    const own =
      base !== null && language !== '' && language !== null && getBaseLanguage(language) === base;
    if (tag && base !== null && !own) return [];
    const exact = own && language === wanted;
    return [{ name, rank: [exact ? 0 : own ? 1 : tag ? 3 : 2, extension, name] as const }];
  });
  return found
    .toSorted(({ rank: a }, { rank: b }) => a[0] - b[0] || a[1] - b[1] || (a[2] < b[2] ? -1 : 1))
    .map(({ name }) => join(dirname(path), name));
}

const makeNotSubtitlesError = (cause?: unknown): SourceError =>
  new SourceError(
    'subtitles-not-text',
    'The file has no subtitles that can be read. Use an SRT, WebVTT, ASS, SBV or TTML file.',
    { cause },
  );

const script = new URL('./subtitle-reader.ts', import.meta.url);

/** The words of a subtitle file. `language`: BCP 47; null if it is not known. */
export interface ReadSubtitles {
  cues: Cue[];
  language: string | null;
}

async function askReader(
  args: string[],
  signal: AbortSignal,
  language: string | null,
): Promise<ReadSubtitles> {
  let answers: SubtitleAnswer[];
  try {
    answers = (await readInProcess({
      script,
      args: [...args, ...(language === null ? [] : [language])],
      signal,
    })) as SubtitleAnswer[];
  } catch (error) {
    if (!(error instanceof ProcessError) || !isOfTheInput(error)) throw error;
    const isBroken = error.end === 'failed' || error.end === 'crashed';
    throw isBroken ? makeNotSubtitlesError(error) : makeTooMuchWorkError('subtitles', error);
  }
  const read: ReadSubtitles = { cues: [], language };
  for (const answer of answers) {
    if ('cues' in answer) for (const cue of answer.cues) read.cues.push(cue);
    else if ('language' in answer) read.language = answer.language;
    else if (answer.fault === 'unreadable') throw new UnreadableText(answer.message);
    else throw new TooManyWords();
  }
  return read;
}

/**
 * Reads a subtitle file, in a process of its own.
 * @param options.language of the speech, if it is known
 * @throws {@link UnreadableText}, {@link TooManyWords}, {@link SourceError} if it is too much work,
 * {@link ProcessError} if the machine is the cause, or the signal's reason
 */
export const readSubtitles = (
  path: string,
  { language, signal }: { language: string | null; signal: AbortSignal },
): Promise<ReadSubtitles> => askReader(['words', path], signal, language);

/**
 * Whether a subtitle file has words. Too many words, and an unknown encoding, also count: the
 * transcriber refuses them later, with a reason.
 */
export async function hasSubtitleWords(path: string, signal: AbortSignal): Promise<boolean> {
  try {
    return (await askReader(['check', path], signal, null)).cues.length > 0;
  } catch (error) {
    if (error instanceof TooManyWords || error instanceof UnreadableText) return true;
    if (error instanceof SourceError) return false;
    throw error;
  }
}

/** Throws {@link SourceError} if the first bytes of a file show that it is not text. */
export function requireText(head: Uint8Array): void {
  const { kind } = detectKind(head);
  if (kind !== 'video' && kind !== 'page') return;
  throw new SourceError(
    'subtitles-not-text',
    `The file is a ${kind === 'page' ? 'web page' : 'video'}, not subtitles. Use an SRT, WebVTT, ASS, SBV or TTML file.`,
  );
}

/**
 * Throws {@link SourceError} if a file that was given as subtitles has no words, or is too much
 * work to read.
 */
export async function requireSubtitles(path: string, signal: AbortSignal): Promise<void> {
  try {
    if ((await askReader(['check', path], signal, null)).cues.length > 0) return;
  } catch (cause) {
    if (cause instanceof TooManyWords) return;
    if (!(cause instanceof UnreadableText)) throw cause;
    throw new SourceError('subtitles-not-text', cause.message, { cause });
  }
  throw makeNotSubtitlesError();
}

/**
 * Fetches the subtitles that were given for a source to `directory`.
 * @returns the file's path
 */
export async function fetchSubtitles(
  url: string,
  options: { directory: string; allowPrivate: boolean; signal: AbortSignal },
): Promise<string> {
  const path = join(options.directory, 'transcript');
  try {
    await download(url, { ...options, path, maxBytes: maxSubtitleBytes, idleTimeoutMs: 10_000 });
  } catch (error) {
    if (!(error instanceof DownloadError)) throw error;
    throw new SourceError(`subtitles-${error.fault}`, error.message, { cause: error });
  }
  await requireSubtitles(path, options.signal);
  return path;
}

/**
 * Writes the subtitles inside a source to `directory`.
 * @returns the file's path, or null if no subtitles can be used
 */
export async function extractSubtitles(
  source: string,
  probed: Probed,
  {
    directory,
    language,
    signal,
  }: { directory: string; language?: string | null | undefined; signal: AbortSignal },
): Promise<string | null> {
  const position = findSubtitlePosition(probed, language);
  if (position === null) return null;
  const path = join(directory, 'transcript.vtt');
  const map = `0:s:${position}`;
  try {
    await run(
      'ffmpeg',
      [...quietStart, ...decodeGuard, '-i', source, '-map', map, '-f', 'webvtt', '-y', path],
      // The same size limit as for a subtitle file beside the source.
      { signal, deadlineSeconds: 600, limits: { fileBytes: maxSubtitleBytes } },
    );
    if (await hasSubtitleWords(path, signal)) return path;
  } catch (error) {
    if (!(error instanceof ProcessError) || !isOfTheInput(error)) throw error;
  }
  await rm(path, { force: true });
  return null;
}

/**
 * Looks for a transcript beside the source, then inside it. If the server has none, or answers with
 * a page, the source has no transcript: that is not an error. A text file that has no words stays
 * the transcript if there is no other: its reader says why it cannot be used.
 * @returns the file's path, or null
 */
export async function findTranscript(
  url: string,
  source: string,
  probed: Probed,
  options: { allowPrivate: boolean; language?: string | null | undefined; signal: AbortSignal },
): Promise<string | null> {
  const directory = dirname(source);
  const { language, signal } = options;
  if (isPlatformLink(url)) {
    const path = await fetchPlatformSubtitles(url, { ...options, directory });
    if (path && (await hasSubtitleWords(path, signal))) return path;
    if (path) await rm(path);
    return extractSubtitles(source, probed, { directory, language, signal });
  }
  let unusable: string | null = null;
  let usable: string | null = null;
  for (const [at, beside] of listSubtitleUrls(url, language).entries()) {
    const path = join(directory, `transcript-${at}${extname(new URL(beside).pathname)}`);
    try {
      await download(beside, {
        path,
        allowPrivate: options.allowPrivate,
        maxBytes: maxSubtitleBytes,
        signal,
        idleTimeoutMs: 10_000,
      });
    } catch (error) {
      if (!(error instanceof DownloadError)) throw error;
      continue;
    }
    usable = (await hasSubtitleWords(path, signal)) ? path : null;
    if (usable) break;
    const { kind } = detectKind(await readFirstBytes(path));
    if (unusable === null && kind !== 'video' && kind !== 'page') unusable = path;
    else await rm(path);
  }
  usable ??= await extractSubtitles(source, probed, { directory, language, signal });
  if (usable && unusable) await rm(unusable);
  return usable ?? unusable;
}
