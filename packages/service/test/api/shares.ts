import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { type NewShare, type ShareWithUrl, shareWithUrlSchema } from 'clip-kit/contract';
import { insertLibrary, type Library } from 'clip-testkit/rows';
import { assertProblem, eventually } from 'clip-testkit/world';
import { sql } from 'kysely';
import { setPrivateClips } from '../../src/links/queries.ts';
import { isKept } from '../../src/tasks/queries.ts';
import type { QuietWorld } from '../support/quiet-world.ts';

export function shareSuite(current: () => QuietWorld): void {
  describe('share links', () => {
    let world: QuietWorld;
    let as: string;
    let clip: Library;
    before(async () => {
      world = current();
      as = (await world.post('/users', {})).body.id;
      clip = await world.addClip({ userId: as });
    });

    const share = async (id = clip.projectId, asked: NewShare = {}): Promise<ShareWithUrl> => {
      const { status, body } = await world.post(`/projects/${id}/shares`, asked, { as });
      assert.equal(status, 201, JSON.stringify(body));
      return shareWithUrlSchema.parse(body);
    };
    const list = async (id = clip.projectId) =>
      (await world.get(`/projects/${id}/shares`, { as })).body;
    const revoke = (id: string, of = clip.projectId) =>
      world.call('DELETE', `/projects/${of}/shares/${id}`, undefined, { as });
    const read = async (url: string) => {
      const answer = await world.fetch(url);
      return { status: answer.status, headers: answer.headers, text: await answer.text() };
    };
    /** Another address of the same link, such as that of its download. */
    const of = (url: string, part: string, more = '') => `${url.replace('?', `/${part}?`)}${more}`;
    const db = () => world.jobs.service.db;
    const rowsOf = async (id: string): Promise<number> =>
      (await sql`select from share_links where id = ${id}`.execute(db())).rows.length;
    const withFolder = async (userId = as): Promise<Library & { folder: string }> => {
      const folder = randomUUID();
      return { ...(await insertLibrary(db(), { userId, folderId: folder })), folder };
    };

    it('are made, listed and revoked, and show their address once', async () => {
      const { url, ...made } = await share(undefined, { download: true });
      assert.deepEqual([made.download, made.expires_at, made.revoked_at], [true, null, null]);
      const [, id, key] = /\/share\/([^?]+)\?key=([\w-]{43})$/.exec(url)!;
      assert.equal(id, made.id);
      assert.deepEqual(await list(), [made]);
      assert.equal((await read(url)).status, 200);
      assert.equal((await revoke(made.id)).status, 204);
      assert.equal((await revoke(made.id)).status, 204, 'once more changes nothing');
      const [revoked] = await list();
      assert.ok(Date.parse(revoked.revoked_at) <= Date.now());
      const { rows } = await sql`select * from share_links where id = ${id}`.execute(db());
      assert.ok(!JSON.stringify(rows).includes(key!), 'only a hash is stored');
      const log = JSON.stringify(world.jobs.log);
      assert.ok(log.includes(`/share/${id}`) && !log.includes(key!), 'the log has no key');
      const noted = world.jobs.log.filter(({ share: one }) => one === id);
      assert.deepEqual(
        noted.map(({ event, action }) => [event, action]),
        ['create', 'revoke', 'revoke'].map((action) => ['share-audit', action]),
      );
    });

    it('are of the user’s own clips and folders, and end in the future', async () => {
      const other = (await world.post('/users', {})).body.id;
      const path = `/projects/${clip.projectId}/shares`;
      const { id } = await share();
      assertProblem(await world.post(path, {}, { as: other }), 404, 'clip-not-found');
      assertProblem(await world.get(path, { as: other }), 404, 'clip-not-found');
      const foreign = await world.call('DELETE', `${path}/${id}`, undefined, { as: other });
      assertProblem(foreign, 404, 'clip-not-found');
      assertProblem(await revoke(randomUUID()), 404, 'not-found');
      const { projectId } = await world.addClip({ userId: as });
      assertProblem(await revoke(id, projectId), 404, 'not-found');
      const past = { expires_at: new Date(Date.now() - 1000).toISOString() };
      assertProblem(await world.post(path, past, { as }), 422, 'unprocessable');
      for (const wrong of [{ expires_at: 'soon' }, { download: 'yes' }, { password: 'x' }]) {
        assertProblem(await world.post(path, wrong, { as }), 400, 'invalid-request');
      }
    });

    it('are 100 open ones at most', async () => {
      const { projectId } = await world.addClip({ userId: as });
      const first = await share(projectId);
      for (let count = 1; count < 100; count += 1) await share(projectId);
      const refused = await world.post(`/projects/${projectId}/shares`, {}, { as });
      assertProblem(refused, 422, 'unprocessable');
      assert.equal(refused.body.reason, 'too-many-shares');
      await revoke(first.id, projectId);
      await share(projectId);
    });

    it('open the player of a clip, which no search engine lists and no other site hears of', async () => {
      const { url } = await share();
      const { status, headers, text } = await read(url);
      assert.equal(status, 200);
      assert.match(text, /<meta name="robots" content="noindex/);
      assert.equal(headers.get('referrer-policy'), 'no-referrer');
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.ok(!text.includes('og:'), 'nothing is told to sites that preview links');
      assert.ok(!/download/.test(text.replaceAll('noindex', '')), 'there is no download');
      const state = await read(of(url, 'state'));
      assert.equal(JSON.parse(state.text).name, 'clip');
      for (const part of ['&download', '&download=x']) {
        assert.equal((await read(`${url}${part}`)).status, 404, 'there is no file');
      }
    });

    it('say why they open nothing: revoked, ended, or none', async () => {
      const soon = new Date(Date.now() + 3_600_000).toISOString();
      const [revoked, ended] = [await share(), await share(undefined, { expires_at: soon })];
      assert.equal(ended.expires_at, soon);
      await revoke(revoked.id);
      await sql`update share_links set expires_at = now() - interval '1 second'
        where id = ${ended.id}`.execute(db());
      for (const [{ url }, words] of [
        [revoked, 'This link was withdrawn'],
        [ended, 'This link has expired'],
      ] as const) {
        const { status, text, headers } = await read(url);
        assert.equal(status, 410);
        assert.ok(text.includes(words) && !text.includes('data-view'), text);
        assert.equal(headers.get('referrer-policy'), 'no-referrer');
        assert.equal((await read(`${url}&download`)).status, 410);
        assert.equal((await read(of(url, 'state'))).status, 410);
      }
      const { url } = await share();
      const wrong = await read(url.replace(/key=.{5}/, 'key=AAAAA'));
      const keyless = await read(url.replace(/\?.*/, ''));
      const unknown = await read(url.replace(/share\/[^?]+/, `share/${randomUUID()}`));
      const plain = ({ status, headers, text }: typeof wrong) => [
        ...[status, text],
        ...[...headers].filter(([name]) => name !== 'date'),
      ];
      assert.equal(wrong.status, 404);
      assert.ok(wrong.text.includes('The address may be incomplete'));
      assert.deepEqual(plain(wrong), plain(unknown));
      assert.deepEqual(plain(keyless), plain(unknown));
      assert.equal((await read(of(url, 'state').replace(/key=.{5}/, 'key=AAAAA'))).status, 404);
    });

    it('are 429 for who tries many addresses, and open for others', async () => {
      const { url } = await share();
      const calls = world.calls({});
      const ask = async (path: string) => (await calls.call('GET', path)).status;
      const wrong = `/../share/${randomUUID()}?key=x`;
      const statuses: number[] = [];
      for (let count = 0; count < 62; count += 1) statuses.push(await ask(wrong));
      assert.ok(statuses.slice(0, 55).every((status) => status === 404));
      assert.equal(statuses.at(-1), 429);
      assert.equal((await read(url)).status, 200);
    });

    describe('with a download', () => {
      it('give the export that is there, and never start one', async () => {
        const { projectId } = await world.addClip({ userId: as });
        const { url } = await share(projectId, { download: true });
        const none = await read(url);
        assert.ok(none.text.includes('No file to download yet'));
        assert.ok(!none.text.includes('&amp;download'));
        const missing = await read(`${url}&download`);
        assert.equal(missing.status, 404);
        assert.ok(missing.text.includes('It has not been exported.'));
        const exports = async () => (await world.get('/exports', { as })).body.length;
        const before = await exports();
        const started = await world.post(`/projects/${projectId}/exports`, {}, { as });
        assert.equal((await read(`${url}&download`)).status, 404, 'it is not ready');
        await world.finish(started.body.id);
        const ready = await read(url);
        const address = /href="\.\.\/(share\/[^"]+&amp;download)"/.exec(ready.text)![1]!;
        const answer = await world.fetch(`${world.url}/${address.replaceAll('&amp;', '&')}`);
        assert.equal(answer.status, 200);
        assert.equal(answer.headers.get('content-disposition'), 'attachment; filename="clip.mp4"');
        assert.equal(answer.headers.get('cache-control'), 'private, no-store');
        assert.ok((await answer.arrayBuffer()).byteLength > 1000);
        assert.equal(await exports(), before + 1, 'the viewers have started none');
        const other = await share(projectId);
        assert.equal((await read(`${other.url}&download`)).status, 404);
      });
    });

    describe('of a folder', () => {
      it('show its clips with names and posters, and open each', async () => {
        const { folder, projectId } = await withFolder();
        const { url } = await share(folder);
        const { status, text } = await read(url);
        assert.equal(status, 200);
        assert.ok(text.includes(`../player/${projectId}/poster.jpg`));
        const href = /href="\.\.\/(share\/[^"]+clip=[^"]+)"/.exec(text)![1]!;
        const page = await read(`${world.url}/${href.replaceAll('&amp;', '&')}`);
        assert.equal(page.status, 200);
        assert.ok(page.text.includes('data-view') && page.text.includes('All clips'));
        const state = await read(of(url, 'state', `&clip=${projectId}`));
        assert.equal(state.status, 200);
        const outside = await read(`${url}&clip=${clip.projectId}`);
        assert.equal(outside.status, 404, 'a clip that is not in it');
        assert.equal((await read(of(url, 'state', `&clip=${clip.projectId}`))).status, 404);
        assert.equal((await read(of(url, 'state'))).status, 404, 'no clip is named');
        await sql`update projects set preview = 'failed', preview_key = null
          where id = ${projectId}`.execute(db());
        assert.ok((await read(url)).text.includes('There are no clips here yet.'));
      });

      it('take the clip of no other link', async () => {
        const single = await share();
        const { projectId } = await withFolder();
        const { text } = await read(`${single.url}&clip=${projectId}`);
        assert.ok(text.includes(clip.projectId) && !text.includes(projectId));
      });
    });

    it('open private clips, by addresses that end soon', async () => {
      const { organization_id } = world.jobs.user;
      const { folder, projectId } = await withFolder();
      const [one, all] = [await share(projectId), await share(folder)];
      const poster = `previews/${projectId}/1-a.jpg`;
      const copy = join(world.jobs.directory, 'work', 'shared-poster');
      await cp(join(world.jobs.directory, 'footage', 'scene.mp4'), copy);
      await world.jobs.service.storage.put(poster, copy);
      const set = async (isPrivate: boolean | null): Promise<void> => {
        await setPrivateClips(db(), organization_id, isPrivate);
        const { accounts } = world.jobs.service.changes;
        await eventually(async () =>
          assert.equal(await accounts.privateClips(organization_id), isPrivate),
        );
      };
      await set(true);
      try {
        const player = `${world.url}/player/${projectId}`;
        assert.equal((await world.fetch(`${player}/poster.jpg`)).status, 404);
        for (const page of [await read(one.url), await read(all.url)]) {
          const [, query] = /poster\.jpg\?(expires=\d+&(?:amp;)?(?:amp;)?signature=[\w-]+)/.exec(
            page.text.replaceAll('&quot;', '"'),
          )!;
          const signed = new URLSearchParams(query!.replaceAll('amp;', ''));
          const seconds = Number(signed.get('expires')) - Date.now() / 1000;
          assert.ok(seconds > 800 && seconds <= 900, `${seconds}`);
          assert.equal((await world.fetch(`${player}/poster.jpg?${signed}`)).status, 200);
        }
        const state = JSON.parse((await read(of(one.url, 'state'))).text);
        assert.match(state.video, /\?expires=\d+&signature=/);
      } finally {
        await set(null);
      }
    });

    it('keep a clip when its task gets other words, until they are revoked', async () => {
      const { projectId } = await withFolder();
      const kept = async (): Promise<boolean> => {
        const { rows } = await sql<{ kept: boolean }>`
          select ${isKept} as kept from projects where id = ${projectId}`.execute(db());
        return rows[0]!.kept;
      };
      assert.equal(await kept(), false);
      const { id } = await share(projectId);
      assert.equal(await kept(), true);
      await revoke(id, projectId);
      assert.equal(await kept(), false);
    });

    it('are deleted with the clip, the video and the user', async () => {
      const user = (await world.post('/users', {})).body.id;
      const [one, two] = [await withFolder(user), await withFolder(user)];
      const make = async (id: string) =>
        (await world.post(`/projects/${id}/shares`, {}, { as: user })).body.id as string;
      const ofClip = await make(one.projectId);
      const ofFolder = await make(one.folder);
      const ofOther = await make(two.projectId);
      const path = `/projects/${one.folder}/${one.projectId}`;
      assert.equal((await world.call('DELETE', path, undefined, { as: user })).status, 204);
      assert.deepEqual([await rowsOf(ofClip), await rowsOf(ofFolder)], [0, 1]);
      await world.call('DELETE', `/tasks/${one.taskId}`, undefined, { as: user });
      assert.deepEqual([await rowsOf(ofFolder), await rowsOf(ofOther)], [0, 1]);
      assert.equal((await world.call('DELETE', `/users/${user}`)).status, 204);
      assert.equal(await rowsOf(ofOther), 0);
    });
  });
}
