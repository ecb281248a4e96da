import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { ServiceClient } from 'clip-kit/client';
import { type Bumper, editDocumentSchema, type Export, type Project } from 'clip-kit/contract';
import { ffmpeg, temporaryDirectory } from 'clip-testkit/media-footage';
import { probe } from 'clip-testkit/footage';
import { assertProblem, fieldsOf, World } from 'clip-testkit/world';
import { waitFor } from 'clip-testkit/wait-for';
import { spanEdit } from 'clip-testkit/span-edit';
import { deleteMedia, insertMedia } from '../../src/appearance/media-queries.ts';
import { startExport } from '../../src/exports/start-export.ts';
import { jobWorld } from '../support/job-world.ts';

describe('the bumpers of an organization', () => {
  let world: World;
  let as: string;
  let video: Buffer;
  let picture: Buffer;
  before(async () => {
    world = await World.start({ editQuietSeconds: 0 });
    as = await world.user();
    const directory = await temporaryDirectory();
    const [path, card] = [`${directory.path}/intro.mp4`, `${directory.path}/card.png`];
    await ffmpeg(['-f', 'lavfi', '-i', 'color=red:s=180x320:r=25', '-t', '1.2', path]);
    await ffmpeg(['-f', 'lavfi', '-i', 'color=lime:s=180x320', '-frames:v', '1', card]);
    [video, picture] = [await readFile(path), await readFile(card)];
    await directory.remove();
  });
  after(() => world?.close());

  const send = (
    bytes: Uint8Array,
    { query = 'name=Sting', headers = {} }: { query?: string; headers?: object } = {},
  ): Promise<Response> =>
    world.request(`/v2/bumpers?${query}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${world.key}`, 'Content-Type': 'video/mp4', ...headers },
      body: Uint8Array.from(bytes),
    });
  const png = { 'Content-Type': 'image/png' };
  const add = async (...given: Parameters<typeof send>): Promise<Bumper> => {
    const answer = await send(...given);
    assert.equal(answer.status, 201);
    return (await answer.json()) as Bumper;
  };
  const addCard = (name = 'Card') =>
    add(picture, { query: `name=${name}&seconds=2`, headers: png });
  const list = (): Promise<Bumper[]> =>
    new ServiceClient({ baseUrl: `${world.service.url}/v2`, apiKey: world.key }).listBumpers();
  const remove = (id: string) => world.call('DELETE', `/bumpers/${id}`);

  it('are added once for a key, listed and deleted', async () => {
    const headers = { 'Idempotency-Key': 'bumper-0001' };
    const first = await add(video, { headers });
    assert.deepEqual(await add(video, { headers }), first);
    assert.deepEqual([first.name, first.seconds], ['Sting', 1.2]);
    const card = await addCard();
    assert.equal(card.seconds, 2);
    assert.deepEqual(await list(), [card, first]);
    assert.deepEqual((await world.get('/music')).body, [], 'they are no music');
    assertProblem(await world.call('DELETE', `/music/${card.id}`), 404, 'not-found');
    assert.deepEqual((await world.get('/bumpers', { as })).body, [card, first]);
    for (const { id } of [first, card]) assert.equal((await remove(id)).status, 204);
    assert.deepEqual(await list(), []);
    assertProblem(await remove(first.id), 404, 'not-found');
    const events = world.log.map(({ event }) => String(event));
    const logged = events.filter((event) => event.startsWith('bumper-'));
    assert.deepEqual([...new Set(logged)], ['bumper-added', 'bumper-deleted']);
  });

  it('are refused if they are no videos or pictures, or exceed a limit', async () => {
    const statusOf = async (...given: Parameters<typeof send>) => (await send(...given)).status;
    assert.equal(await statusOf(Buffer.from('<!doctype html>')), 422);
    assert.equal(await statusOf(video.subarray(0, 500)), 422);
    assert.equal(await statusOf(video, { headers: { 'Content-Type': 'text/plain' } }), 415);
    assert.equal(await statusOf(video, { query: 'name=Sting&seconds=2' }), 422);
    assert.equal(await statusOf(Buffer.alloc(50 * 1024 * 1024 + 1)), 413);
    for (const seconds of ['0', '11', '1.5', 'x']) {
      const query = `name=Card&seconds=${seconds}`;
      assert.equal(await statusOf(picture, { query, headers: png }), 400, seconds);
    }
    assert.equal(await statusOf(picture, { query: 'seconds=2', headers: png }), 400);
    const refused = await (await send(Buffer.from('#EXTM3U\n/etc/passwd'))).json();
    const { reason, detail } = refused as { reason: string; detail: string };
    assert.equal(reason, 'bumper-invalid');
    assert.match(detail, /^The file cannot be read as a video or a picture\. .*\.$/);
    assert.deepEqual(await list(), []);
  });

  const path = (clip: Project) => `/projects/${clip.id}/edit`;
  const patch = (clip: Project, changes: object) =>
    world.call('PATCH', path(clip), { changes }, { as, headers: { 'If-Match': '*' } });
  const read = async (clip: Project) =>
    editDocumentSchema.parse((await world.get(path(clip), { as })).body);
  const change = async (clip: Project, changes: object) => {
    const { status, body } = await patch(clip, changes);
    assert.equal(status, 200, JSON.stringify(body));
    return editDocumentSchema.parse(body);
  };
  const exported = async (clip: Project): Promise<Export> => {
    const { body } = await world.post(`/projects/${clip.id}/exports`, {}, { as });
    const made = await world.finishExport(body as Export, as);
    assert.equal(made.status, 'ready', JSON.stringify(made.failure));
    return made;
  };
  it('play in an export of a clip that names them, and stay when they are deleted', async () => {
    const [sting, card] = [await add(video), await addCard()];
    const [clip] = await world.makeShorts(as, { target_clip_count: 1 });
    const { duration } = await read(clip!);
    const before = await exported(clip!);
    const chosen = { intro: { id: sting.id }, outro: { id: card.id } };
    const changed = await change(clip!, chosen);
    assert.deepEqual([changed.intro, changed.outro], [chosen.intro, chosen.outro]);
    assert.equal(changed.duration, duration, 'the clip itself stays as long');
    for (const { id } of [sting, card]) assert.equal((await remove(id)).status, 204);
    const after = await exported(clip!);
    const [plain, whole] = await Promise.all([before, after].map((one) => probe(one.src_url!)));
    assert.ok(Math.abs(whole!.seconds - plain!.seconds - 3.2) < 0.05, `${whole!.seconds} s`);
    // Captions for the file begin after the intro, and the player's with the clip.
    const captions = `/projects/${clip!.id}/files/captions.vtt`;
    const firstCue = (text: string) => /[\d:.]+(?= -->)/.exec(text)![0];
    const file = String((await world.get(captions, { as })).body);
    const shown = await (await world.request(`/player/${clip!.id}/captions.vtt`, {})).text();
    const seconds = (time: string) => Number(time.slice(-6)) + 60 * Number(time.slice(-9, -7));
    const later = seconds(firstCue(file)) - seconds(firstCue(shown));
    assert.ok(Math.abs(later - 1.2) < 0.002, `${later} s later`);
    const none = await change(clip!, { intro: 'none', outro: null });
    assert.deepEqual([none.intro, none.outro], [null, null]);
    const gone = await patch(clip!, { intro: { id: sting.id } });
    assertProblem(gone, 422, 'unprocessable');
    assert.deepEqual([gone.body.reason, fieldsOf(gone)], ['bumper-unknown', ['changes.intro.id']]);
    for (const wrong of ['all', { name: 'Sting' }, { id: card.id, seconds: 2 }]) {
      assert.equal((await patch(clip!, { outro: wrong })).status, 422, JSON.stringify(wrong));
    }
  });

  it('are not in a preview', async () => {
    const sting = await add(video);
    const [clip] = await world.makeShorts(as, { target_clip_count: 1 });
    await change(clip!, { intro: { id: sting.id } });
    await waitFor('the preview', async () => (await read(clip!)).preview === 'ready');
    const page = await (await world.request(`/player/${clip!.id}`, {})).text();
    const address = /(?:https?:\/\/[^"' ]+)?\/?files\/previews\/[^"' ?]+\.mp4/.exec(page)![0];
    const { seconds } = await probe(new URL(address, `${world.service.url}/`).href);
    assert.ok(Math.abs(seconds - (await read(clip!)).duration) < 0.05);
  });

  it('come with a style preset, and are not music', async () => {
    const [sting, card] = [await add(video, { query: 'name=Own' }), await addCard('Own')];
    const { style } = (await world.get('/style-presets/classic')).body;
    const preset = { id: 'brand', name: 'Brand', description: '' };
    for (const wrong of [{ intro: { id: 'x' } }, { music: { id: sting.id } }]) {
      const refused = await world.post('/style-presets', {
        ...preset,
        style: { ...style, ...wrong },
      });
      assert.deepEqual([refused.status, refused.body.title], [422, refused.body.title]);
      assert.match(refused.body.reason, /^(?:bumper|music)-unknown$/);
    }
    const named = { ...style, intro: { id: sting.id }, outro: { id: card.id } };
    assert.equal((await world.post('/style-presets', { ...preset, style: named })).status, 201);
    assert.equal((await remove(card.id)).body.reason, 'bumper-in-use');
    const [clip] = await world.makeShorts(as, { target_clip_count: 1, style_preset_id: 'brand' });
    const { intro, outro } = await read(clip!);
    assert.deepEqual([intro?.id, outro?.id], [sting.id, card.id]);
    const changed = await world.call('PATCH', '/style-presets/brand', { style: { outro: null } });
    assert.equal(changed.status, 200);
    assert.equal((await remove(card.id)).status, 204);
    assert.equal((await world.call('DELETE', '/style-presets/brand')).status, 204);
  });

  it('are shown by the editor', async () => {
    const card = await addCard('Shown');
    const { clip } = await world.copy();
    const { as: author } = await world.library();
    const token = await world.token(author);
    const get = (path: string) =>
      fetch(`${world.service.url}/embed-api/projects/${clip.id}${path}`, {
        headers: { Authorization: `Bearer ${token}` },
      });
    const { media } = (await (await get('/edit')).json()) as { media: { name: string }[] };
    const shown = media.find(({ name }) => name === 'Shown');
    assert.deepEqual(shown, { id: card.id, kind: 'bumper', name: 'Shown', seconds: 2 });
    const file = await get(`/media/${card.id}`);
    assert.deepEqual([file.status, file.headers.get('content-type')], [200, 'video/mp4']);
  });
});

describe('the media of an organization', () => {
  const world = jobWorld();
  it('are at most 50 of each kind', async () => {
    const { service, user } = world();
    const owner = { organizationId: user.organization_id, admit: async () => {} };
    const add = (kind: 'music' | 'bumper', id: number) =>
      insertMedia(service.db, owner, {
        ...{ id: `${kind}-${id}`, kind, name: 'One' },
        ...{ seconds: 1, bytes: 1, file_key: `media/${kind}-${id}/x` },
      });
    for (const [kind, reason] of [
      ['music', 'too-much-music'],
      ['bumper', 'too-many-bumpers'],
    ] as const) {
      for (let id = 0; id < 50; id++) await add(kind, id);
      await assert.rejects(add(kind, 50), { reason });
    }
    const deleted = { kind: 'bumper', id: 'bumper-0' } as const;
    assert.equal(await deleteMedia(service.db, user.organization_id, deleted), true);
    await add('bumper', 50);
  });
});

describe('the plan of an export with bumpers', () => {
  const world = jobWorld();
  it('counts their seconds, and never a copy', async () => {
    const { service, user } = world();
    const { signal } = new AbortController();
    const row = (id: string, seconds: number) => ({
      ...{ id, organization_id: user.organization_id, kind: 'bumper' as const, name: id },
      ...{ seconds, bytes: 3, file_key: `media/${id}/x.mp4` },
    });
    await service.db
      .insertInto('media')
      .values([row('sting', 1.5), row('card', 4)])
      .execute();
    const named = { intro: { id: 'sting' }, outro: { id: 'card' } };
    const { projects } = await world().addTask([spanEdit(0, 1), { ...spanEdit(0, 1), ...named }]);
    const [plain, whole] = await Promise.all(
      projects.map((clip) => startExport(service, user, clip, { signal })),
    );
    assert.deepEqual([plain!.duration, whole!.duration], [1, 6.5]);
    assert.ok(whole!.work > plain!.work);
    assert.equal(whole!.copied, false);
  });
});
