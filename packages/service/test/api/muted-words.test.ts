import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ServiceClient } from 'clip-kit/client';
import { editDocumentSchema, projectSchema, type Export, type Project } from 'clip-kit/contract';
import { ffmpeg } from 'clip-testkit/media-footage';
import { waitFor } from 'clip-testkit/wait-for';
import { assertProblem, fieldsOf, World } from 'clip-testkit/world';

describe('the muted words of an organization', () => {
  let world: World;
  let as: string;
  before(async () => {
    world = await World.start({ editQuietSeconds: 0 });
    as = await world.user();
  });
  after(() => world?.close());

  const put = (body: unknown, options = {}) => world.call('PUT', '/muted-words', body, options);
  const list = { sound: 'mute', words: ['people', 'secret', 'sleep*'] };

  it('are none at first, and what was put since', async () => {
    const empty = { sound: 'mute', words: [] };
    assert.deepEqual((await world.get('/muted-words')).body, empty);
    assert.deepEqual((await put(list)).body, list);
    assert.deepEqual((await world.get('/muted-words')).body, list);
    assert.ok(world.log.some(({ event, words }) => event === 'muted-words-changed' && words === 3));
    assert.equal((await put(empty)).status, 200);
    assert.deepEqual((await world.get('/muted-words')).body, empty);
  });

  it('are read and written by the client', async () => {
    const client = new ServiceClient({ baseUrl: `${world.service.url}/v2`, apiKey: world.key });
    assert.deepEqual(await client.writeMutedWords({ sound: 'bleep', words: ['oh'] }), {
      sound: 'bleep',
      words: ['oh'],
    });
    assert.deepEqual((await client.readMutedWords()).words, ['oh']);
    await client.writeMutedWords({ sound: 'mute', words: [] });
  });

  it('are words, and only the organization sets them', async () => {
    for (const word of ['', '*', 'two words', 'a*b', 'x'.repeat(51), '<b>', 5]) {
      const answer = await put({ ...list, words: ['good', word] });
      assertProblem(answer, 400, 'invalid-request');
      assert.deepEqual(fieldsOf(answer), ['words.1'], JSON.stringify(word));
    }
    assert.deepEqual(fieldsOf(await put({ words: [] })), ['sound']);
    assert.deepEqual(fieldsOf(await put({ ...list, words: Array(501).fill('a') })), ['words']);
    assert.equal((await put(list, { as })).status, 403);
    assert.equal((await put(list, { key: null })).status, 401);
  });

  const path = (clip: Project) => `/projects/${clip.id}/edit`;
  const read = async (clip: Project) =>
    editDocumentSchema.parse((await world.get(path(clip), { as })).body);
  const change = async (clip: Project, changes: object) => {
    const options = { as, headers: { 'If-Match': '*' } };
    const { status, body } = await world.call('PATCH', path(clip), { changes }, options);
    assert.equal(status, 200, JSON.stringify(body));
    return editDocumentSchema.parse(body);
  };
  const sayMuted = ({ words }: Awaited<ReturnType<typeof read>>) =>
    words.filter(({ muted }) => muted).map(({ text }) => text);
  interface Muted {
    sound: string;
    spans: { start: number; end: number }[];
  }
  const mutedOf = ({ edit }: Awaited<ReturnType<typeof read>>) => edit['muted'] as Muted;

  /** The level of a part of a file in dBFS (RMS). */
  async function levelOf(url: string, { start, end }: { start: number; end: number }) {
    const raw = await ffmpeg(['-i', url, '-ac', '1', '-f', 'f32le', '-c:a', 'pcm_f32le', '-']);
    const samples = new Float32Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length));
    const part = samples.subarray(Math.round(start * 48_000), Math.round(end * 48_000));
    return 10 * Math.log10(part.reduce((sum, one) => sum + one * one, 0) / part.length + 1e-12);
  }
  const preview = async (clip: Project): Promise<string> => {
    await waitFor('the preview', async () => (await read(clip)).preview === 'ready');
    const page = await (await world.request(`/player/${clip.id}`, {})).text();
    const address = /(?:https?:\/\/[^"' ]+)?\/?files\/previews\/[^"' ?]+\.mp4/.exec(page)![0];
    return new URL(address, `${world.service.url}/`).href;
  };
  const exported = async (clip: Project): Promise<string> => {
    const { body } = await world.post(`/projects/${clip.id}/exports`, {}, { as });
    const made = await world.finishExport(body as Export, as);
    assert.equal(made.status, 'ready', JSON.stringify(made.failure));
    return made.src_url!;
  };

  it('are silent in a clip and masked in its texts, until a person restores them', async () => {
    await put(list);
    const [made] = await world.makeShorts(as, { target_clip_count: 1 });
    const clip = projectSchema.parse(made);
    const first = await read(clip);
    assert.ok(sayMuted(first).length > 0, JSON.stringify(first.words));
    for (const word of sayMuted(first)) assert.match(word, /^(?:people|secret|sleep)/i);
    const { name, description, titles = [], tags = [] } = clip;
    const texts = [name, description, ...titles, ...tags, clip.virality_score_explanation];
    for (const text of texts) assert.doesNotMatch(text ?? '', /people|secret|sleep/i);
    const captions = await world.get(`/projects/${clip.id}/files/captions.vtt`, { as });
    assert.equal(captions.status, 200);
    const [span] = mutedOf(first).spans;
    const silent = [await preview(clip), await exported(clip)];
    for (const url of silent) assert.ok((await levelOf(url, span!)) < -60);
    const changed = await change(clip, {
      muted: Object.fromEntries(
        first.words.filter(({ muted }) => muted).map(({ key }) => [key, false]),
      ),
    });
    assert.deepEqual(sayMuted(changed), []);
    assert.equal(mutedOf(changed), undefined);
    const heard = [await preview(clip), await exported(clip)];
    for (const url of heard) assert.ok((await levelOf(url, span!)) > -40);
  });

  it('follow the list with the next change, and a revision goes back', async () => {
    await put({ sound: 'mute', words: [] });
    const [made] = await world.makeShorts(as, { target_clip_count: 1 });
    const clip = projectSchema.parse(made);
    const before = await read(clip);
    const [word] = before.words.filter(({ start }) => start >= before.ranges[0]!.start);
    const mutedOne = await change(clip, { muted: { [word!.key]: true } });
    assert.deepEqual(sayMuted(mutedOne), [word!.text]);
    assert.equal(mutedOf(mutedOne).sound, 'mute');
    await put({ ...list, sound: 'bleep' });
    assert.deepEqual(sayMuted(await read(clip)), [word!.text], 'not before a change');
    const changed = await change(clip, { title: 'Mine' });
    assert.ok(sayMuted(changed).length > 1);
    assert.equal(mutedOf(changed).sound, 'bleep');
    assert.deepEqual(await read(clip), changed);
    const options = { as, headers: { 'If-Match': '*' } };
    await world.call('POST', `${path(clip)}/revert`, { revision: 1 }, options);
    assert.deepEqual((await read(clip)).changes, {});
  });

  it('refuses the number of a word that the clip does not have', async () => {
    const { clip } = await world.copy();
    const { as: author } = await world.library();
    const options = { as: author, headers: { 'If-Match': '*' } };
    const call = (muted: object) =>
      world.call('PATCH', path(clip), { changes: { muted } }, options);
    for (const [muted, field] of [
      [{ '999': true }, 'changes.muted.999'],
      [{ '1': 'yes' }, 'changes.muted.1'],
      [{ x: true }, 'changes.muted.x'],
    ] as const) {
      const answer = await call(muted);
      assertProblem(answer, 422, 'unprocessable');
      assert.deepEqual(fieldsOf(answer), [field], JSON.stringify(answer.body));
    }
  });
});
