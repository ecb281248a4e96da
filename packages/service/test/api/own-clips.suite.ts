import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import {
  editDocumentSchema,
  projectSchema,
  type EditDocument,
  type Project,
} from 'clip-kit/contract';
import { ServiceClient } from 'clip-kit/client';
import { waitFor } from 'clip-testkit/wait-for';
import { assertProblem, fieldsOf, World } from 'clip-testkit/world';

describe('clips that a person adds', () => {
  let world: World;
  let client: ServiceClient;
  let as: string;
  let clip: Project;
  before(async () => {
    world = await World.start();
    ({ as, clip } = await world.library());
    client = new ServiceClient({ baseUrl: `${world.service.url}/v2`, apiKey: world.key });
  });
  after(() => world?.close());

  const editOf = async (id: string): Promise<EditDocument> =>
    editDocumentSchema.parse((await world.get(`/projects/${id}/edit`, { as })).body);
  const ready = (id: string): Promise<EditDocument> =>
    waitFor('the preview', async () => {
      const document = await editOf(id);
      assert.notEqual(document.preview, 'failed');
      return document.preview === 'ready' && document;
    });
  const clips = async (): Promise<Project[]> =>
    (await world.get(`/projects/${clip.folder_id}`, { as })).body.map((one: unknown) =>
      projectSchema.parse(one),
    );

  it('may be any segment of the source of a folder, once for each key', async () => {
    const before = await clips();
    const asked = { start: 1, end: 4.5, name: 'Mine' };
    const options = { onBehalfOf: as, idempotencyKey: randomUUID() };
    const [one, other] = await Promise.all(
      [1, 2].map(() => client.createClip(clip.folder_id!, asked, options)),
    );
    assert.equal(one!.id, other!.id);
    assert.deepEqual(
      (await clips()).map(({ id }) => id),
      [...before.map(({ id }) => id), one!.id],
    );
    assert.deepEqual([one!.name, one!.virality_score, one!.revision], ['Mine', null, 1]);
    const document = await ready(one!.id);
    assert.equal(document.title, 'Mine');
    assert.ok(document.ranges[0]!.start >= 1 && document.ranges.at(-1)!.end <= 4.55);
    assert.equal((await fetch(one!.poster_url!)).status, 200);
    assert.equal((await world.get('/exports', { as })).body.length, 0);
    const unpaid = await client.getAllowance(one!.id, { onBehalfOf: as });
    assert.deepEqual([unpaid.counts, unpaid.allowance, unpaid.refusal], [true, null, null]);
    const started = await world.post(`/projects/${one!.id}/exports`, {}, { as });
    const paid = await client.getAllowance(one!.id, { onBehalfOf: as });
    assert.deepEqual([paid.counts, paid.used], [false, unpaid.used + 1]);
    assert.equal((await world.finishExport(started.body, as)).status, 'ready');
  });

  it('must be 1 to 180 seconds inside the source', async () => {
    const path = `/projects/${clip.folder_id}`;
    for (const [body, status, fields] of [
      [{ start: 1, end: 1.5 }, 422, ['end']],
      [{ start: 0, end: 999 }, 422, ['end', 'end']],
      [{ start: 3, end: 2 }, 400, ['end']],
      [{ start: 'x', end: 2, more: 1 }, 400, ['more', 'start']],
    ] as const) {
      const answer = await world.post(path, body, { as });
      assert.deepEqual([answer.status, fieldsOf(answer)], [status, fields]);
    }
    const stranger = { as: await world.user() };
    const span = { start: 1, end: 4 };
    assertProblem(await world.post(path, span, stranger), 404, 'clip-not-found');
    assertProblem(await world.post('/projects/nothing', span, { as }), 404, 'clip-not-found');
  });

  it('may be a copy of another clip as it is, and go another way from there', async () => {
    const headers = { 'If-Match': '*' };
    const changes = { title: 'First way', dimensions: { width: 64, height: 64 } };
    const path = `/projects/${clip.id}/edit`;
    assert.equal((await world.call('PATCH', path, { changes }, { as, headers })).status, 200);
    const first = await ready(clip.id);
    const options = { onBehalfOf: as, idempotencyKey: randomUUID() };
    const copy = await client.copyClip(clip.id, options);
    assert.equal((await client.copyClip(clip.id, options)).id, copy.id);
    assert.deepEqual([copy.name, copy.revision, copy.folder_id], ['First way', 1, clip.folder_id]);
    const copied = await ready(copy.id);
    assert.deepEqual([copied.changes, copied.edit], [first.changes, first.edit]);
    const other = { changes: { title: 'Other way' } };
    const changed = await world.call('PATCH', `/projects/${copy.id}/edit`, other, { as, headers });
    assert.equal(changed.status, 200);
    assert.equal((await editOf(clip.id)).title, 'First way');
    const gone = await world.call('DELETE', `/projects/${clip.folder_id}/${clip.id}`, undefined, {
      as,
    });
    assert.equal(gone.status, 204);
    assert.equal((await ready(copy.id)).title, 'Other way');
    assertProblem(await world.post(`/projects/${clip.id}/copy`, {}, { as }), 404, 'clip-not-found');
  });
});
