import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { IngestedSource } from '../packages/engine/src/facts.ts';
import { run } from '../packages/engine/src/program/ffmpeg-process.ts';
import { readBenchmarkSeconds } from '../packages/engine/src/render/render.ts';
import { makeMediaInfo, probe, readStatedDuration } from '../packages/engine/src/source/probe.ts';

const { signal } = new AbortController();

/** The demo's sample, as a file of this machine. */
export const samplePath = fileURLToPath(new URL('../demo/sample/sample.mp4', import.meta.url));

/** The facts of a video beside its subtitles, if it has some. */
async function readSource(path: string, transcriptPath: string | null): Promise<IngestedSource> {
  const probed = await probe(path, signal);
  const media = makeMediaInfo(probed, readStatedDuration(probed));
  if (!media) throw new Error(`${path} holds no video.`);
  return { path, transcriptPath, media, sha256: '', bytes: (await stat(path)).size };
}

export const readSample = (): Promise<IngestedSource> =>
  readSource(samplePath, samplePath.replace('.mp4', '.vtt'));

/**
 * Runs ffmpeg as the engine does, and returns its processor time: user and system seconds of all
 * threads, from the same line (`-benchmark`) as a render's.
 */
export async function runFfmpeg(args: readonly string[], cwd: string): Promise<number> {
  let seconds: number | null = null;
  await run('ffmpeg', ['-hide_banner', '-nostdin', '-nostats', '-benchmark', ...args], {
    ...{ signal, cwd, deadlineSeconds: 600 },
    onStdout: () => {},
    onStderrLine: (line) => {
      seconds = readBenchmarkSeconds(line) ?? seconds;
    },
  });
  if (seconds === null) throw new Error('ffmpeg did not say how long it took.');
  return seconds;
}
