import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { ensureFirstOrganization } from '../../src/db/accounts.ts';
import { openDatabase, type OpenDatabase } from '../../src/db/open.ts';
import { Estimates } from '../../src/estimates/estimates.ts';
import { prepareDatabase } from '../support/prepared-database.ts';

// The queue as rows: what stands in them is what the estimates are made of.
describe('the estimates of a queue', () => {
  let directory: string;
  let database: OpenDatabase;
  let estimates: Estimates;
  const open = (machine?: string) =>
    Estimates.open(database.db, {
      log: () => {},
      slots: { scan: 1, preview: 1, export: 1 },
      ...(machine !== undefined && { machine }),
    });
  let author: { id: string; organization_id: string };
  let task: string;
  let project: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'clip-estimates-'));
    await prepareDatabase(directory);
    database = await openDatabase({ dataDir: directory });
    await ensureFirstOrganization(database.db, []);
    author = await database.db
      .selectFrom('users')
      .select(['id', 'organization_id'])
      .executeTakeFirstOrThrow();
    estimates = await open();
    task = await addTask('ready', 0);
    project = randomUUID();
    await database.db
      .insertInto('projects')
      .values({
        ...{ id: project, author_id: author.id, task_id: task, folder_id: null, position: 0 },
        ...{ name: 'Clip', virality_score: null, virality_score_explanation: null, edit: '{}' },
        ...{ preview: 'ready' as const, preview_key: null, poster_key: null },
      })
      .execute();
  });
  after(async () => {
    await database?.close();
    await rm(directory, { recursive: true, force: true });
  });
  beforeEach(async () => {
    await database.db.deleteFrom('exports').execute();
  });

  const addTask = async (status: 'processing' | 'ready', work: number): Promise<string> => {
    const id = randomUUID();
    await database.db
      .insertInto('tasks')
      .values({
        ...{ id, type: 'video-to-video', author_id: author.id, request: '{}', source: null },
        ...{ output_type: 'project', output_id: randomUUID(), status, stage: 'preview' },
        ...{ share: 0.55, work, failure_code: null, failure_message: null, finished_at: null },
      })
      .execute();
    return id;
  };
  let order = 0;
  const add = async (work = 10): Promise<string> => {
    const id = randomUUID();
    order += 1;
    await database.db
      .insertInto('exports')
      .values({
        ...{ id, organization_id: author.organization_id, author_id: author.id, name: 'Clip' },
        ...{ project_id: project, folder_id: null, duration: 10, watermark: null, style: null },
        ...{ status: 'processing', stage: 'queued', share: 0, work, file_key: null },
        ...{ failure_code: null, failure_message: null, finished_at: null, started_at: null },
        ...{ share_at: null, estimated_ready_at: new Date(), created_at: new Date(order * 1000) },
      })
      .execute();
    return id;
  };
  const change = (id: string, values: object) =>
    database.db.updateTable('exports').set(values).where('id', '=', id).execute();
  /** Seconds from now, to a whole one. */
  const seconds = async (id: string): Promise<number> => {
    const at = (await estimates.read()).get(id);
    assert.ok(at);
    return (at.getTime() - Date.now()) / 1000;
  };
  const sooner = async (ids: readonly string[], act: () => Promise<unknown>): Promise<void> => {
    const before = await Promise.all(ids.map(seconds));
    await act();
    const now = await Promise.all(ids.map(seconds));
    now.forEach((left, index) => assert.ok(left < before[index]! - 1, `${left}, ${before}`));
  };

  it('are later for each export that is queued before, and for none behind', async () => {
    const ids = [await add(), await add(), await add()];
    const left = await Promise.all(ids.map(seconds));
    assert.ok(left[0]! < left[1]! && left[1]! < left[2]!, left.join());
    await add(100);
    const again = await Promise.all(ids.map(seconds));
    again.forEach((now, index) => assert.ok(Math.abs(now - left[index]!) < 0.5));
  });

  it('come nearer for those behind when one fails, or is done', async () => {
    const [first, second, third] = [await add(), await add(), await add()];
    await sooner([second, third], () => change(first, { status: 'error' }));
    await sooner([third], () => change(second, { status: 'ready' }));
  });

  it('follow the pace of the render, for those behind too', async () => {
    const [first, second] = [await add(), await add()];
    const began = (ago: number) => new Date(Date.now() - ago * 1000);
    const pace = { stage: 'render', started_at: began(4), share_at: new Date(), share: 0.5 };
    await change(first, pace);
    await sooner([first, second], () => change(first, { share: 0.9 }));
    // As far after ten times as long: it is slower than was thought.
    const before = [await seconds(first), await seconds(second)];
    await change(first, { ...pace, share: 0.5, started_at: began(60) });
    assert.ok((await seconds(first)) > before[0]! + 5);
    assert.ok((await seconds(second)) > before[1]! + 5);
  });

  it('know that time has gone since the share was told, and never lie in the past', async () => {
    const one = await add();
    await change(one, { stage: 'render', started_at: new Date(0), share_at: new Date(0) });
    const left = await seconds(one);
    assert.ok(left > 0.5 && left < 5, String(left));
  });

  it('count the previews that are made beside them', async () => {
    const one = await add();
    const alone = await seconds(one);
    const other = await addTask('processing', 50);
    const preview = { task_id: other, preview: 'preparing' as const, work: 50, position: 1 };
    const back = { task_id: task, preview: 'ready' as const, work: 0, position: 0 };
    const change = (values: typeof preview | typeof back) =>
      database.db.updateTable('projects').set(values).where('id', '=', project).execute();
    await change(preview);
    assert.ok((await seconds(one)) > alone * 1.3);
    assert.ok((await seconds(other)) > alone);
    await change(back);
    await database.db.deleteFrom('tasks').where('id', '=', other).execute();
  });

  it('take a copy for what it is', async () => {
    const [copy, next] = [await add(1000), await add(1)];
    await change(copy, { copied: true });
    assert.ok((await seconds(copy)) < 3);
    assert.ok((await seconds(next)) < 5);
  });

  it('learn from each render, also those before a restart', async () => {
    const one = await add();
    const guessed = await seconds(one);
    for (let index = 0; index < 4; index += 1) {
      await estimates.measured({
        ...{ source: task, quality: 'export', work: 10, cpu: 40, seconds: 40, concurrency: 1 },
      });
    }
    const learned = await seconds(one);
    assert.ok(learned > 3 * guessed, `${learned} after ${guessed}`);
    estimates = await open();
    assert.ok(Math.abs((await seconds(one)) - learned) < 0.5);
  });

  it('are another machine’s own where several use the database', async () => {
    const one = await add();
    const left = async (machine: string): Promise<number> => {
      const at = (await (await open(machine)).read()).get(one)!;
      return (at.getTime() - Date.now()) / 1000;
    };
    const known = { source: 'other', quality: 'export' as const, work: 10, seconds: 10 };
    await (await open('fast')).measured({ ...known, cpu: 10, concurrency: 1 });
    await (await open('slow')).measured({ ...known, cpu: 100, seconds: 100, concurrency: 1 });
    assert.ok((await left('slow')) > 5 * (await left('fast')));
  });
});
