import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { clipLinksSchema, type ClipLinks } from 'clip-kit/contract';
import { sql } from 'kysely';
import { groupLines } from '../../../engine/src/captions/caption-lines.ts';
import { createApp } from '../../src/api/app.ts';
import { Links } from '../../src/links/links.ts';
import { replaceLinkKeys, setPrivateClips, settleLinkKeys } from '../../src/links/queries.ts';
import { readEvents } from '../../src/webhooks/deliveries.ts';
import { privateClips } from '../../src/operations/commands/links.ts';
import type { QuietWorld } from '../support/quiet-world.ts';
import type { Library } from 'clip-testkit/rows';
import { spanEdit } from 'clip-testkit/span-edit';
import { eventually } from 'clip-testkit/world';

/**
 * Every address of the service that needs no key and no token. `null`: it shows nothing of a clip.
 * A new route fails the first test until it stands here, and the next one until it is protected.
 */
const publicRoutes: Readonly<Record<string, ((at: Places) => string) | null>> = {
  '/player/:id': ({ clip }) => `/player/${clip}`,
  '/player/:id/state': ({ clip }) => `/player/${clip}/state`,
  '/player/:id/poster.jpg': ({ clip }) => `/player/${clip}/poster.jpg`,
  '/player/:id/captions.vtt': ({ clip }) => `/player/${clip}/captions.vtt`,
  '/player/:id/stream/:segment': ({ clip }) => `/player/${clip}/stream/1-0`,
  '/player/:clip/files/:kind{exports|previews|proxies|pictures}/:id/:name': ({ clip }) =>
    `/player/${clip}/files/previews/${clip}/1-a.mp4`,
  '/files/:kind{exports|previews|posters|proxies|pictures}/:id/:name': ({ clip }) =>
    `/files/previews/${clip}/1-a.mp4`,
  '/oembed': ({ clip, root }) =>
    `/oembed?url=${encodeURIComponent(`${root}/player/${clip}`)}&format=json`,
  // The same for all: its data needs a token.
  '/embed/:id': null,
  // They lead to the address without the slash, whether there is a clip or not.
  '/embed/:id/': null,
  '/player/:id/': null,
  '/assets/:name': null,
  '/assets/fonts/:font_id': null,
  '/assets/emoji/:emoji': null,
  '/assets/emoji/names/:language': null,
  '/livez': null,
  '/healthz': null,
  '/readyz': null,
  '/v2/openapi.json': null,
  '/presets': null,
  '/uploads': null,
};

/** Below these, a key, a token, a session or an address that cannot be guessed is needed. */
const withSecret = /^\/(?:v2|embed-api|host|share|uploads)\//;

interface Places {
  readonly clip: string;
  readonly root: string;
}

export function privateClipSuite(current: () => QuietWorld): void {
  describe('private clips', () => {
    let world: QuietWorld;
    let organization: { id: string; apiKey: string };
    let as: string;
    let library: Library;
    let places: Places;
    let exported: string;
    /** The answers for the organization's owner, or for its user. */
    const call = (path: string, body?: object, user?: string, key = organization.apiKey) =>
      world.call(body ? 'POST' : 'GET', path, body, { key, ...(user && { as: user }) });
    const get = (url: string, init?: RequestInit) =>
      world.fetch(new URL(url, world.url).href, init);
    const links = async (body: object = {}, user?: string): Promise<ClipLinks> => {
      const answer = await call(`/projects/${library.projectId}/links`, body, user);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return clipLinksSchema.parse(answer.body);
    };
    const store = async (key: string, file = 'scene.mp4'): Promise<void> => {
      const copy = join(world.jobs.directory, 'work', key.replaceAll('/', '-'));
      await cp(join(world.jobs.directory, 'footage', file), copy);
      await world.jobs.service.storage.put(key, copy);
    };
    /** Changes the organization, and waits until the service has heard of it. */
    const set = async (isPrivate: boolean | null): Promise<void> => {
      const { db, changes } = world.jobs.service;
      await setPrivateClips(db, organization.id, isPrivate);
      await eventually(async () =>
        assert.equal(await changes.accounts.privateClips(organization.id), isPrivate),
      );
      const key = `previews/${library.projectId}/1-a.mp4`;
      await eventually(async () =>
        assert.equal((await changes.files.find(key))?.privateClips, isPrivate),
      );
    };

    before(async () => {
      world = current();
      organization = await world.createOrganization('Members');
      as = (await call('/users', {})).body.id;
      library = await world.addClip({ userId: as });
      const clip = library.projectId;
      places = { clip, root: world.url };
      const words = [{ text: 'Hello', start: 0, end: 1 }];
      const dimensions = { width: 108, height: 192 };
      const edit = spanEdit(0, 5, {
        ...{ dimensions, language: 'en' },
        captions: groupLines(words, { dimensions, duration: 5 }),
      });
      const { db } = world.jobs.service;
      const stream = { attempt: 1, keys: [`previews/${clip}/1-a.mp4`], isComplete: true };
      await sql`update projects set edit = ${JSON.stringify(edit)}::jsonb,
        preview_stream = ${JSON.stringify(stream)}::jsonb where id = ${clip}`.execute(db);
      await store(`previews/${clip}/1-a.mp4`);
      await store(`previews/${clip}/1-a.jpg`);
      const path = `/projects/${clip}/exports`;
      exported = (await call(path, {}, as)).body.id;
      await world.finish(exported);
      await set(true);
    });
    after(() => set(null));

    it('have a test for every address without a key', () => {
      const { routes } = createApp(world.jobs.service);
      const paths = new Set(
        routes.flatMap(({ path }) =>
          path.includes('*') || (withSecret.test(path) && path !== '/v2/openapi.json')
            ? []
            : [path],
        ),
      );
      assert.deepEqual([...paths].toSorted(), Object.keys(publicRoutes).toSorted());
    });

    for (const [route, addressOf] of Object.entries(publicRoutes)) {
      if (!addressOf) continue;
      it(`are at ${route} as if there were none, and are there where they are public`, async () => {
        const address = addressOf(places);
        const unknown = addressOf({ ...places, clip: '00000000-0000-4000-8000-000000000000' });
        const [answer, other] = [await get(address), await get(unknown)];
        assert.equal(answer.status, 404);
        assert.equal(await answer.text(), await other.text());
        const headers = (one: Response) => [...one.headers].filter(([name]) => name !== 'date');
        assert.deepEqual(headers(answer), headers(other));
        const wrong = `${address}${address.includes('?') ? '&' : '?'}expires=4000000000&signature=x`;
        assert.equal((await get(wrong)).status, 404);
        await set(false);
        try {
          // Files with a link in their address need one, wherever they are.
          const isOpen = !route.startsWith('/player/:clip/files');
          assert.equal((await get(address)).status, isOpen ? 200 : 404);
        } finally {
          await set(true);
        }
      });
    }

    it('have an embed page that says nothing of them', async () => {
      const page = await (await get(`/embed/${library.projectId}`)).text();
      assert.equal(page, await (await get('/embed/unknown')).text());
    });

    it('are opened by one signature: page, state, pictures, video with ranges, captions', async () => {
      const { player_url: player, poster_url: poster, ...more } = await links();
      const page = await get(player);
      assert.equal(page.status, 200);
      assert.equal(page.headers.get('referrer-policy'), 'no-referrer');
      assert.equal(page.headers.get('cache-control'), 'no-store');
      const html = await page.text();
      assert.match(html, /<meta name="robots" content="noindex"/);
      assert.doesNotMatch(html, /og:|oembed|canonical/);
      const state = await get(player.replace('?', '/state?'));
      const view = (await state.json()) as Record<'video' | 'poster', string> & {
        captions: { url: string };
      };
      const { search } = new URL(player);
      for (const url of [view.video, view.poster, view.captions.url]) {
        assert.ok(url.endsWith(search), url);
        assert.equal((await get(`/${url}`)).status, 200, url);
      }
      for (const url of [poster, more.video_url, more.captions_url]) {
        assert.equal((await get(url!)).status, 200, url!);
        assert.match((await get(url!)).headers.get('cache-control')!, /^private, max-age=\d+/);
      }
      const part = await get(more.video_url!, { headers: { Range: 'bytes=10-19' } });
      assert.equal(part.status, 206);
      assert.equal((await part.arrayBuffer()).byteLength, 10);
    });

    it('are cached no longer than until the end of the link', async () => {
      const { video_url: video, expires_at: end } = await links({ expires_in: 120 });
      const { headers } = await get(video!);
      const seconds = Number(/max-age=(\d+)/.exec(headers.get('cache-control')!)?.[1]);
      assert.ok(seconds > 0 && seconds <= 120, String(seconds));
      assert.ok(Date.parse(end!) <= Date.now() + 120_000);
    });

    it('have links for a minute to a day, an hour if nothing is said', async () => {
      const path = `/projects/${library.projectId}/links`;
      for (const expires_in of [59, 86_401, 1.5, 'soon']) {
        assert.equal((await call(path, { expires_in })).status, 400, String(expires_in));
      }
      const { expires_at } = await links();
      const seconds = (Date.parse(expires_at!) - Date.now()) / 1000;
      assert.ok(seconds > 3590 && seconds <= 3600, String(seconds));
    });

    it('have links for their user and for the organization, and for no other', async () => {
      await links({}, as);
      const path = `/projects/${library.projectId}/links`;
      const other = (await call('/users', {})).body.id;
      assert.equal((await call(path, {}, other)).status, 404);
      assert.equal((await call(path, {}, undefined, world.key)).status, 404);
      assert.equal((await call('/projects/unknown/links', {})).status, 404);
      assert.equal((await get(`/v2${path}`, { method: 'POST' })).status, 401);
    });

    it('show nothing of another clip with a link', async () => {
      const other = await world.addClip({ userId: as });
      await store(`previews/${other.projectId}/1-a.mp4`);
      const { search } = new URL((await links()).player_url);
      for (const path of [
        `/player/${other.projectId}`,
        `/player/${other.projectId}/files/previews/${other.projectId}/1-a.mp4`,
        `/player/${library.projectId}/files/previews/${other.projectId}/1-a.mp4`,
        `/player/${library.projectId}/files/exports/${other.projectId}/1-a.mp4`,
        `/player/${library.projectId}/files/sources/${library.taskId}/video.mp4`,
        `/player/${library.projectId}/files/previews/..%2f..%2f/1-a.mp4`,
        `/files/previews/${library.projectId}/1-a.mp4`,
      ]) {
        assert.equal((await get(path + search)).status, 404, path);
      }
    });

    it('are signed wherever the API names their files, the same for some minutes', async () => {
      const read = async () => {
        const project = (await call(`/projects/${library.projectId}`, undefined, as)).body;
        const one = `/projects/${library.projectId}/exports/${exported}`;
        const row = (await call(one, undefined, as)).body;
        const [listed] = (await call('/exports', undefined, as)).body;
        assert.equal(listed.src_url, row.src_url);
        return [project.poster_url, row.src_url] as string[];
      };
      const first = await read();
      for (const url of first) {
        assert.match(url, /\?expires=\d+&signature=[\w-]{43}$/);
        assert.equal((await get(url)).status, 200, url);
      }
      const again = await read();
      const endOf = (url: string) => new URL(url).searchParams.get('expires');
      assert.ok(again.every((url, at) => url === first[at] || endOf(url) !== endOf(first[at]!)));
    });

    it('are signed in webhooks', async () => {
      const delivery = {
        ...{ id: 'msg_1', organization_id: organization.id, type: 'export.ready' },
        ...{ row_id: exported, created_at: new Date() },
      };
      const events = await readEvents(world.jobs.service, [delivery] as never);
      assert.match(JSON.stringify([...events.values()]), /"src_url":"[^"]+signature=/);
    });

    it('have the picture of their video behind a signature, too', async () => {
      const { db } = world.jobs.service;
      const key = `pictures/${library.taskId}/1-p.jpg`;
      await store(key);
      await sql`update tasks set picture_key = ${key} where id = ${library.taskId}`.execute(db);
      const url = (await call(`/tasks/${library.taskId}`, undefined, as)).body.picture_url;
      assert.equal((await get(url)).status, 200);
      assert.equal((await get(url.replace(/\?.*/, ''))).status, 404);
      assert.equal((await get(`/files/${key}`)).status, 404);
    });

    it('are shown with signed addresses to their user in the embed page', async () => {
      const token = (await call(`/users/${as}/tokens`, {})).body.external_access_token;
      const headers = { Authorization: `Bearer ${token}` };
      const answer = await get(`/embed-api/projects/${library.projectId}`, { headers });
      const { video, poster, captions, download_url } = (await answer.json()) as Record<
        'video' | 'poster' | 'download_url',
        string
      > & { captions: { url: string } };
      for (const url of [video, poster, captions.url, download_url]) {
        assert.equal((await get(`/${url}`)).status, 200, url);
        assert.equal((await get(`/${url.replace(/\?.*/, '')}`)).status, 404, url);
      }
    });

    it('leave no signature in the log', async () => {
      const { player_url: url } = await links();
      await get(url);
      const signature = new URL(url).searchParams.get('signature')!;
      assert.ok(!JSON.stringify(world.jobs.log).includes(signature));
    });

    it('of a public organization have links without an end', async () => {
      await set(false);
      try {
        const { player_url, video_url, expires_at } = await links();
        assert.equal(expires_at, null);
        assert.equal(player_url, `${world.url}/player/${library.projectId}`);
        assert.equal((await get(video_url!)).status, 200);
      } finally {
        await set(true);
      }
    });

    it('are those of all organizations where the installation says so', async () => {
      const { service } = world.jobs;
      const keys = () => settleLinkKeys(service.db);
      const settingOf = (id: string) => service.changes.accounts.privateClips(id);
      const { files, publicUrl } = service;
      const byDefault = { byDefault: true, keys, settingOf, files, publicUrl };
      const calls = world.calls({ links: new Links(byDefault) });
      const clip = (await world.addClip()).projectId;
      assert.equal((await calls.request(`/player/${clip}`, {})).status, 404);
      assert.equal((await get(`/player/${clip}`)).status, 200);
      await set(false);
      try {
        const open = await calls.request(`/player/${library.projectId}`, {});
        assert.equal(open.status, 200, 'an organization may say otherwise');
      } finally {
        await set(true);
      }
    });

    it('lead to the store with an address that ends as the link does', async () => {
      const signed = async (key: string, _method: string, seconds?: number) =>
        `https://bucket.example/${key}?seconds=${seconds}`;
      const files = { direct: null, signed, origin: 'https://bucket.example' };
      const calls = world.calls({ files });
      const { video_url: video } = await links({ expires_in: 60 });
      const { pathname, search } = new URL(video!);
      const { status, headers } = await calls.request(pathname + search, {});
      assert.equal(status, 307);
      assert.equal(headers.get('cache-control'), 'no-store');
      const seconds = Number(/seconds=(\d+)$/.exec(headers.get('location')!)?.[1]);
      assert.ok(seconds > 0 && seconds <= 60, String(seconds));
    });

    it('keep their addresses over a replacement of the keys, unless all are to be refused', async () => {
      const { db, files, publicUrl } = world.jobs.service;
      const fresh = new Links({
        ...{ byDefault: true, files, publicUrl, settingOf: async () => null },
        keys: () => settleLinkKeys(db),
      });
      const query = ({ query: text }: { query: string }) =>
        Object.fromEntries(new URLSearchParams(text));
      const old = query(await fresh.sign('clip', 60));
      await replaceLinkKeys(db, { now: false });
      assert.ok(await fresh.open('clip', old));
      const renewed = query(await fresh.sign('clip', 60));
      assert.notEqual(renewed['signature'], old['signature']);
      await replaceLinkKeys(db, { now: true });
      assert.equal(await fresh.open('clip', old), null);
      assert.equal(await fresh.open('clip', renewed), null);
    });

    it('are refused to the operator of an open bucket', async () => {
      const { db } = world.jobs.service;
      const s3 = {
        ...{ endpoint: 'https://s3.example', bucket: 'clips', region: 'eu' },
        ...{ accessKeyId: 'a', secretAccessKey: 'b', publicUrl: 'https://cdn.example' },
      };
      const given = { words: ['on', organization.id], options: {} };
      await assert.rejects(privateClips.run(db, given, { s3 }), /everyone may read the bucket/);
      const own = { ...s3, publicAccess: 'signed' } as const;
      assert.match(String(await privateClips.run(db, given, { s3: own })), /are private now/);
    });
  });
}
