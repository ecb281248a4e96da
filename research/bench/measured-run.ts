import { run } from '../../packages/engine/src/program/ffmpeg-process.ts';
import { readBenchmarkSeconds } from '../../packages/engine/src/render/render.ts';

const signal = new AbortController().signal;

/**
 * Runs ffmpeg as the engine runs it, and gives its processor time: user and system seconds of all
 * threads, read from the same line (`-benchmark`) as a render's.
 */
export async function ffmpegSeconds(args: readonly string[], cwd: string): Promise<number> {
  let seconds: number | null = null;
  await run('ffmpeg', ['-hide_banner', '-nostdin', '-nostats', '-benchmark', ...args], {
    signal,
    cwd,
    deadlineSeconds: 600,
    onStdout: () => {},
    onStderrLine: (line) => {
      seconds = readBenchmarkSeconds(line) ?? seconds;
    },
  });
  if (seconds === null) throw new Error('ffmpeg did not say how long it took.');
  return seconds;
}
