import type { Span } from 'clip-engine';
import { sql } from 'kysely';
import { deleteJobs } from '../queue/queries.ts';
import type { Queue } from '../queue/queue.ts';
import { databaseNow } from '../db/database-now.ts';
import type { Db, FilmRow, MadeFilm, ProjectRow, Trx } from '../db/schema.ts';
import { lockTurns, takeTurns } from '../queue/turn-queries.ts';
import { updateAs, type Attempt } from '../queue/attempt-queries.ts';

/** The film of a clip; undefined if none was asked for. */
export const readFilm = (db: Db, id: string): Promise<FilmRow | undefined> =>
  db.selectFrom('films').selectAll().where('id', '=', id).executeTakeFirst();

/** Whether a film shows the span, or is about to. */
export const showsSpan = ({ status, span }: FilmRow, { start, end }: Span): boolean =>
  status === 'processing' ||
  (status === 'ready' && span.start <= start + 1e-3 && span.end >= end - 1e-3);

/** Starts the film of a clip, unless there is one that shows the span. Gives the film. */
export const startFilm = (
  db: Db,
  queue: Pick<Queue, 'send'>,
  { id, author_id }: Pick<ProjectRow, 'id' | 'author_id'>,
  span: Span,
): Promise<FilmRow | undefined> =>
  db.transaction().execute(async (trx: Trx) => {
    // One call at a time; and the user before the row, as everywhere.
    await lockTurns(trx, author_id);
    const known = await readFilm(trx, id);
    if (known && showsSpan(known, span)) return known;
    const [turn] = await takeTurns(trx, 'films', author_id, 1);
    const waiting = {
      author_id,
      turn: turn!,
      span: JSON.stringify(span),
      status: 'processing' as const,
      stage: 'queued',
      share: 0,
      failure_code: null,
      failure_message: null,
      finished_at: null,
    };
    const clip = trx
      .selectFrom('projects')
      .select('id')
      .where('id', '=', id)
      .forKeyShare()
      .executeTakeFirst();
    // Deleted meanwhile.
    if (!(await clip)) return undefined;
    const film = await trx
      .insertInto('films')
      .values({ id, ...waiting })
      .onConflict((row) =>
        row
          .column('id')
          .doUpdateSet((to) => ({ ...waiting, given_back: to.ref('films.attempts') })),
      )
      .returningAll()
      .executeTakeFirstOrThrow();
    await deleteJobs(trx, 'film', [id]);
    await queue.send('film', { id, turn: turn!, author_id }, trx);
    return film;
  });

/** The film is ready. Throws `AttemptLost`. */
export const finishFilm = (db: Db, attempt: Attempt, made: MadeFilm): Promise<unknown> =>
  updateAs(db, attempt, {
    status: 'ready',
    share: 1,
    made: JSON.stringify(made),
    finished_at: databaseNow,
  });

/**
 * Forgets the films of clips that can no longer be rendered. Gives the prefixes of their files.
 */
export async function forgetFilms(trx: Trx, taskIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ prefix: string }>`
    delete from films using projects join tasks on tasks.id = projects.task_id
      where films.id = projects.id and tasks.id = any(${taskIds}::text[])
        and tasks.source is null and projects.stretch is null
      returning 'films/' || films.id as prefix`.execute(trx);
  return rows.map(({ prefix }) => prefix);
}
