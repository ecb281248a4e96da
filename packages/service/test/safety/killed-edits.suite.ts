import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import {
  editDocumentSchema,
  editRevisionsSchema,
  projectSchema,
  taskSchema,
  type EditDocument,
} from 'clip-kit/contract';
import { waitFor } from 'clip-testkit/wait-for';
import { callChild, startChild, type ChildService } from '../support/child-service.ts';
import { makeFootage } from 'clip-testkit/footage';
import { randomFrom } from 'clip-testkit/random';
import { finished } from 'clip-testkit/settled';
import { startSourceServer, type SourceServer } from 'clip-testkit/source-server';

let directory: string;
let sources: SourceServer;
let environment: Record<string, string>;
let service: ChildService;
let key: string;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), 'clip-killed-edits-'));
  const footage = join(directory, 'footage');
  await mkdir(footage);
  await makeFootage(footage);
  sources = await startSourceServer(footage);
  environment = { DATA_DIR: join(directory, 'data'), CLIP_ALLOW_PRIVATE_SOURCES: '1' };
  service = await startChild(environment);
  assert.ok(service.apiKey);
  key = service.apiKey;
});
after(async () => {
  await service?.end('SIGKILL');
  await sources?.close();
  await rm(directory, { recursive: true, force: true });
});

const call = (method: string, path: string, body?: unknown) =>
  callChild(service, key, method, path, body);

async function makeClip(): Promise<string> {
  const created = await call('POST', '/tasks/video-to-shorts', {
    source_video_url: sources.at('talk.mp4'),
    target_clip_count: 1,
    min_duration: 3,
    max_duration: 5,
    target_duration: 4,
    dimensions: { width: 96, height: 54 },
  });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const task = await finished('the task', async () =>
    taskSchema.parse((await call('GET', `/tasks/${created.body.id}`)).body),
  );
  assert.equal(task.status, 'ready', JSON.stringify(task.failure));
  const { body } = await call('GET', `/projects/${task.output_id}`);
  return projectSchema.parse(body[0]).id;
}

it('a service killed at any moment of 200 edits loses no revision that it has answered', async () => {
  const random = randomFrom(200);
  const id = await makeClip();
  const path = `/projects/${id}/edit`;
  const read = async (): Promise<EditDocument> =>
    editDocumentSchema.parse((await call('GET', path)).body);
  const change = async (title: string, revision: number): Promise<EditDocument> => {
    const answer = await fetch(`${service.url}/v2${path}`, {
      method: 'PATCH',
      headers: {
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
        'If-Match': `"${revision}"`,
      },
      body: JSON.stringify({ changes: { title } }),
    });
    const body = await answer.json();
    assert.equal(answer.status, 200, JSON.stringify(body));
    return editDocumentSchema.parse(body);
  };
  /** The title of each revision that was answered. */
  const answered = new Map<number, string>();
  let [last, kills, unanswered] = [await read(), 0, 0];
  for (let edit = 1; edit <= 200; edit += 1) {
    const title = `Title ${edit}`;
    if (random() < 0.9) {
      last = await change(title, last.revision);
      answered.set(last.revision, title);
      continue;
    }
    kills += 1;
    const begun = change(title, last.revision).catch(() => null);
    // The moment is what is random: from before the request arrives until after its answer.
    await setTimeout(random() * 25);
    await service.end('SIGKILL');
    const made = await begun;
    service = await startChild(environment);
    const now = await read();
    if (made) {
      answered.set(made.revision, title);
      assert.deepEqual([now.revision, now.title], [made.revision, title], 'it was answered');
    } else {
      unanswered += 1;
      const isKept = now.revision === last.revision + 1;
      assert.equal(now.revision, last.revision + Number(isKept), 'all of the change, or nothing');
      assert.equal(now.title, isKept ? title : last.title);
      if (isKept) answered.set(now.revision, title);
    }
    last = now;
  }
  assert.ok(kills >= 10 && unanswered > 0, `${kills} kills, ${unanswered} without an answer`);
  const { body } = await call('GET', `${path}/revisions`);
  for (const { revision, changes } of editRevisionsSchema.parse(body)) {
    assert.equal(changes.title, answered.get(revision), `revision ${revision}`);
  }
  const preview = await waitFor('the preview', async () => {
    const document = await read();
    return document.preview !== 'preparing' && document.preview;
  });
  assert.equal(preview, 'ready', 'the newest revision has a preview');
});
