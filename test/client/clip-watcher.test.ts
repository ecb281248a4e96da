import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { watchClips } from '../../src/client/clip-watcher.ts';
import { VirtualPage } from '../support/virtual-page.ts';

const minute = 60_000;

describe('watching the clips of a task', () => {
  let page: VirtualPage;
  beforeEach(() => {
    page = new VirtualPage();
  });
  afterEach(() => page.close());

  it('goes on plainly with a host whose held requests fail', async () => {
    const end = page.clock.time + minute;
    let heldRequests = 0;
    const fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
      if (!new URL(String(input)).pathname.includes('/tasks/')) return Response.json([]);
      if (new Headers(init?.headers).has('Prefer')) {
        heldRequests++;
        return new Response(null, { status: 500 });
      }
      return Response.json({
        id: 't',
        type: 'video-to-shorts',
        status: page.clock.time < end ? 'processing' : 'ready',
        output_type: 'folder',
        output_id: 'f',
        created_at: new Date(page.clock.time).toISOString(),
      });
    };
    const life = new AbortController();
    let stalls = 0;
    let status = '';
    watchClips(
      { endpoint: 'https://watch.test/clips', fetch },
      { folder: 'f', project: null, task: 't' },
      {
        onUpdate: (_, task) => (status = task?.status ?? ''),
        onStalled: () => stalls++,
        onFailed: (error) => assert.fail(error),
        onOtherAccount: () => assert.fail(),
      },
      life.signal,
    );
    await page.clock.passUntil(() => status === 'ready', 2 * minute);
    life.abort();
    assert.deepEqual([stalls, heldRequests], [0, 1]);
  });

  it('reads the clips again if the task has made more since they were asked for', async () => {
    const clip = {
      id: 'c',
      author_id: 'u',
      folder_id: 'f',
      name: 'Clip',
      created_at: new Date(0).toISOString(),
    };
    let reads = 0;
    // The last clip comes between the answer about the clips and that about the task.
    const fetch = async (input: RequestInfo | URL): Promise<Response> =>
      new URL(String(input)).pathname.includes('/tasks/')
        ? Response.json({
            id: 't',
            type: 'video-to-shorts',
            status: 'ready',
            output_type: 'folder',
            output_id: 'f',
            created_at: clip.created_at,
            clip_count: 1,
          })
        : Response.json(reads++ ? [clip] : []);
    const told: number[] = [];
    await watchClips(
      { endpoint: 'https://again.test/clips', fetch },
      { folder: 'f', project: null, task: 't' },
      {
        onUpdate: (clips) => told.push(clips.length),
        onStalled: () => assert.fail(),
        onFailed: (error) => assert.fail(error),
        onOtherAccount: () => assert.fail(),
      },
      new AbortController().signal,
    );
    assert.deepEqual([told, reads], [[1], 2]);
  });
});
