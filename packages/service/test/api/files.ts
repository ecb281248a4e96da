import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { QuietWorld } from '../support/quiet-world.ts';

export function fileSuite(world: () => QuietWorld): void {
  describe('the public link of an export', () => {
    let clip: string;
    let url: string;
    let whole: Uint8Array;
    before(async () => {
      clip = (await world().addClip()).projectId;
      url = await made();
      whole = new Uint8Array(await (await world().fetch(url)).arrayBuffer());
    });
    /** The address of another export that is ready. */
    const made = async (): Promise<string> => {
      const path = `/projects/${clip}/exports`;
      const { id } = (await world().post(path)).body;
      await world().finish(id);
      return (await world().get(`${path}/${id}`)).body.src_url;
    };
    const ask = async (headers: Record<string, string>, method = 'GET') => {
      const response = await world().fetch(url, { method, headers });
      return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
    };

    it('may be read by every site and kept for a day, by shared caches for ten minutes', async () => {
      const { response } = await ask({});
      assert.equal(response.headers.get('access-control-allow-origin'), '*');
      assert.equal(response.headers.get('content-type'), 'video/mp4');
      assert.equal(response.headers.get('accept-ranges'), 'bytes');
      assert.equal(response.headers.get('cache-control'), 'public, max-age=86400, s-maxage=600');
    });

    it('is not confirmed to a cache any more when it was deleted', async () => {
      const address = await made();
      const first = await world().fetch(address);
      await first.arrayBuffer();
      const again = { headers: { 'If-None-Match': first.headers.get('etag')! } };
      assert.equal((await world().fetch(address, again)).status, 304);
      const id = address.split('/').at(-2);
      await world().call('DELETE', `/projects/${clip}/exports/${id}`);
      assert.equal((await world().fetch(address, again)).status, 404);
    });

    it('gives a range: from the start, from the middle, from the end', async () => {
      const size = whole.length;
      for (const [range, start, end] of [
        ['bytes=0-99', 0, 99],
        ['bytes=100-', 100, size - 1],
        ['bytes=-50', size - 50, size - 1],
        [`bytes=10-${size * 2}`, 10, size - 1],
      ] as const) {
        const { response, bytes } = await ask({ Range: range });
        assert.equal(response.status, 206);
        assert.equal(response.headers.get('content-range'), `bytes ${start}-${end}/${size}`);
        assert.deepEqual(bytes, whole.slice(start, end + 1));
      }
    });

    it('refuses a range behind the end', async () => {
      const { response } = await ask({ Range: `bytes=${whole.length}-` });
      assert.equal(response.status, 416);
      assert.equal(response.headers.get('content-range'), `bytes */${whole.length}`);
    });

    it('answers HEAD without the file', async () => {
      const { response, bytes } = await ask({}, 'HEAD');
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('content-length'), String(whole.length));
      assert.equal(bytes.length, 0);
    });

    it('honours If-None-Match and If-Range', async () => {
      const etag = (await ask({}, 'HEAD')).response.headers.get('etag') ?? '';
      assert.equal((await ask({ 'If-None-Match': etag })).response.status, 304);
      assert.equal((await ask({ Range: 'bytes=0-1', 'If-Range': etag })).response.status, 206);
      assert.equal((await ask({ Range: 'bytes=0-1', 'If-Range': '"other"' })).response.status, 200);
    });

    it('leads nowhere else', async () => {
      const base = `${world().url}/files`;
      await world().post('/tasks/video-to-video', world().whole());
      const source = (await world().kept('files/sources'))[0];
      for (const path of [
        url.slice(base.length).replace(/[^/]+$/, 'x.mp4'),
        '/exports/..%2f..%2fdb/PG_VERSION',
        '/exports/%2e%2e/lock',
        `/sources/${source}/source.mp4`,
        '/exports/a/..',
      ]) {
        assert.equal((await world().fetch(`${base}${path}`)).status, 404, path);
      }
    });

    it('stands in the log without the part that cannot be guessed', () => {
      const secret = /[^/]+$/.exec(url)?.[0] ?? '';
      assert.ok(secret && !JSON.stringify(world().jobs.log).includes(secret));
    });
  });
}
