import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { ClipExport, makeStartKey, type ExportIntent } from '../../src/client/clip-export.ts';
import { ExportWatcher } from '../../src/client/export-watcher.ts';
import { HostClient } from '../../src/client/host-client.ts';
import { attemptKeySchema } from '../../src/contract/host.ts';
import type { Export } from '../../src/contract/export.ts';
import { VirtualPage } from '../support/virtual-page.ts';

const intent = (more: Partial<ExportIntent> = {}): ExportIntent => ({
  project: 'clip-1',
  folder: null,
  options: {},
  exportId: null,
  ...more,
});

describe('the key of a start', () => {
  it('is the same each time, in the form of the contract', () => {
    const key = makeStartKey(intent(), '');
    assert.equal(makeStartKey(intent({ folder: '' }), ''), key);
    assert.equal(attemptKeySchema.parse(key), key);
    assert.equal(
      attemptKeySchema.safeParse(makeStartKey(intent({ project: 'é🎬' }), '')).success,
      true,
    );
  });

  it('differs by clip, folder, options and the export before it', () => {
    const watermark = { src_url: 'https://a.example/b.png' };
    const keys = [
      makeStartKey(intent(), ''),
      makeStartKey(intent(), 'export-1'),
      makeStartKey(intent({ project: 'clip-2' }), ''),
      makeStartKey(intent({ folder: 'f' }), ''),
      makeStartKey(intent({ options: { watermark } }), ''),
      makeStartKey(intent({ options: { preset_id: 'bold' } }), ''),
    ];
    assert.equal(new Set(keys).size, keys.length);
  });
});

const exportOf = (status: Export['status']): Export => ({
  id: 'e',
  status,
  src_url: null,
  estimated_ready_at: null,
  project_id: 'clip-1',
  created_at: '2026-01-01T00:00:00.000Z',
  finished_at: null,
  name: 'n',
  author_id: 'u',
  folder_id: null,
  descriptions: null,
  watermarked: null,
});

const answer = (status: number, body: object) => () => Response.json(body, { status });
const started = answer(201, exportOf('processing'));
const limit = answer(402, { code: 'export-limit' });
const lost = () => Promise.reject(new TypeError('connection lost'));

describe('the export of a page', () => {
  let page: VirtualPage;
  let opened = 0;
  let leave: () => void;
  beforeEach(() => (page = new VirtualPage()));
  afterEach(async () => {
    leave();
    await page.clock.pass(0);
    page.close();
  });

  /** A button and its host. `answers`: to starts; `polled`: the export as polls see it. */
  function open(...answers: (() => Response | Promise<Response>)[]) {
    const world = { polled: exportOf('processing') as Export | null, keys: [] as string[] };
    const name = `intent-${opened++}`;
    const client = new HostClient({
      endpoint: `https://h.test/${name}`,
      fetch: async (_, { method, headers } = {}) => {
        if (method === 'POST') {
          world.keys.push(new Headers(headers).get('Idempotency-Key')!);
          return (answers.shift() ?? started)();
        }
        return world.polled ? Response.json([world.polled]) : Response.json({}, { status: 503 });
      },
    });
    const add = () => {
      const one = new ClipExport(client, new ExportWatcher(client), intent(), name, () => {});
      const states: string[] = [];
      leave = one.listen(() => states.push(one.state.status));
      return { one, states };
    };
    return { ...add(), world, add };
  }

  /** Clicks, and waits for the answer. */
  async function click(one: ClipExport) {
    void one.start();
    await page.clock.pass(100);
  }

  it('walks from a start to the file', async () => {
    const { one, states, world } = open();
    await click(one);
    world.polled = exportOf('ready');
    await page.clock.pass(10_000);
    assert.deepEqual(states, ['starting', 'processing', 'processing', 'ready']);
    assert.deepEqual(one.state, { status: 'ready', export: exportOf('ready'), error: null });
  });

  it('takes no second start while one is sent, unknown, running or ready', async () => {
    const { one, states, world } = open(lost);
    void one.start();
    await click(one);
    assert.deepEqual(states, ['starting', 'unknown']);
    await click(one);
    assert.equal(one.state.status, 'unknown');
    await page.clock.pass(2000);
    await click(one);
    assert.equal(one.state.status, 'processing');
    world.polled = exportOf('ready');
    await page.clock.pass(10_000);
    await click(one);
    assert.equal(one.state.status, 'ready');
    assert.deepEqual([world.keys.length, new Set(world.keys).size], [2, 1]);
  });

  it('starts again after a limit', async () => {
    const { one, world } = open(limit);
    await click(one);
    assert.deepEqual([one.state.status, one.state.error!.code], ['limit', 'export-limit']);
    await click(one);
    assert.equal(one.state.status, 'processing');
    assert.equal(world.keys.length, 2);
  });

  it('keeps a failed export beside its error, and starts another one', async () => {
    const { one, world } = open();
    world.polled = exportOf('error');
    await click(one);
    await page.clock.pass(10_000);
    assert.deepEqual([one.state.status, one.state.error!.code], ['error', 'export-failed']);
    assert.deepEqual(one.state.export, exportOf('error'));
    await one.retry();
    assert.equal(new Set(world.keys).size, 2);
  });

  it('says why no answers come, until one does', async () => {
    const { one, world } = open();
    world.polled = null;
    await click(one);
    await page.clock.pass(60_000);
    assert.deepEqual([one.state.status, one.state.error!.code], ['processing', 'service-error']);
    world.polled = exportOf('processing');
    await page.clock.pass(60_000);
    assert.deepEqual([one.state.status, one.state.error], ['processing', null]);
  });

  it('shows after a reload that the start is being sent again', async () => {
    const late = Promise.withResolvers<Response>();
    const { one, world, add } = open(lost, () => late.promise);
    await click(one);
    leave();
    const { one: again, states } = add();
    await page.clock.pass(0);
    assert.equal(again.state.status, 'starting');
    late.resolve(started());
    await page.clock.pass(500);
    assert.deepEqual(states, ['starting', 'processing', 'processing']);
    assert.equal(new Set(world.keys).size, 1);
  });
});
