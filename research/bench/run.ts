/**
 * Measures the project beside a floor, prints the tables, and writes them to `results.md`. Takes
 * about fifteen minutes.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { benchApi } from './api.ts';
import { benchAnalyse, benchCandidates } from './engine.ts';
import { benchEstimates } from './estimates.ts';
import { sampleFootage } from './footage.ts';
import { benchHeap } from './heap.ts';
import { benchHeld } from './held.ts';
import { benchHostRoute } from './host-route.ts';
import { benchLong } from './long.ts';
import { startServer } from './measured-server.ts';
import { benchMount } from './mount.ts';
import { benchRender } from './render.ts';
import { resultsPage } from './results-page.ts';
import { benchTask } from './task.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const ffmpegVersion = (): string =>
  /ffmpeg version (\d+(?:\.\d+)*)/.exec(
    spawnSync('ffmpeg', ['-version'], { encoding: 'utf8' }).stdout,
  )?.[1] ?? 'unknown';

const began = performance.now();
const [loadBefore = 0] = loadavg();
const say = (line: string): void =>
  console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${line}`);

const directory = await mkdtemp(join(tmpdir(), 'clip-bench-'));
try {
  say('The sample video (made at the first run, kept in .data/bench)');
  const sample = await sampleFootage();
  say('Analysing the sample');
  const { speed, analysis } = await benchAnalyse(sample);
  const candidates = await benchCandidates(sample, directory);
  say('Renders beside bare encodes');
  const renders = await benchRender(sample, analysis, directory);
  say('Five hours of video');
  const long = await benchLong(directory);
  say('Estimates');
  const estimates = await benchEstimates(sample, directory);
  say('A task through the service');
  const service = await startServer('service', { dataDir: join(directory, 'service') });
  try {
    const task = await benchTask(service, sample);
    say('Requests');
    const api = await benchApi(service, task.task.id);
    say('The host beside the same by hand');
    const hostRoute = await benchHostRoute();
    say('Held requests');
    const held = await benchHeld();
    say('Mounting');
    const mount = await benchMount();
    say('Unmounting');
    const heap = await benchHeap();
    const page = resultsPage({
      cores: availableParallelism(),
      loadBefore,
      node: process.versions.node,
      ffmpeg: ffmpegVersion(),
      sampleSeconds: sample.media.duration,
      speed,
      renders,
      candidates,
      long,
      estimates,
      task,
      api,
      hostRoute,
      held,
      mount,
      heap,
    });
    await writeFile(here('results.md'), page);
    say('Done: research/bench/results.md');
    console.log(`\n${page}`);
  } finally {
    await service.stop();
  }
} finally {
  await rm(directory, { recursive: true, force: true });
}
