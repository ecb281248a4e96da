import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Downloaded } from './download.ts';
import { findProgram, run } from '../program/ffmpeg-process.ts';
import { openGuardedProxy } from './guarded-proxy.ts';
import { isOfTheInput, ProcessError } from '../program/process-error.ts';
import { getBaseLanguage } from '../words/language-code.ts';
import { SourceError } from './source-error.ts';

/** Sites whose links lead to a page with a player, so they cannot be downloaded as a file. */
const platforms = [
  'youtube.com',
  'youtu.be',
  'vimeo.com',
  'dailymotion.com',
  'twitch.tv',
  'tiktok.com',
  'instagram.com',
  'facebook.com',
  'fb.watch',
  'twitter.com',
  'x.com',
  'loom.com',
  'rumble.com',
];

export function isPlatformLink(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, pathname } = new URL(url);
  if (/\.(mp4|mov|m4v|webm|mkv)$/i.test(pathname)) return false;
  return platforms.some((platform) => hostname === platform || hostname.endsWith(`.${platform}`));
}

/** Only protocols that go through the proxy. */
const overHttp = '[protocol~="^(https?|m3u8_native|http_dash_segments)$"]';

/** Arguments for yt-dlp that fetch one video in an MP4. */
// prettier-ignore
const listVideoOptions = (maxBytes: number): string[] => [
  '--format', `bv*${overHttp}[height<=1080]+ba${overHttp}/b${overHttp}[height<=1080]/b${overHttp}`,
  '--merge-output-format', 'mp4', '--max-filesize', String(maxBytes),
];

/** Arguments for yt-dlp that fetch only subtitles: in a language, or in that of the speech. */
// prettier-ignore
const listSubtitleOptions = (language: string | null): string[] => [
  '--skip-download', '--write-subs', '--write-auto-subs', '--sub-format', 'vtt',
  // Other automatic ones are translations.
  '--sub-langs', language ? `${language},${getBaseLanguage(language)},${getBaseLanguage(language)}-orig` : '.*-orig',
];

/**
 * Runs yt-dlp on one video, without local configuration, commands of its own or the extractor that
 * takes any page, and with all of its connections behind the address check.
 */
async function runYtDlp(
  url: string,
  args: readonly string[],
  options: { output: string; allowPrivate: boolean; deadlineSeconds: number; signal: AbortSignal },
): Promise<void> {
  const { output, allowPrivate, ...limits } = options;
  const proxy = await openGuardedProxy(allowPrivate);
  // prettier-ignore
  const common = [
    '--ignore-config', '--no-playlist', '--no-progress', '--no-cache-dir', '--no-exec',
    '--use-extractors', 'all,-generic', '--proxy', proxy.url,
    '--socket-timeout', '30', '--retries', '3', '--output', `${output}.%(ext)s`,
  ];
  await run('yt-dlp', [...common, ...args, '--', url], limits).finally(() => proxy.close());
}

/**
 * Downloads a platform's subtitles with `yt-dlp`. A video without them is not an error.
 * @returns the file's path, or null
 */
export async function fetchPlatformSubtitles(
  url: string,
  options: {
    directory: string;
    allowPrivate: boolean;
    language?: string | null | undefined;
    signal: AbortSignal;
  },
): Promise<string | null> {
  const { directory, allowPrivate, language, signal } = options;
  const output = join(directory, 'transcript');
  try {
    const args = listSubtitleOptions(language ?? null);
    await runYtDlp(url, args, { output, allowPrivate, signal, deadlineSeconds: 300 });
  } catch (error) {
    if (!(error instanceof ProcessError) || !isOfTheInput(error)) throw error;
  }
  const made = (await readdir(directory)).filter((name) => /^transcript\..+\.vtt$/.test(name));
  const [first, ...others] = made.toSorted();
  for (const name of others) await rm(join(directory, name));
  if (first === undefined) return null;
  const path = join(directory, 'transcript.vtt');
  await rename(join(directory, first), path);
  return path;
}

/**
 * Downloads a platform's video with `yt-dlp`.
 * Throws SourceError: `source-unsupported` if yt-dlp is not installed, `source-unreachable` if it
 * fails. Throws ProcessError if the machine is the cause (killed from outside, disk full).
 */
export async function fetchFromPlatform(
  url: string,
  options: {
    path: string;
    allowPrivate: boolean;
    maxBytes?: number;
    downloadMs?: number;
    signal: AbortSignal;
  },
): Promise<Downloaded> {
  const host = new URL(url).hostname;
  if (!findProgram('yt-dlp')) {
    throw new SourceError(
      'source-unsupported',
      `A link to ${host} is a web page. To download its video, the service needs yt-dlp, which is not installed. ` +
        'Use the direct address of a video file, or ask the service’s operator to install yt-dlp.',
    );
  }
  const maxBytes = options.maxBytes ?? 20 * 1024 ** 3;
  try {
    await runYtDlp(url, listVideoOptions(maxBytes), {
      output: options.path,
      allowPrivate: options.allowPrivate,
      signal: options.signal,
      deadlineSeconds: (options.downloadMs ?? 7_200_000) / 1000,
    });
  } catch (error) {
    if (!(error instanceof ProcessError) || !isOfTheInput(error)) throw error;
    throw new SourceError(
      'source-unreachable',
      `The video could not be downloaded from ${host}. It may be private, removed or blocked in the service’s country. Check that it can be watched without a login.`,
      { cause: error },
    );
  }
  const directory = dirname(options.path);
  const start = `${basename(options.path)}.`;
  const made = (await readdir(directory)).find((name) => name.startsWith(start));
  if (!made) {
    throw new SourceError(
      'source-too-large',
      `The video at ${host} is too large, or the link has no video. Use a smaller video or another link.`,
    );
  }
  await rename(join(directory, made), options.path);
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(options.path)) hash.update(chunk as Buffer);
  const { size } = await stat(options.path);
  return { bytes: size, sha256: hash.digest('hex'), contentType: 'video/mp4', url };
}
