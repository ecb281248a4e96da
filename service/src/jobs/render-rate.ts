import { availableParallelism } from 'node:os';
import type { Kysely } from 'kysely';
import type { Database } from '../db/schema.ts';
import { readSetting, writeSetting } from '../db/settings.ts';
import type { Machine } from './forecast.ts';
import { coresOf, keptRenders, workFactor, type MeasuredRender } from './measured-renders.ts';
import { RunningLoad } from './running-load.ts';

/** How fast this machine renders, as its renders have shown; kept in the database over restarts. */
export interface RenderRate {
  /** Processor seconds of a render of `work`. */
  cpu(work: number, of: Pick<MeasuredRender, 'source' | 'quality'>): number;
  /** What the machine gives to the jobs that run. */
  cores(): Pick<Machine, 'alone' | 'together'>;
  /** Does something that keeps processors busy: it counts as a job beside the others. Gives also how it went. */
  during<T>(work: () => Promise<T>): Promise<{ value: T; seconds: number; beside: number }>;
  /** Takes a finished render in. */
  measured(render: MeasuredRender): Promise<void>;
}

const isMeasured = (value: unknown): value is MeasuredRender => {
  const one = value as Partial<MeasuredRender> | null;
  return (
    typeof one?.source === 'string' &&
    (one.quality === 'export' || one.quality === 'preview') &&
    [one.work, one.cpu, one.seconds, one.beside].every(Number.isFinite)
  );
};

const setting = 'measured-renders';

export const openRenderRate = async (db: Kysely<Database>): Promise<RenderRate> => {
  const stored = (await readSetting(db, setting)) as { renders?: unknown } | undefined;
  let renders = Array.isArray(stored?.renders) ? stored.renders.filter(isMeasured) : [];
  const load = new RunningLoad(() => performance.now() / 1000);
  return {
    cpu: (work, of) => work * workFactor(renders, of),
    cores: () => coresOf(renders, availableParallelism()),
    async during(work) {
      const end = load.begin();
      try {
        const value = await work();
        return { value, ...end() };
      } finally {
        end();
      }
    },
    async measured(render) {
      renders = [...renders, render].slice(-keptRenders);
      await writeSetting(db, setting, { renders });
    },
  };
};
