import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { HttpError } from '../../src/client/errors.ts';
import { ServiceClient } from '../../src/client/service-client.ts';
import { FakeService, type FakeServiceOptions } from 'clip-testkit/fake-service';

async function open(t: TestContext, options?: FakeServiceOptions) {
  const service = await FakeService.open(options);
  t.after(() => service.close());
  const client = new ServiceClient(service);
  const [ann, bob] = [service.world.addUser().id, service.world.addUser().id];
  return { service, client, ann, bob };
}

const status = (expected: number) => (cause: unknown) =>
  cause instanceof HttpError && cause.status === expected;

const video = { source_video_url: 'https://cdn.example/talk.mp4' };

async function patch(url: string, offset: number, body: string): Promise<Response> {
  return fetch(url, {
    method: 'PATCH',
    headers: {
      'Tus-Resumable': '1.0.0',
      'Content-Type': 'application/offset+octet-stream',
      'Upload-Offset': String(offset),
    },
    body,
  });
}

test('an upload takes the bytes of a file at its address, and goes on after a cut', async (t) => {
  const { service, client, ann, bob } = await open(t);
  const onBehalfOf = ann;
  const upload = await client.createUpload({ name: 'talk.mp4', size: 10 }, { onBehalfOf });
  assert.deepEqual([upload.status, upload.protocol, upload.offset], ['open', 'tus', 0]);

  service.cutAfterBytes = 4;
  await assert.rejects(patch(upload.url, 0, '0123456789'));
  service.cutAfterBytes = null;
  assert.equal((await client.getUpload(upload.id, { onBehalfOf })).offset, 4);
  const head = await fetch(upload.url, { method: 'HEAD', headers: { 'Tus-Resumable': '1.0.0' } });
  assert.equal(head.headers.get('Upload-Offset'), '4');
  assert.equal((await patch(upload.url, 0, '0123456789')).status, 409);
  assert.equal((await patch(upload.url, 4, '456789')).status, 204);
  assert.equal((await client.getUpload(upload.id, { onBehalfOf })).status, 'finished');
  assert.equal(String(service.world.uploads.get(upload.id)!.bytes), '0123456789');

  await assert.rejects(client.getUpload(upload.id, { onBehalfOf: bob }), status(404));
  await assert.rejects(client.deleteUpload(upload.id, { onBehalfOf: bob }), status(404));
  const body = { source_video_url: upload.url };
  await assert.rejects(client.createVideoToShorts(body, { onBehalfOf: bob }), status(422));
  await client.createVideoToShorts(body, { onBehalfOf });
  await client.deleteUpload(upload.id, { onBehalfOf });
  await assert.rejects(client.getUpload(upload.id, { onBehalfOf }), status(404));
});

test('a file that is too large is refused before a byte is sent', async (t) => {
  const { client } = await open(t, { maxUploadBytes: 9 });
  await assert.rejects(client.createUpload({ name: 'a', size: 10 }), status(413));
});

test('tasks are listed newest first, page by page, and deleted', async (t) => {
  const { client, ann, bob } = await open(t);
  const onBehalfOf = ann;
  const ids: string[] = [];
  for (const name of ['first', 'second', 'third']) {
    ids.unshift((await client.createVideoToShorts({ ...video, name }, { onBehalfOf })).id);
  }
  const first = await client.listTasks({ limit: 2 }, { onBehalfOf });
  assert.deepEqual(
    first.tasks.map(({ name }) => name),
    ['third', 'second'],
  );
  const last = await client.listTasks({ limit: 2, cursor: first.next! }, { onBehalfOf });
  assert.deepEqual([last.tasks.map(({ id }) => id), last.next], [[ids[2]], null]);
  assert.deepEqual((await client.listTasks({}, { onBehalfOf: bob })).tasks, []);

  await assert.rejects(client.deleteTask(ids[0]!, { onBehalfOf: bob }), status(404));
  await client.deleteTask(ids[0]!, { onBehalfOf });
  await assert.rejects(client.getTask(ids[0]!, { onBehalfOf }), status(404));
});

test('tasks are found by their metadata', async (t) => {
  const { client, ann } = await open(t);
  const onBehalfOf = ann;
  const metadata = { order: '10&01', 'shop.id': 'a b' };
  const { id } = await client.createVideoToShorts({ ...video, metadata }, { onBehalfOf });
  await client.createVideoToShorts({ ...video, metadata: { order: '1' } }, { onBehalfOf });
  const found = await client.listTasks({ metadata }, { onBehalfOf });
  assert.deepEqual(
    found.tasks.map((task) => [task.id, task.metadata]),
    [[id, metadata]],
  );
  assert.deepEqual(
    (await client.listTasks({ metadata: { order: '2' } }, { onBehalfOf })).tasks,
    [],
  );
});

test('a service with only the specification knows neither', async (t) => {
  const { client, ann } = await open(t, { extensions: false });
  const onBehalfOf = ann;
  const { id, name } = await client.createVideoToShorts({ ...video, name: 'n' }, { onBehalfOf });
  assert.equal(name, undefined);
  await assert.rejects(client.listTasks({}, { onBehalfOf }), status(404));
  await assert.rejects(client.deleteTask(id, { onBehalfOf }), status(404));
  await assert.rejects(client.createUpload({ name: 'a', size: 1 }, { onBehalfOf }), status(404));
});
