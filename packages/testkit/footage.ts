import { execFile } from 'node:child_process';
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { keptResult } from './kept-result.ts';

const run = promisify(execFile);

/**
 * Makes a small real video: moving bars, a tone that pauses, optionally with WebVTT speech beside
 * it.
 */
export async function makeVideo(
  path: string,
  options: { seconds: number; width?: number; height?: number; rate?: string; silent?: boolean },
): Promise<void> {
  const { seconds, width = 192, height = 108, rate = '12', silent = false } = options;
  // prettier-ignore
  const sound = [
    '-f', 'lavfi', '-i', `sine=frequency=330:sample_rate=16000:d=${seconds}`,
    '-af', "volume='if(lt(mod(t,4),3.4),0.5,0)':eval=frame", '-c:a', 'aac', '-b:a', '32k',
  ];
  // prettier-ignore
  await run('ffmpeg', [
    '-nostdin', '-hide_banner', '-loglevel', 'error', '-y',
    '-f', 'lavfi', '-i', `testsrc2=s=${width}x${height}:r=${rate}:d=${seconds}`,
    ...(silent ? [] : sound),
    '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '24',
    '-shortest', '-movflags', '+faststart', path,
  ]);
}

/** A transcript of one sentence every four seconds. */
export async function makeTranscript(path: string, sentences: readonly string[]): Promise<void> {
  const cues = sentences.map(
    (text, index) => `00:00:${two(index * 4)}.200 --> 00:00:${two(index * 4 + 3)}.300\n${text}\n`,
  );
  await writeFile(path, `WEBVTT\n\n${cues.join('\n')}`);
}

const two = (value: number): string => String(value).padStart(2, '0');

/** A small picture to lay over a clip. */
export async function makeImage(path: string): Promise<void> {
  // prettier-ignore
  await run('ffmpeg', [
    '-nostdin', '-hide_banner', '-loglevel', 'error', '-y',
    '-f', 'lavfi', '-i', 'color=red:s=24x24', '-frames:v', '1', path,
  ]);
}

async function drawFootage(directory: string): Promise<void> {
  const at = (name: string): string => join(directory, name);
  await Promise.all([
    makeVideo(at('talk.mp4'), { seconds: 16 }),
    makeTranscript(at('talk.vtt'), [
      'Why do most people never finish a race?',
      'The secret is three simple habits, not talent.',
      'First, sleep eight hours every single night.',
      'Second, never train two days without a plan.',
    ]),
    makeVideo(at('scene.mp4'), { seconds: 3 }),
    makeImage(at('logo.png')),
  ]);
}

/** The directory of the suites' footage. */
export const keptFootage = (): Promise<string> =>
  keptResult('footage', ['packages/testkit/footage.ts'], drawFootage);

/** Puts the footage of the suites into a directory. */
export const makeFootage = async (directory: string): Promise<void> =>
  cp(await keptFootage(), directory, { recursive: true });

/** Duration, size and codecs of a file, as ffprobe has them. */
export async function probe(
  path: string,
): Promise<{ width: number; height: number; seconds: number; codecs: string[] }> {
  // prettier-ignore
  const { stdout } = await run('ffprobe', [
    '-v', 'error', '-show_streams', '-show_format', '-of', 'json', path,
  ]);
  const { streams, format } = JSON.parse(stdout) as {
    streams: { codec_name: string; width?: number; height?: number }[];
    format: { duration: string };
  };
  const video = streams.find((stream) => stream.width !== undefined);
  return {
    width: video?.width ?? 0,
    height: video?.height ?? 0,
    seconds: Number(format.duration),
    codecs: streams.map((stream) => stream.codec_name),
  };
}
