import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { ServiceClient } from 'clip-kit/client';
import { editDocumentSchema, type Export, type Music, type Project } from 'clip-kit/contract';
import { ffmpeg, temporaryDirectory } from 'clip-testkit/media-footage';
import { probe } from 'clip-testkit/footage';
import { waitFor } from 'clip-testkit/wait-for';
import { assertProblem, fieldsOf, World } from 'clip-testkit/world';
import { removeDeleted } from '../../src/appearance/queries.ts';
import { jobWorld } from '../support/job-world.ts';
import { findNeededFiles } from '../../src/storage/queries.ts';
import { spanEdit } from 'clip-testkit/span-edit';

describe('the music of an organization', () => {
  let world: World;
  let as: string;
  let tune: Buffer;
  before(async () => {
    world = await World.start({ editQuietSeconds: 0 });
    as = await world.user();
    const directory = await temporaryDirectory();
    const path = `${directory.path}/tune.mp3`;
    await ffmpeg(['-f', 'lavfi', '-i', 'sine=f=5000:r=44100', '-t', '3', path]);
    tune = await readFile(path);
    await directory.remove();
  });
  after(() => world?.close());

  const send = (
    bytes: Uint8Array,
    { name = 'Upbeat', headers = {} }: { name?: string; headers?: Record<string, string> } = {},
  ): Promise<Response> =>
    world.request(`/v2/music?name=${encodeURIComponent(name)}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${world.key}`, 'Content-Type': 'audio/mpeg', ...headers },
      body: Uint8Array.from(bytes),
    });
  const add = async (name: string): Promise<Music> => {
    const answer = await send(tune, { name });
    assert.equal(answer.status, 201);
    return (await answer.json()) as Music;
  };
  const list = (): Promise<Music[]> =>
    new ServiceClient({ baseUrl: `${world.service.url}/v2`, apiKey: world.key }).listMusic();
  const remove = (id: string) => world.call('DELETE', `/music/${id}`);

  it('is added once for a key, listed and deleted', async () => {
    const headers = { 'Idempotency-Key': 'music-0001' };
    const first = (await (await send(tune, { headers })).json()) as Music;
    const again = (await (await send(tune, { headers })).json()) as Music;
    assert.deepEqual(again, first);
    assert.deepEqual([first.name, Math.round(first.seconds)], ['Upbeat', 3]);
    assert.deepEqual(await list(), [first]);
    assert.deepEqual((await world.get('/music', { as })).body, [first]);
    const byUser = await world.call('DELETE', `/music/${first.id}`, undefined, { as });
    assert.equal(byUser.status, 403);
    assert.equal((await remove(first.id)).status, 204);
    assert.deepEqual(await list(), []);
    assertProblem(await remove(first.id), 404, 'not-found');
    const events = world.log.filter(({ event }) => String(event).startsWith('music-'));
    assert.deepEqual(
      [...new Set(events.map(({ event }) => event))],
      ['music-added', 'music-deleted'],
    );
  });

  it('is sound, has a name, and is no more than the limits allow', async () => {
    const statusOf = async (...given: Parameters<typeof send>) => (await send(...given)).status;
    assert.equal(await statusOf(Buffer.from('<!doctype html>')), 422);
    assert.equal(await statusOf(tune.subarray(0, 100)), 422);
    assert.equal(await statusOf(tune, { headers: { 'Content-Type': 'text/plain' } }), 415);
    assert.equal(await statusOf(Buffer.alloc(20 * 1024 * 1024 + 1)), 413);
    assert.equal(await statusOf(tune, { name: ' ' }), 400);
    assert.equal(await statusOf(tune, { name: 'x'.repeat(101) }), 400);
    const refused = (await (await send(Buffer.from('#EXTM3U\n/etc/passwd'))).json()) as {
      reason: string;
      detail: string;
    };
    assert.equal(refused.reason, 'music-invalid');
    assert.match(refused.detail, /^The file cannot be read as music\. .*\.$/);
    assert.deepEqual(await list(), []);
    assert.equal(
      (await world.kept('files/media')).length,
      1,
      'only the file of the music that was deleted',
    );
  });

  const path = (clip: Project) => `/projects/${clip.id}/edit`;
  const patch = (clip: Project, changes: object) =>
    world.call('PATCH', path(clip), { changes }, { as, headers: { 'If-Match': '*' } });
  const change = async (clip: Project, changes: object) => {
    const { status, body } = await patch(clip, changes);
    assert.equal(status, 200, JSON.stringify(body));
    return editDocumentSchema.parse(body);
  };
  const read = async (clip: Project) =>
    editDocumentSchema.parse((await world.get(path(clip), { as })).body);
  /** The level of the music's tone in a file, in dB. */
  async function tuneIn(url: string): Promise<number> {
    const filters = 'atrim=0.5:2,bandpass=f=5000:width_type=h:w=60';
    // prettier-ignore
    const raw = await ffmpeg([
      '-i', url, '-af', filters, '-ac', '1', '-f', 'f32le', '-c:a', 'pcm_f32le', '-',
    ]);
    const samples = new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length));
    const power = samples.reduce((sum, one) => sum + one * one, 0) / samples.length;
    return 10 * Math.log10(power + 1e-12);
  }
  const preview = async (clip: Project): Promise<string> => {
    await waitFor('the preview', async () => (await read(clip)).preview === 'ready');
    const page = await (await world.request(`/player/${clip.id}`, {})).text();
    const address = /(?:https?:\/\/[^"' ]+)?\/?files\/previews\/[^"' ?]+\.mp4/.exec(page)![0];
    return new URL(address, `${world.service.url}/`).href;
  };
  const exported = async (clip: Project): Promise<Export> => {
    const { body } = await world.post(`/projects/${clip.id}/exports`, {}, { as });
    const made = await world.finishExport(body as Export, as);
    assert.equal(made.status, 'ready', JSON.stringify(made.failure));
    return made;
  };

  it('is heard in a clip that names it, and stays when it is deleted', async () => {
    const music = await add('Upbeat');
    const [clip] = await world.makeShorts(as, { target_clip_count: 1 });
    assert.equal((await read(clip!)).music, null);
    const before = await exported(clip!);
    assert.ok((await tuneIn(before.src_url!)) < -70);
    const changed = await change(clip!, { music: { id: music.id, level_db: 12 } });
    assert.deepEqual(changed.music, { id: music.id, level_db: 12 });
    assert.equal((await remove(music.id)).status, 204);
    const after = await exported(clip!);
    const lengths = await Promise.all([before, after].map(({ src_url }) => probe(src_url!)));
    assert.equal(lengths[0]!.seconds, lengths[1]!.seconds);
    for (const url of [after.src_url!, await preview(clip!)]) {
      const level = await tuneIn(url);
      assert.ok(level > -50, `${level} dB`);
    }
    await change(clip!, { title: 'Mine' });
    const none = await change(clip!, { music: 'none' });
    assert.equal(none.music, null);
    assert.ok((await tuneIn(await preview(clip!))) < -70);
    const gone = await patch(clip!, { music: { id: music.id } });
    assertProblem(gone, 422, 'unprocessable');
    assert.deepEqual([gone.body.reason, fieldsOf(gone)], ['music-unknown', ['changes.music.id']]);
    for (const wrong of [{ id: music.id, level_db: 9 }, 'all', { level_db: 20 }]) {
      assert.equal((await patch(clip!, { music: wrong })).status, 422, JSON.stringify(wrong));
    }
  });

  it('comes with a style preset, until a clip has its own or none', async () => {
    const [music, other] = [await add('Calm'), await add('Loud')];
    const { style } = (await world.get('/style-presets/classic')).body;
    const preset = { id: 'brand', name: 'Brand', description: '' };
    const unknown = { ...preset, style: { ...style, music: { id: 'nothing' } } };
    const refused = await world.post('/style-presets', unknown);
    assert.deepEqual([refused.status, refused.body.reason], [422, 'music-unknown']);
    const named = { ...preset, style: { ...style, music: { id: music.id, level_db: 25 } } };
    assert.equal((await world.post('/style-presets', named)).status, 201);
    const inUse = await remove(music.id);
    assert.deepEqual([inUse.status, inUse.body.reason], [422, 'music-in-use']);
    const [clip] = await world.makeShorts(as, { target_clip_count: 1, style_preset_id: 'brand' });
    assert.deepEqual((await read(clip!)).music, { id: music.id, level_db: 25 });
    const own = await change(clip!, { music: { id: other.id } });
    assert.deepEqual(own.music, { id: other.id, level_db: 20 });
    assert.equal((await change(clip!, { music: 'none' })).music, null);
    assert.deepEqual((await change(clip!, { music: null })).music?.id, music.id);
    assert.equal((await change(clip!, { style_preset_id: 'classic' })).music, null);
    assert.equal((await world.call('DELETE', '/style-presets/brand')).status, 204);
    assert.equal((await remove(music.id)).status, 204);
    // The preset that it came with is not there any more.
    const back = await patch(clip!, { style_preset_id: null });
    assert.equal(back.body.reason, 'music-unknown');
  });

  it('is played by the editor, with the permission to edit', async () => {
    const [music] = await list();
    const { clip } = await world.copy();
    const { as: author } = await world.library();
    const get = async (path: string, token: string) =>
      fetch(`${world.service.url}/embed-api/projects/${clip.id}${path}`, {
        headers: { Authorization: `Bearer ${token}` },
      });
    const token = await world.token(author);
    const view = (await (await get('/edit', token)).json()) as { media: object[] };
    const { id, name, seconds } = music!;
    assert.deepEqual(view.media, [{ id, kind: 'music', name, seconds }]);
    const file = await get(`/media/${music!.id}`, token);
    assert.deepEqual([file.status, file.headers.get('content-type')], [200, 'audio/mp4']);
    assert.ok((await file.arrayBuffer()).byteLength > 10_000);
    assert.equal((await get('/media/nothing', token)).status, 404);
    const { body } = await world.post(`/users/${author}/tokens`, { permissions: ['view'] });
    assert.equal((await get(`/media/${music!.id}`, body.external_access_token)).status, 403);
  });
});

describe('deleted music and bumpers', () => {
  const world = jobWorld();
  it('are removed after a week, unless a clip has them', async () => {
    const { db } = world().service;
    const organization_id = world().user.organization_id;
    const row = (id: string) => ({
      ...{ id, organization_id, kind: 'music' as const, name: id, seconds: 3, bytes: 3 },
      file_key: `media/${id}/x.m4a`,
      deleted_at: new Date(0),
    });
    await db
      .insertInto('media')
      .values(['unused', 'used', 'intro', 'outro', 'live'].map(row))
      .execute();
    await sql`update media set deleted_at = null where id = 'live'`.execute(db);
    const music = { id: 'used', levelDb: 20, speech: null };
    const bumpers = { intro: { id: 'intro' }, outro: { id: 'outro' } };
    await world().addTask([{ ...spanEdit(0, 1), music, ...bumpers }]);
    assert.equal(await removeDeleted(db, 'media'), 1);
    const left = await findNeededFiles(db, 'media', [
      ...['unused', 'used', 'intro', 'outro', 'live'],
    ]);
    assert.deepEqual([...left.keys()].toSorted(), ['intro', 'live', 'outro', 'used']);
    await sql`delete from projects`.execute(db);
    assert.equal(await removeDeleted(db, 'media'), 3);
  });
});
