import { availableParallelism } from 'node:os';
import { errorText } from 'clip-engine';
import type { LogEntry } from '../config/config.ts';
import type { Db } from '../db/schema.ts';
import { readSetting, writeSetting } from '../db/settings.ts';
import type { Machine } from './forecast.ts';
import { coresOf } from './measured-cores.ts';
import { keptWith, workFactors, type MeasuredRender } from './measured-renders.ts';
import { RunningLoad, type Counted } from './running-load.ts';

/** How fast this machine renders, as its renders have shown; kept in the database over restarts. */
export interface RenderRate {
  /** Processor seconds of a render of `work`. */
  cpu(work: number, of: Pick<MeasuredRender, 'source' | 'quality'>): number;
  /** What the machine gives to the jobs that run. */
  cores(): Pick<Machine, 'single' | 'aggregate'>;
  /**
   * Does something that keeps processors busy: it counts as a job beside the others, but for what it does `elsewhere`. Gives also how
   * it went.
   */
  during<T>(
    work: (elsewhere: Counted['elsewhere']) => Promise<T>,
  ): Promise<{ value: T; seconds: number; concurrency: number }>;
  /** Takes a finished render in. Never rejects: where it cannot be kept it counts until the service ends, and the log says so. */
  measured(render: MeasuredRender): Promise<void>;
}

const isMeasured = (value: unknown): value is MeasuredRender => {
  const one = value as Partial<MeasuredRender> | null;
  return (
    typeof one?.source === 'string' &&
    (one.quality === 'export' || one.quality === 'preview') &&
    [one.work, one.cpu, one.seconds, one.concurrency].every(Number.isFinite)
  );
};

/**
 * Reads what was measured before.
 * @param machine a name of this machine where others use the same database; left out where none does
 */
export const openRenderRate = async (
  db: Db,
  { log, machine }: { log: (entry: LogEntry) => void; machine?: string },
): Promise<RenderRate> => {
  const setting = machine === undefined ? 'measured-renders' : `measured-renders:${machine}`;
  const stored = (await readSetting(db, setting)) as { renders?: unknown } | undefined;
  let renders = Array.isArray(stored?.renders) ? stored.renders.filter(isMeasured) : [];
  let factorOf = workFactors(renders);
  const load = new RunningLoad(() => performance.now() / 1000);
  return {
    cpu: (work, of) => work * factorOf(of),
    cores: () => coresOf(renders, availableParallelism()),
    async during(work) {
      const counted = load.begin();
      try {
        const value = await work(counted.elsewhere);
        return { value, ...counted.end() };
      } finally {
        counted.end();
      }
    },
    async measured(render) {
      renders = keptWith(renders, render);
      factorOf = workFactors(renders);
      try {
        await writeSetting(db, setting, { renders });
      } catch (error) {
        const message = errorText(error);
        log({ event: 'measurement-not-kept', message });
      }
    },
  };
};
