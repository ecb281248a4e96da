import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { temporaryDirectory } from 'clip-testkit/media-footage';
import { openDatabase } from '../../src/db/open.ts';
import { callChild, startChild, type ChildService } from '../support/child-service.ts';
import { makeFootage } from 'clip-testkit/footage';
import { heldPrograms, type HeldPrograms } from 'clip-testkit/held-programs';
import { prepareDatabase } from 'clip-testkit/prepared-database';
import { startSourceServer, type SourceServer } from 'clip-testkit/source-server';
import { eventually } from 'clip-testkit/world';

// A drain that waits for long is ended by what it waits for, never by the time.
const long = '3000';

describe('a service that is told to stop', async () => {
  const directory = await temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  let programs: HeldPrograms;
  let sources: SourceServer;
  let service: ChildService;
  let key: string;
  let project: string;
  const start = async (more: Record<string, string> = {}): Promise<void> => {
    service = await startChild({
      DATA_DIR: dataDir,
      PATH: programs.path,
      CLIP_ALLOW_PRIVATE_SOURCES: '1',
      CLIP_CONCURRENCY: '1',
      ...more,
    });
    key = service.apiKey ?? key;
  };
  const call = (method: string, path: string, body?: unknown) =>
    callChild(service, key, method, path, body);
  const task = async (name: string) => {
    const { status, body } = await call('POST', '/tasks/video-to-video', {
      source_video_url: sources.at(name),
      editing_options: {},
      dimensions: { width: 108, height: 192 },
    });
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  };
  const exportInRender = async (): Promise<string> => {
    await programs.pause('render', '-b:a 160k');
    const { body } = await call('POST', `/projects/${project}/exports`, {});
    await programs.reached('render');
    return body.id;
  };
  /** It has been told, and says so. */
  const drainBegun = async (): Promise<void> => {
    await eventually(async () => {
      const answer = await fetch(`${service.url}/readyz`);
      assert.equal(answer.status, 503);
      assert.equal((await answer.json()).reason, 'stopping');
    });
  };
  /** The exports as the process has left them, and the tasks. */
  const left = async () => {
    const { db, close } = await openDatabase({ dataDir });
    const columns = ['id', 'status', 'attempts', 'uncounted_attempts'] as const;
    const exported = await db.selectFrom('exports').select(columns).execute();
    const tasks = await db.selectFrom('tasks').select(columns).execute();
    await db.deleteFrom('exports').where('status', '=', 'processing').execute();
    await close();
    const rows = [...exported, ...tasks];
    return (one: string) => {
      const { status, attempts, uncounted_attempts } = rows.find(({ id }) => id === one)!;
      return [status, attempts, uncounted_attempts];
    };
  };
  before(async () => {
    await prepareDatabase(dataDir);
    const footage = join(directory.path, 'footage');
    await mkdir(footage);
    await makeFootage(footage);
    sources = await startSourceServer(footage);
    programs = await heldPrograms(join(directory.path, 'programs'));
    await start();
    const made = await task('scene.mp4');
    project = made.output_id;
    await eventually(async () => {
      assert.equal((await call('GET', `/tasks/${made.id}`)).body.status, 'ready');
    });
    await service.end('SIGTERM');
  });
  afterEach(() => service.process.kill('SIGKILL'));
  after(async () => {
    await sources.close();
    await directory.remove();
  });

  it('ends what it renders and downloads, takes nothing new, and answers meanwhile', async () => {
    await start({ DRAIN_SECONDS: long });
    const rendered = await exportInRender();
    const downloaded = sources.asked('held/talk.mp4');
    const slow = task('held/talk.mp4');
    await downloaded;
    const ended = service.end('SIGTERM');
    await drainBegun();
    const late = await call('POST', `/projects/${project}/exports`, {});
    assert.equal(late.status, 201, 'it is taken, for another process');
    sources.release('held/talk.mp4');
    const { id } = await slow;
    await programs.resume('render');
    assert.equal(await ended, 0);
    const row = await left();
    assert.deepEqual(row(rendered), ['ready', 1, 0]);
    assert.deepEqual(row(late.body.id), ['processing', 0, 0], 'left to another process');
    assert.equal(row(id)[0], 'processing', 'its scan too');
    assert.equal(sources.requests.filter((path) => path === 'held/talk.mp4').length, 1);
  });

  it('puts back what it renders when the time of the drain is over', async () => {
    await start({ DRAIN_SECONDS: '1' });
    const id = await exportInRender();
    assert.equal(await service.end('SIGTERM'), 0);
    assert.deepEqual((await left())(id), ['processing', 1, 1]);
  });

  it('ends at once without jobs, and with jobs at a second signal', async () => {
    await start({ DRAIN_SECONDS: long });
    assert.equal(await service.end('SIGTERM'), 0);
    await start({ DRAIN_SECONDS: long });
    const id = await exportInRender();
    const ended = service.end('SIGTERM');
    await drainBegun();
    service.process.kill('SIGINT');
    assert.equal(await ended, 0);
    assert.deepEqual((await left())(id), ['processing', 1, 1]);
  });
});
