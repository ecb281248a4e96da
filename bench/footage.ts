import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { dimensionsSchema, editingOptionsSchema } from 'clip-kit/contract';
import type { Edit } from '../packages/engine/src/edit.ts';
import { makeClipEdit } from '../packages/engine/src/editing/make-inputs.ts';
import type { IngestedSource } from '../packages/engine/src/facts.ts';
import { pickCandidates } from '../packages/engine/src/moments/candidates.ts';
import { run } from '../packages/engine/src/program/ffmpeg-process.ts';
import { readBenchmarkSeconds } from '../packages/engine/src/render/render.ts';
import { analyse } from '../packages/engine/src/scan/analyse.ts';
import { makeMediaInfo, probe, readStatedDuration } from '../packages/engine/src/source/probe.ts';

const { signal } = new AbortController();

/** The demo's sample, as a file of this machine. */
export const samplePath = fileURLToPath(new URL('../demo/sample/sample.mp4', import.meta.url));

async function readSample(): Promise<IngestedSource> {
  const probed = await probe(samplePath, signal);
  const media = makeMediaInfo(probed, readStatedDuration(probed))!;
  const transcriptPath = samplePath.replace('.mp4', '.vtt');
  return { path: samplePath, transcriptPath, media, sha256: '', bytes: 0 };
}

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

/** Runs a program of this checkout by Node; its processor time includes what it has started. */
export function runTimed(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const time = ['-f', '%U %S', process.execPath, ...args];
  const { status, stdout, stderr } = spawnSync('/usr/bin/time', time, {
    ...{ encoding: 'utf8', maxBuffer: 2 ** 27, env: { ...process.env, ...env } },
  });
  if (status !== 0) throw new Error(stderr);
  const [user = 0, system = 0] = stderr.trim().split('\n').at(-1)!.split(' ').map(Number);
  return { stdout, cpuSeconds: user + system };
}

/** The sample's best clip of about this many seconds, with all default options. */
export async function makeSampleEdit(seconds: number): Promise<Edit> {
  const analysis = await analyse(await readSample(), { signal });
  const length = { min: seconds - 2, max: seconds + 2, target: seconds };
  const [best] = pickCandidates(analysis, { count: 1, ...length });
  if (!best) throw new Error('The sample has no segment of the wanted length.');
  return makeClipEdit(analysis, best, {
    editing: editingOptionsSchema.parse({}),
    dimensions: dimensionsSchema.parse({ width: 1080, height: 1920 }),
  });
}
