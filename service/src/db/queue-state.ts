import { sql } from 'kysely';
import { workKinds, type WorkKind } from './queue.ts';
import type { Db } from './schema.ts';

/** The jobs of one kind, of the whole installation. */
export interface QueueState {
  kind: WorkKind;
  waiting: number;
  running: number;
  /** Seconds since the oldest waiting job was made; 0 if none waits. */
  oldestSeconds: number;
}

export async function readQueueState(db: Db): Promise<QueueState[]> {
  const { rows } = await sql<QueueState>`
    select name as kind,
      (count(*) filter (where state <> 'active'))::int as waiting,
      (count(*) filter (where state = 'active'))::int as running,
      coalesce(
        extract(epoch from now() - min(created_on) filter (where state <> 'active')), 0
      )::float8 as "oldestSeconds"
    from pgboss.job
    where name = any(${[...workKinds]}::text[]) and state in ('created', 'retry', 'active')
    group by name
  `.execute(db);
  return workKinds.map(
    (kind) =>
      rows.find((row) => row.kind === kind) ?? { kind, waiting: 0, running: 0, oldestSeconds: 0 },
  );
}
