import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import {
  CommandError,
  CommandUsageError,
  type Command,
  type Row,
} from '../../src/operations/commands/command.ts';
import { insertShare } from '../../src/links/share-queries.ts';
import { linkKeys, privateClips } from '../../src/operations/commands/links.ts';
import { drain, jobs, retry } from '../../src/operations/commands/run.ts';
import {
  keys,
  organizations,
  plans,
  tokenSecret,
  webhooks,
} from '../../src/operations/commands/organizations.ts';
import { hashKey } from '../../src/db/id.ts';
import { createManagedUser, createOrganization, findOwnerByKey } from '../../src/users/queries.ts';
import { users } from '../../src/operations/commands/users.ts';
import { views } from '../../src/operations/commands/views.ts';
import { countViews } from '../../src/views/queries.ts';
import { isDrained } from '../../src/operations/machine-health.ts';
import { removeLater, takeFilesToRemove } from '../../src/storage/queries.ts';
import { openDatabase } from '../../src/db/open.ts';
import { failAttempt, reconcile, writeAs } from '../../src/queue/attempt-queries.ts';
import { settleTokenSecret } from '../../src/users/tokens.ts';
import { readWebhook } from '../../src/webhooks/queries.ts';
import { lockDataDirectory } from '../../src/storage/data-lock.ts';
import { stallMs } from 'clip-testkit/stall-ms';
import { JobWorld } from '../support/job-world.ts';
import { insertExports, insertLibrary, settleExport } from 'clip-testkit/rows';
import { spanEdit } from 'clip-testkit/span-edit';
import { prepareDatabase } from 'clip-testkit/prepared-database';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

describe('the commands of the operator', () => {
  let world: JobWorld;
  before(async () => {
    world = await JobWorld.open();
  });
  after(() => world?.close());

  const run = (command: Command, words: string, options = {}) =>
    command.run(world.service.db, { words: words.split(' ').filter(Boolean), options }, {});
  const rows = async (command: Command, words: string, options = {}): Promise<Row[]> => {
    const told = await run(command, words, options);
    assert.ok(Array.isArray(told), String(told));
    return told as Row[];
  };
  const addOrganization = async (): Promise<{ id: string; key: string }> => {
    const [made] = await rows(organizations, 'create Second');
    return { id: String(made!['id']), key: String(made!['api_key']) };
  };
  const ownerOf = (key: string) => findOwnerByKey(world.service.db, hashKey(key));

  it('make and erase organizations', async () => {
    const { id, key } = await addOrganization();
    assert.equal((await ownerOf(key))?.organization_id, id);
    const listed = await rows(organizations, '');
    assert.deepEqual(
      listed.map(({ name, users }) => [name, users]),
      [
        ['First organization', 1],
        ['Second', 1],
      ],
    );
    await assert.rejects(run(organizations, `erase ${id}`), /Nothing was erased\. Add --yes/);
    await run(organizations, `erase ${id}`, { yes: true });
    assert.equal((await rows(organizations, '')).length, 1);
    await assert.rejects(
      run(keys, id),
      (error: Error) =>
        error instanceof CommandError && /clip-service organizations/.test(error.message),
    );
  });

  it('print how clips were watched, as CSV', async () => {
    const { id } = await addOrganization();
    const { db } = world.service;
    const clip = await insertLibrary(db, { organizationId: id });
    const header = 'project_id,views,muted,second,watched,share';
    assert.equal(await run(views, id), header);
    const unwatched = `${header}\r\n${clip.projectId},0,0,0,0,0`;
    assert.equal(await run(views, `clip ${clip.projectId}`), unwatched);
    const record = { project_id: clip.projectId, begins: true, marks: [0], muted: true };
    await countViews(db, [{ organizationId: id, visitor: 'one', record }]);
    const watched = `${header}\r\n${clip.projectId},1,1,0,1,1`;
    assert.equal(await run(views, id), watched);
    assert.equal(await run(views, `clip ${clip.projectId}`), watched);
    await assert.rejects(run(views, 'clip none'), /There is no clip none/);
    await assert.rejects(run(views, 'clip'), CommandUsageError);
    await run(organizations, `erase ${id}`, { yes: true });
  });

  it('make clips private, and replace what signs their addresses', async () => {
    const { id } = await addOrganization();
    const listed = async () =>
      (await rows(privateClips, '')).find(({ organization }) => organization === id);
    assert.deepEqual(await listed(), {
      organization: id,
      name: 'Second',
      private: false,
      set: false,
    });
    assert.match(String(await run(privateClips, `on ${id}`)), /are private now/);
    assert.deepEqual(await listed(), {
      organization: id,
      name: 'Second',
      private: true,
      set: true,
    });
    await run(privateClips, `default ${id}`);
    assert.equal((await listed())!['set'], false);
    await assert.rejects(run(privateClips, 'maybe'), CommandUsageError);
    const keysOf = (told: Row[]) => told.map(({ key }) => key);
    const first = keysOf(await rows(linkKeys, ''));
    assert.equal(first.length, 2);
    const second = keysOf(await rows(linkKeys, 'replace'));
    assert.deepEqual([second[0], second[2]], [first[1], first[0]]);
    const third = keysOf(await rows(linkKeys, 'replace', { now: true }));
    assert.equal(third.length, 2);
    assert.ok(third.every((key) => !second.includes(key)));
    await assert.rejects(run(linkKeys, '', { now: true }), CommandUsageError);
    await run(organizations, `erase ${id}`, { yes: true });
  });

  /** The tables in whose rows the text stands, with how many rows. */
  const tablesWith = async (text: string): Promise<Map<string, number>> => {
    const { rows: tables } = await sql<{ name: string }>`
      select relnamespace::regnamespace || '.' || relname as name from pg_class
        where relnamespace::regnamespace::text in ('public', 'pgboss')
          and relkind in ('r', 'p') and not relispartition`.execute(world.service.db);
    const found = new Map<string, number>();
    for (const { name } of tables) {
      const { rows: counted } = await sql<{ count: number }>`
        select count(*)::int as count from ${sql.table(name)} as row
          where to_jsonb(row)::text like ${`%${text}%`}`.execute(world.service.db);
      if (counted[0]!.count > 0) found.set(name.replace('public.', ''), counted[0]!.count);
    }
    return found;
  };

  it('list, export and erase users', async () => {
    const { db, queue } = world.service;
    const { id: organizationId } = await addOrganization();
    const owner = (await rows(users, organizationId))[0]!['id'];
    const { id } = await createManagedUser(db, organizationId);
    const library = await insertLibrary(db, { organizationId, userId: id, renderable: true });
    const [ready, queued] = await insertExports(db, library, 2);
    await settleExport(db, ready!);
    await db
      .transaction()
      .execute((trx) => queue.send('export', { id: queued!, turn: 0, author_id: id }, trx));
    await sql`insert into idempotency_keys (user_id, key, request_hash, made_id)
      values (${id}, 'once', 'hash', ${queued})`.execute(db);
    await insertShare(db, { userId: id, kind: 'project', id: library.projectId }, {});
    await sql`insert into clip_host_user values (${`${organizationId}:ann`}, ${id})`.execute(db);
    await sql`insert into clip_host_attempt
      values (${`${organizationId}:ann`}, 'key', 'request', 0, 'started')`.execute(db);

    const listed = await rows(users, organizationId);
    assert.deepEqual(
      listed.map(({ kind, tasks, clips, exports }) => [kind, tasks, clips, exports]),
      [
        ['owner', 0, 0, 0],
        ['managed', 1, 1, 2],
      ],
    );

    const told = await run(users, `export ${id}`);
    assert.ok(typeof told === 'object' && 'json' in told);
    const { tables, files } = told.json as { tables: Record<string, object[]>; files: string[] };
    assert.deepEqual(files.toSorted(), [
      `exports/${ready}/1-a.mp4`,
      `previews/${library.projectId}/1-a.jpg`,
      `previews/${library.projectId}/1-a.mp4`,
    ]);
    // Whatever has the user, or what is the user's, is in the export.
    for (const text of [id, library.taskId, library.projectId, ready!, `${organizationId}:ann`]) {
      for (const [table, count] of await tablesWith(text)) {
        const exported = (tables[table] ?? []).filter((row) => JSON.stringify(row).includes(text));
        assert.equal(exported.length, count, table);
      }
    }

    await assert.rejects(run(users, `erase ${id}`), /Nothing was erased\. Add --yes/);
    await assert.rejects(run(users, `erase ${owner}`, { yes: true }), /organizations erase/);
    assert.ok((await tablesWith(id)).has('pgboss.job'));
    await run(users, `erase ${id}`, { yes: true });
    await assert.rejects(run(users, `export ${id}`), /There is no user/);
    assert.deepEqual(
      [...(await tablesWith(id)).keys()],
      ['source_uses'],
      'how much was used counts for its day',
    );
    assert.deepEqual([...(await tablesWith(`${organizationId}:ann`)).keys()], []);
    assert.equal((await rows(users, organizationId)).length, 1);
  });

  it('show a key when it is made, and never again', async () => {
    const { id, key: first } = await addOrganization();
    const [made] = await rows(keys, `create ${id}`);
    const key = String(made!['api_key']);
    assert.equal((await ownerOf(key))?.organization_id, id);
    const listed = await rows(keys, id);
    assert.equal(listed.length, 2);
    for (const secret of [first, key, hashKey(first), hashKey(key)]) {
      assert.ok(!JSON.stringify(listed).includes(secret));
    }
    assert.match(String(await run(keys, `remove ${listed[0]!['id']}`)), /removed/);
    assert.equal(await ownerOf(first), undefined);
    await assert.rejects(run(keys, `remove ${listed[0]!['id']}`), /There is no stored key/);
  });

  it('change plans, and say what fits', async () => {
    const { id } = await addOrganization();
    const wanted = { plan: 'free', allowance: '3', state: 'paused', weight: '2' };
    assert.deepEqual(await rows(plans, `set ${id}`, wanted), [
      {
        organization: id,
        plan: 'free',
        state: 'paused',
        allowance: 3,
        weight: 2,
        exports: 0,
        clips: 0,
      },
    ]);
    const [changed] = await rows(plans, `set ${id}`, { allowance: 'none' });
    assert.deepEqual([changed!['plan'], changed!['allowance']], ['free', null]);
    await assert.rejects(
      run(plans, `set ${id}`, { plan: 'big' }),
      /--plan must be one of free, paid/,
    );
    await assert.rejects(
      run(plans, `set ${id}`, { weight: '61' }),
      /--weight must be a whole number/,
    );
    assert.ok((await rows(plans, '')).length > 1);
  });

  it('set webhooks, and send again what was given up', async () => {
    const { db } = world.service;
    const { id } = await addOrganization();
    const url = 'https://hooks.example/clips';
    const [first] = await rows(webhooks, `set ${id} ${url}`);
    const [second] = await rows(webhooks, `set ${id} ${url}`, { 'keep-secret': true });
    assert.deepEqual(await readWebhook(db, id), {
      url,
      secrets: [second!['secret'], first!['secret']],
    });
    await sql`insert into webhook_deliveries
      (id, organization_id, webhook_id, type, row_id, status, attempts, problem, finished_at)
      values ('msg_lost', ${id}, ${id}, 'export.ready', 'row', 'failed', 20, 'Lost.', now())`.execute(
      db,
    );
    const [lost] = await rows(webhooks, `failed ${id}`);
    assert.deepEqual([lost!['id'], lost!['attempts'], lost!['problem']], ['msg_lost', 20, 'Lost.']);
    const listed = await rows(webhooks, '');
    assert.ok(!JSON.stringify(listed).includes('whsec_'));
    assert.equal(listed.find(({ organization }) => organization === id)!['failed'], 1);
    assert.deepEqual(await rows(webhooks, 'resend msg_lost msg_none'), [
      { delivery: 'msg_lost', resent: true },
      { delivery: 'msg_none', resent: false },
    ]);
    assert.deepEqual(await rows(webhooks, `failed ${id}`), []);
    await run(webhooks, `remove ${id}`);
    assert.equal(await readWebhook(db, id), undefined);
    await assert.rejects(run(webhooks, `set ${id} ftp://x`), /must be an https address/);
  });

  it('begin again with work that failed, and with nothing else', async () => {
    const { db, queue } = world.service;
    const { projects } = await world.addTask([spanEdit(0, 1)]);
    const [id, other] = [await world.addExport(projects[0]!), await world.addExport(projects[0]!)];
    const failure = { code: 'render-failed', message: 'It failed.' };
    await failAttempt(db, await world.begin('export', id), failure);
    const [failed] = await rows(jobs, 'failed');
    assert.deepEqual(
      [failed!['kind'], failed!['id'], failed!['code']],
      ['export', id, 'render-failed'],
    );
    const outcomes = await rows(retry, `${id} ${other}`);
    assert.match(String(outcomes[0]!['outcome']), /is retried/);
    assert.match(String(outcomes[1]!['outcome']), /has not failed/);
    await reconcile(world.service);
    assert.equal(await queue.isAlive('export', id), true);
    const { status, failure_code, attempts, uncounted_attempts } = await world.exportRow(id);
    assert.deepEqual(
      [status, failure_code, attempts - uncounted_attempts],
      ['processing', null, 0],
    );
    const [, , , exported] = await rows(jobs, '');
    assert.deepEqual([exported!['kind'], exported!['waiting']], ['export', 2]);

    const attempt = await world.begin('export', other);
    await writeAs(db, attempt, (trx) =>
      trx
        .updateTable('exports')
        .set({ watermark: JSON.stringify({ key: 'watermarks/a/b.png' }) })
        .where('id', '=', other)
        .execute(),
    );
    await failAttempt(db, attempt, failure);
    const [marked] = await rows(retry, other);
    assert.match(String(marked!['outcome']), /cannot be retried/);
  });

  it('begin again with a task from its download, unless clips of it were kept', async () => {
    const { db, queue } = world.service;
    const failure = { code: 'processing-failed', message: 'It failed.' };
    const { id } = await world.addTask([]);
    await failAttempt(db, await world.begin('scan', id), failure);
    // The store was away since the task failed.
    await db.transaction().execute((trx) => removeLater(trx, 'tasks', [id]));
    const [again] = await rows(retry, id);
    assert.match(String(again!['outcome']), /is retried/);
    await reconcile(world.service);
    assert.equal(await queue.isAlive('ingest', id), true);
    const left = await takeFilesToRemove(db, 100);
    assert.deepEqual(
      left.filter((prefix) => prefix.startsWith(`sources/${id}`)),
      [`sources/${id}/`],
      'the new source stays',
    );

    const kept = await world.addTask([spanEdit(0, 1)]);
    await db.updateTable('tasks').set({ status: 'error' }).where('id', '=', kept.id).execute();
    const [refused] = await rows(retry, kept.id);
    assert.match(String(refused!['outcome']), /cannot be retried/);
  });

  it('let all workers rest, and work again', async () => {
    await run(drain, '');
    assert.equal(await isDrained(world.service.db), true);
    await run(drain, '', { end: true });
    assert.equal(await isDrained(world.service.db), false);
  });

  it('replace the secret of the tokens without showing it', async () => {
    const { db } = world.service;
    const { secret } = await settleTokenSecret(db);
    const told = await run(tokenSecret, 'replace');
    const replaced = await settleTokenSecret(db);
    assert.equal(replaced.previous?.secret, secret);
    assert.ok(![secret, replaced.secret].some((one) => String(told).includes(one)));
    await run(tokenSecret, 'replace', { now: true });
    assert.equal((await settleTokenSecret(db)).previous, undefined);
  });

  it('refuse what they do not know', async () => {
    for (const [command, words] of [
      [organizations, 'forget'],
      [users, 'export'],
      [users, 'a b'],
      [keys, 'create a b'],
      [plans, 'change'],
      [webhooks, 'set'],
      [jobs, 'all'],
      [retry, ''],
      [drain, 'now'],
      [tokenSecret, ''],
    ] as const) {
      await assert.rejects(run(command, words), CommandUsageError, words);
    }
  });
});

describe('clip-service as a command line', () => {
  let dataDir: string;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'clip-commands-'));
    await prepareDatabase(dataDir);
    const { db, close } = await openDatabase({ dataDir });
    await createOrganization(db, 'First');
    await close();
  });
  after(() => rm(dataDir, { recursive: true }));
  const run = (...words: string[]) => {
    const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir };
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...words], {
      env,
      encoding: 'utf8',
      // One that hangs would stop this process, too.
      timeout: stallMs,
    });
    return { status, stdout, stderr };
  };

  it('prints columns for people and JSON for programs', () => {
    const { status, stdout } = run('plans', '--json');
    assert.equal(status, 0);
    const [plan] = JSON.parse(stdout);
    assert.deepEqual([plan.plan, plan.allowance], ['paid', null]);
    const [head, line] = run('plans').stdout.split('\n');
    assert.match(head!, /^organization +plan +state +allowance/);
    assert.match(line!, new RegExp(`^${plan.organization} +paid +active +- `));
  });

  it('prints JSON for a sweep and a migration, too', () => {
    const path = join(dataDir, 'files', 'exports', 'lost');
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, '1-old.mp4'), 'video');
    const old = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000);
    utimesSync(join(path, '1-old.mp4'), old, old);
    const orphan = { key: 'exports/lost/1-old.mp4', bytes: 5 };
    assert.deepEqual(JSON.parse(run('sweep', '--dry-run', '--json').stdout), [orphan]);
    assert.deepEqual(JSON.parse(run('sweep', '--json').stdout), [orphan]);
    assert.equal(run('sweep').stdout, '0 files with 0 bytes removed.\n');
    const { message } = JSON.parse(run('migrate', '--check', '--json').stdout);
    assert.match(message, /up to date/);
  });

  it('says what to do where it cannot', () => {
    const unlock = lockDataDirectory(dataDir);
    const used = run('keys');
    unlock();
    assert.deepEqual([used.status, used.stdout], [1, '']);
    assert.match(used.stderr, /in use by process \d+\..*stop that process/);
    const wrong = run('keys', '--jsn');
    assert.equal(wrong.status, 1);
    assert.match(wrong.stderr, /--jsn[\s\S]*usage:\n {2}clip-service keys/);
    assert.match(run('retry').stderr, /^usage:\n {2}clip-service retry ID/);
    assert.match(run('retry', '--help').stdout, /^usage:\n {2}clip-service retry ID/);
    assert.match(run('--help').stdout, /clip-service drain --end/);
    const unknown = run('kyes');
    assert.equal(unknown.status, 1);
    assert.match(unknown.stderr, /^There is no command kyes\. Did you mean keys\?/);
    assert.match(run('sweep', '--dry').stderr, /^--dry is not one of --dry-run, --json\.\nusage:/);
  });
});
