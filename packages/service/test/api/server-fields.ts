import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { QuietWorld } from '../support/quiet-world.ts';
import { assertProblem, fieldsOf } from 'clip-testkit/world';

/** Fields of tasks that only the customer's own server sends: extensions of the specification. */
export function serverFieldSuite(world: () => QuietWorld): void {
  describe('export_when_ready of a task', () => {
    const send = async (asked: unknown, more = {}) => {
      const source_video_url = world().sources.at('scene.mp4');
      const body = { source_video_url, editing_options: {}, export_when_ready: asked };
      return world().post('/tasks/video-to-video', { ...body, ...more });
    };

    it('is shown by the exports, which are none yet', async () => {
      const made = await send({ count: 'all', preset_id: 'classic' });
      assert.deepEqual([made.status, made.body.export_ids], [201, []]);
      const { body } = await world().get(`/tasks/${made.body.id}`);
      assert.deepEqual(body.export_ids, []);
      const other = await send(undefined);
      assert.ok(!('export_ids' in other.body));
    });

    it('is refused, with the field, where it does not fit', async () => {
      for (const [asked, field] of [
        ['all', 'export_when_ready'],
        [{ count: 0 }, 'export_when_ready.count'],
        [{ count: 1, watermark: { src_url: 'x' } }, 'export_when_ready.watermark.src_url'],
      ] as const) {
        const answer = await send(asked);
        assertProblem(answer, 400, 'invalid-request');
        assert.deepEqual(fieldsOf(answer), [field]);
      }
      const unknown = await send({ count: 1, preset_id: 'nothing' });
      assertProblem(unknown, 422, 'unprocessable');
      assert.deepEqual(fieldsOf(unknown), ['export_when_ready.preset_id']);
    });
  });

  describe('metadata of a task', () => {
    let as: string;
    let other: string;
    before(async () => {
      [as, other] = [await world().user(), await world().user()];
    });
    const make = async (metadata?: Record<string, string>, user = as): Promise<string> => {
      const source_video_url = world().sources.at('scene.mp4');
      const body = { source_video_url, editing_options: {}, ...(metadata && { metadata }) };
      const made = await world().post('/tasks/video-to-video', body, { as: user });
      assert.equal(made.status, 201, JSON.stringify(made.body));
      assert.deepEqual(made.body.metadata, metadata ?? {});
      return made.body.id;
    };
    const list = (pairs: Record<string, string>, more = {}) =>
      world().get(`/tasks?${new URLSearchParams({ ...pairs, ...more })}`, { as });
    const find = async (pairs: Record<string, string>): Promise<string[]> =>
      (await list(pairs)).body.map(({ id }: { id: string }) => id);

    it('is in every answer, as it was sent', async () => {
      const metadata = { order: '1001', 'shop.id-2_x': '<b> "ü" 😀 100%', empty: '' };
      const id = await make(metadata);
      assert.deepEqual((await world().get(`/tasks/${id}`, { as })).body.metadata, metadata);
      assert.deepEqual((await list({})).body[0].metadata, metadata);
      await make();
      assert.deepEqual((await list({})).body[0].metadata, {});
    });

    it('finds the user’s tasks that have all of its pairs, exactly, page by page', async () => {
      const [one, two] = [
        await make({ order: '77', size: 'a&b' }),
        await make({ order: '77', size: '2' }),
      ];
      await make({ order: '777' });
      await make({ order: '77' }, other);
      assert.deepEqual(await find({ 'metadata[order]': '77' }), [two, one]);
      assert.deepEqual(await find({ 'metadata[order]': '77', 'metadata[size]': 'a&b' }), [one]);
      for (const [key, value] of [
        ['order', '7'],
        ['Order', '77'],
        ['size', ''],
      ]) {
        assert.deepEqual(await find({ [`metadata[${key}]`]: value! }), []);
      }
      const first = await list({ 'metadata[order]': '77', limit: '1' });
      assert.deepEqual([first.body.length, first.body[0].id], [1, two]);
      const next = /\?([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
      const second = await world().get(`/tasks?${next}`, { as });
      assert.deepEqual(
        [second.body.map(({ id }: { id: string }) => id), second.headers.get('link')],
        [[one], null],
      );
    });

    it('is refused, with the field, where it does not fit', async () => {
      const before = (await list({})).body.length;
      for (const [metadata, field] of [
        [{ 'a b': 'v' }, 'metadata.a b'],
        [{ a: 5 }, 'metadata.a'],
        [{ a: 'v'.repeat(501) }, 'metadata.a'],
        [{ a: 'a\0b' }, 'metadata.a'],
        ['v', 'metadata'],
      ] as const) {
        const source_video_url = world().sources.at('scene.mp4');
        const body = { source_video_url, editing_options: {}, metadata };
        const answer = await world().post('/tasks/video-to-video', body, { as });
        assertProblem(answer, 400, 'invalid-request');
        assert.deepEqual(fieldsOf(answer), [field]);
      }
      assert.equal((await list({})).body.length, before);
    });

    it('is refused as a filter that does not fit', async () => {
      const query = async (text: string) => world().get(`/tasks?${text}`, { as });
      const many = Array.from({ length: 21 }, (_, at) => `metadata[k${at}]=v`).join('&');
      for (const text of [
        ...['metadata=v', 'metadata[]=v', 'metadata[a b]=v', 'metadata[a]=1&metadata[a]=2'],
        ...['metadata[a]=%00', `metadata[a]=${'v'.repeat(501)}`, 'metadata[__proto__]=v', many],
        ...['metadata[a]=1&metadata=v', 'metadata[a][b]=v', 'limit[a]=1'],
      ]) {
        assertProblem(await query(text), 400, 'invalid-request');
      }
    });
  });
}
