import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type {
  OpenExport,
  QueueSnapshot,
  SettledExport,
  Waiting,
} from '../../src/exports/estimate-queries.ts';
import { Forecast } from '../../src/exports/forecast.ts';
import { randomFrom } from 'clip-testkit/random';

const now = 1_000_000_000;
const ago = (seconds: number): Date => new Date(now - seconds * 1000);
const open = (more: Partial<OpenExport> = {}): OpenExport => ({
  ...{ project_id: 'clip', stage: 'queued', share: 0, share_at: null, started_at: null },
  ...{ created_at: ago(0), work: 10, copied: false, turn: 0 },
  ...more,
});
const rendering = (more: Partial<OpenExport> = {}): OpenExport =>
  open({ stage: 'render', started_at: ago(0), ...more });
/** `index`: each ended before the one of a lower index began. */
function settled(
  index: number,
  more: Partial<SettledExport> & { seconds?: number } = {},
): SettledExport {
  const { seconds = 20.5, ...rest } = more;
  const until = now / 1000 - index * 1000;
  return {
    taskId: `t${index}`,
    projectIds: [`p${index}`],
    work: 10,
    from: until - seconds,
    until,
    ...rest,
  };
}
function queue(rows: readonly OpenExport[]): Waiting[] {
  let [jobs, work, copies] = [0, 0, 0];
  return rows.map(({ turn, created_at, ...row }) => {
    jobs += 1;
    if (row.copied) copies += 1;
    else work += row.work;
    return { turn, created_at, jobs, work, copies };
  });
}
const forecast = (more: Partial<QueueSnapshot> = {}): Forecast =>
  new Forecast({ settled: [], running: [], waiting: [], previewPace: null, ...more }, now);
/** Seconds until the export is ready. */
const seconds = (of: Forecast, row = open(), at = now): number =>
  (of.exportReady(row, at)!.getTime() - at) / 1000;
/** As fast as is expected where nothing was settled. */
const usual = [settled(0, { seconds: 6.5 })];
const near = (actual: number, wanted: number, factor = 1.001) =>
  assert.ok(actual / wanted < factor && wanted / actual < factor, `${actual} is not ${wanted}`);

describe('the forecast of an export', () => {
  it('is by its own work while nothing was settled', () => {
    near(seconds(forecast()), 6.5);
    near(seconds(forecast({ previewPace: 0.3 })), 3.5);
    // Previews that waited for others, or for an analysis, say nothing of an export.
    near(seconds(forecast({ previewPace: 3 })), 6.5);
  });

  it('is not known for what waits, while nothing was settled', () => {
    const waiting = queue(Array.from({ length: 10_000 }, () => open()));
    const of = forecast({ running: [rendering()], waiting });
    assert.equal(of.exportReady(open({ turn: 1 }), now), null);
    near((of.readyAlone(open({ turn: 1 }), now).getTime() - now) / 1000, 6.5);
    near(seconds(of, rendering()), 6.5);
    near(seconds(forecast({ settled: usual, running: [rendering()] })), 13);
  });

  it('takes as long for its work as those that were settled', () => {
    near(seconds(forecast({ settled: [settled(0)] })), 20.5);
    near(seconds(forecast({ settled: [settled(0)] }), open({ work: 20 })), 40.5);
  });

  it('is not thrown off by a few that were out of the way', () => {
    const odd = Array.from({ length: 20 }, (_, index) =>
      settled(index, index % 5 === 2 ? { seconds: 900 } : {}),
    );
    near(seconds(forecast({ settled: odd })), 20.5);
  });

  it('knows footage that is dearer than it looks', () => {
    const dear = Array.from({ length: 4 }, (_, index) =>
      settled(index, { taskId: 'dear', projectIds: ['dear', 'its sister'], seconds: 60.5 }),
    );
    const plain = Array.from({ length: 9 }, (_, index) => settled(4 + index));
    const of = forecast({ settled: [...dear, ...plain] });
    near(seconds(of), 20.5);
    near(seconds(of, open({ project_id: 'its sister' })), 60.5, 1.15);
  });

  it('waits for what runs, and for what has lower turns, and for nothing behind', () => {
    const waiting = queue([open(), open({ turn: 1 }), open({ turn: 2 })]);
    const of = forecast({ settled: usual, running: [rendering()], waiting });
    near(seconds(of), 13);
    near(seconds(of, open({ turn: 1 })), 19.5);
    near(seconds(of, open({ turn: 9 })), 32.5);
  });

  it('waits for those of its turn that were started before it', () => {
    const waiting = queue([open({ created_at: ago(9) }), open({ created_at: ago(5) })]);
    const of = forecast({ settled: usual, running: [rendering()], waiting });
    near(seconds(of, open({ created_at: ago(5) })), 19.5);
  });

  it('waits for those that were started since the queue was read', () => {
    const of = forecast({ settled: usual, running: [rendering()] });
    of.add(open({ created_at: ago(1) }));
    near(seconds(of), 19.5);
  });

  it('begins at once while there are more slots than work', () => {
    // Two at the same time: there are two slots.
    const both = [settled(0), settled(0, { taskId: 'other' })];
    near(seconds(forecast({ settled: both, running: [rendering()] })), 20.5);
    assert.ok(seconds(forecast({ settled: both, running: [rendering(), rendering()] })) > 21);
  });

  it('comes nearer while the queue is not read again', () => {
    const of = forecast({ settled: usual, running: [rendering()] });
    near(seconds(of, open(), now + 3000), 10);
  });

  it('takes a copy for what it is', () => {
    near(seconds(forecast(), open({ copied: true, work: 1000 })), 1.3);
    const waiting = queue([open({ copied: true, work: 1000 })]);
    const of = forecast({ settled: usual, running: [rendering()], waiting });
    near(seconds(of, open({ turn: 1 })), 14.3);
  });

  it('follows its own pace the more, the further it is', () => {
    // Twice as dear as its work says.
    const left = [0.1, 0.5, 0.9].map((share) => {
      const row = rendering({ share, started_at: ago(13 * share), share_at: ago(0) });
      return seconds(forecast(), row) / (13 * (1 - share));
    });
    assert.ok(left[0]! < left[1]! && left[1]! < left[2]!, left.join());
    assert.ok(left[2]! > 0.85 && left[2]! <= 1.01, left.join());
  });

  it('knows that time has gone since the share was told', () => {
    const row = rendering({ share: 0.5, started_at: ago(22), share_at: ago(2) });
    near(seconds(forecast(), row, now + 1000), seconds(forecast(), row) - 1);
  });

  it('is never less than a second, and later for what has told nothing for long', () => {
    const row = rendering({ share: 0.99, started_at: ago(20), share_at: ago(0) });
    near(seconds(forecast(), row), 1);
    near(seconds(forecast(), rendering({ started_at: ago(155) })), 77.5);
    near(seconds(forecast(), { ...row, started_at: ago(900), share_at: ago(890) }), 445);
  });
});

describe('the forecast of a task', () => {
  it('takes as long for what is left of its previews as the last tasks took, at least a second', () => {
    const ready = (of: Forecast, work: number) => (of.taskReady(work, now).getTime() - now) / 1000;
    near(ready(forecast({ previewPace: 2 }), 10), 20);
    near(ready(forecast(), 10), 6);
    near(ready(forecast({ previewPace: 2 }), 0), 1);
  });
});

/** An export of the simulation: true seconds are known to nobody before it is done. */
interface Job {
  row: OpenExport;
  seconds: number;
  began: number;
  until: number;
}

/** Exports in the order of their turns on many slots. */
function installation(jobs: Job[], slots: number): void {
  const free = Array.from({ length: slots }, () => 0);
  for (const job of jobs) {
    const slot = free.indexOf(Math.min(...free));
    job.began = free[slot]!;
    free[slot] = job.until = job.began + job.seconds;
  }
}

/** The rows of the simulation after `seconds`. */
function snapshotAt(jobs: readonly Job[], at: number): QueueSnapshot {
  const date = (seconds: number) => new Date(now + seconds * 1000);
  const done = jobs.filter(({ until }) => until <= at);
  const waiting = jobs.filter(({ began }) => began > at).map(({ row }) => row);
  return {
    previewPace: null,
    settled: done
      .toSorted((a, b) => b.until - a.until)
      .slice(0, 100)
      .map(({ row, began, until }) => ({
        ...{ taskId: row.project_id, projectIds: [row.project_id], work: row.work },
        ...{ from: now / 1000 + began, until: now / 1000 + until },
      })),
    running: jobs
      .filter(({ began, until }) => began <= at && at < until)
      .map(({ row, began, seconds }) => ({
        ...{ ...row, stage: 'render', started_at: date(began), share_at: date(at) },
        share: (at - began) / seconds,
      })),
    waiting: queue(waiting).filter(
      ({ jobs: count }) =>
        Math.floor(50 * Math.log(count)) !== Math.floor(50 * Math.log(count + 1)),
    ),
  };
}

describe('the forecast of 10,000 exports on 100 workers', () => {
  const random = randomFrom(11);
  const normal = () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
  const jobs = Array.from({ length: 10_000 }, (_, index): Job => {
    const work = 2 - 30 * Math.log(random());
    // Of 500 users, each with its own turns; machines and footage differ by a third.
    const row = open({
      ...{ project_id: `clip ${index}`, work, turn: 60 * Math.floor(index / 500) },
      created_at: new Date(now - 1_000_000 + index),
    });
    const seconds = 0.5 + work * 0.5 * Math.exp(0.3 * normal());
    return { row, seconds, began: 0, until: 0 };
  });
  installation(jobs, 400);

  /** The share of those that wait whose wait is foretold within a factor of 1.5. */
  const withinAt = (at: number): number => {
    const known = new Forecast(snapshotAt(jobs, at), now + at * 1000);
    const waiting = jobs.filter(({ began }) => began > at);
    const good = waiting.filter(({ row, until }) => {
      const estimated = (known.exportReady(row, now + at * 1000)!.getTime() - now) / 1000 - at;
      return estimated / (until - at) < 1.5 && (until - at) / estimated < 1.5;
    });
    return good.length / waiting.length;
  };

  it('is within a factor of 1.5 while most of it waits', () => {
    const end = Math.max(...jobs.map(({ until }) => until));
    for (const share of [0.05, 0.2, 0.5]) {
      const within = withinAt(share * end);
      assert.ok(within > 0.9, `${within} after ${share} of ${end} s`);
    }
  });

  it('is within a factor of 1.5 for the whole queue once the slots are at work', () => {
    const { running } = snapshotAt(jobs, 20);
    assert.equal(running.length, 400);
    assert.ok(withinAt(20) > 0.9);
  });

  it('is some minutes for one more at the end, not days', () => {
    const known = new Forecast(snapshotAt(jobs, 20), now + 20_000);
    const last = Math.max(...jobs.map(({ until }) => until)) - 20;
    near(seconds(known, open({ turn: 9999 }), now + 20_000), last, 1.5);
  });
});
