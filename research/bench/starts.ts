/**
 * How late the service answers while its process has programs started: none, by a bare `spawn` of
 * the same programs, and as the engine starts them. Only this: `node research/bench/starts.ts`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startServer } from './measured-server.ts';
import type { Starter } from './servers/starting.ts';
import { median } from './statistics.ts';
import { markdownTable } from './table.ts';

const rounds = 3;
const questions = 400;
const pauseMs = 20;
const starters = ['none', 'spawn', 'engine'] as const satisfies readonly Starter[];

interface RoundFigures {
  /** Milliseconds. */
  middle: number;
  late: number;
  /** Processor time of the service's own process, milliseconds a second. */
  cpu: number;
}

/** The value that a share of all do not exceed. */
const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? NaN;

async function measureRound(starter: Starter, dataDir: string): Promise<RoundFigures> {
  const service = await startServer('starting', { dataDir, starter });
  const ask = async (): Promise<number> => {
    const began = performance.now();
    await (await fetch(`${service.url}/livez`)).arrayBuffer();
    return performance.now() - began;
  };
  try {
    for (let at = 0; at < 100; at += 1) await Promise.all([ask(), setTimeout(pauseMs)]);
    const before = await service.usage();
    const began = performance.now();
    // Each at its own time: who waits for the answer before asks none while it is late.
    const asked: Promise<number>[] = [];
    for (let at = 0; at < questions; at += 1) {
      asked.push(ask());
      await setTimeout(pauseMs);
    }
    const ms = await Promise.all(asked);
    const after = await service.usage();
    const seconds = (performance.now() - began) / 1000;
    return {
      middle: quantile(ms, 0.5),
      late: quantile(ms, 0.99),
      cpu: (after.cpu - before.cpu) / 1000 / seconds,
    };
  } finally {
    await service.stop();
  }
}

async function benchStarts(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'clip-starts-'));
  const seen = new Map(starters.map((starter) => [starter, [] as RoundFigures[]]));
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const [starter, figures] of seen) figures.push(await measureRound(starter, dataDir));
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  return markdownTable(
    ['twelve programs a second', '`/livez`, median', '99 %', 'CPU a second'],
    [...seen].map(([starter, figures]) => [
      starter,
      ...(['middle', 'late', 'cpu'] as const).map(
        (name) => `${median(figures.map((one) => one[name])).toFixed(1)} ms`,
      ),
    ]),
  );
}

console.log(await benchStarts());
