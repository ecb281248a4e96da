import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import {
  makeEdit,
  frameEdit,
  type EditInputs,
  type FramingAnalysis,
  type Style,
} from 'clip-engine';
import {
  editDocumentSchema,
  editRevisionsSchema,
  exportSchema,
  type Export,
  type Project,
  type TokenAnswer,
} from 'clip-kit/contract';
import { createClipHost, memoryStore, type ClipHostOptions } from 'clip-host';
import { waitFor } from 'clip-testkit/wait-for';
import { makeExportKey } from '../../../player/src/editor/editor-api.ts';
import { probe } from 'clip-testkit/footage';
import { assertProblem, eventually, type Answer, type World } from 'clip-testkit/world';

/** What `GET /embed-api/projects/{id}/edit` answers. */
interface EditorView {
  edit: unknown;
  inputs: EditInputs;
  analysis: FramingAnalysis | null;
  permissions: string[];
  presets: { id: string; name: string; style: Style }[];
  margin: string;
}

export function editorSuite(current: () => World): void {
  describe('the calls of the editor page', () => {
    let world: World;
    let as: string;
    let clip: Project;
    let token: string;
    before(async () => {
      world = current();
      ({ as, clip } = await world.copy());
      token = await world.token(as);
    });

    /** Calls the page's API; `path` below the clip. */
    async function call(
      method: string,
      path: string,
      body?: unknown,
      { headers = {}, by = token }: { headers?: Record<string, string>; by?: string | null } = {},
    ): Promise<Answer> {
      const answer = await fetch(`${world.service.url}/embed-api/projects/${clip.id}${path}`, {
        method,
        headers: {
          ...(by !== null && { Authorization: `Bearer ${by}` }),
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      const body_ = text && JSON.parse(text);
      return { status: answer.status, headers: answer.headers, body: body_ };
    }
    const tokenFor = async (permissions: string[]): Promise<string> => {
      const { status, body } = await world.post(`/users/${as}/tokens`, { permissions });
      assert.equal(status, 201, JSON.stringify(body));
      return body.external_access_token;
    };

    it('gives all that draws a change in the page, as the service will', async () => {
      const { status, body, headers } = await call('GET', '/edit');
      assert.equal(status, 200, JSON.stringify(body));
      const view = body as EditorView;
      const { revision } = editDocumentSchema.parse(view.edit);
      assert.equal(headers.get('etag'), `"${revision}"`);
      assert.equal(headers.get('access-control-allow-origin'), '*');
      assert.match(headers.get('access-control-expose-headers') ?? '', /ETag/i);
      assert.deepEqual(view.permissions, ['view', 'edit', 'export']);
      assert.equal(view.margin, 'source');
      const preset = view.presets[0]!;
      const changes = { title: 'Something else', start: 1, style_preset_id: preset.id };
      const guess = makeEdit(view.inputs, changes, {
        style: preset.style,
        analysis: view.analysis,
      });
      // Nobody has looked at all of it yet: what is known of its pictures is shown.
      const drawn = view.analysis ? frameEdit(guess, view.analysis) : guess;
      const patched = await call('PATCH', '/edit', { changes }, { headers: { 'If-Match': '*' } });
      assert.equal(patched.status, 200, JSON.stringify(patched.body));
      assert.equal(patched.headers.get('etag'), `"${revision + 1}"`);
      const document = editDocumentSchema.parse(patched.body.edit);
      assert.deepEqual(JSON.parse(JSON.stringify(drawn)), document.edit);
    });

    it('takes changes as /v2 does', async () => {
      assertProblem(await call('PATCH', '/edit', { changes: {} }), 428, 'revision-missing');
      const any = { headers: { 'If-Match': '*' } };
      const bad = await call('PATCH', '/edit', { changes: { end: 9999 } }, any);
      assertProblem(bad, 422, 'unprocessable');
      const revisions = editRevisionsSchema.parse((await call('GET', '/edit/revisions')).body);
      const reverted = await call(
        'POST',
        '/edit/revert',
        { revision: revisions.at(-1)!.revision },
        any,
      );
      assert.equal(reverted.status, 200, JSON.stringify(reverted.body));
      assert.deepEqual(editDocumentSchema.parse(reverted.body.edit).changes, {});
      const preflight = await call('OPTIONS', '/edit', undefined, {
        headers: { Origin: 'https://site.example', 'Access-Control-Request-Method': 'PATCH' },
        by: null,
      });
      assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /PATCH/);
      assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /If-Match/);
    });

    it('keeps the holder of a host’s token to the policies of its site', async () => {
      const store = memoryStore();
      await store.replace({ kind: 'user', hostUser: 'ann', id: '' }, null, { at: 0, value: as });
      const tokenOf = async (more: Partial<ClipHostOptions>): Promise<string> => {
        const host = createClipHost({
          service: { baseUrl: `${world.service.url}/v2`, apiKey: world.key },
          store,
          authenticate: () => ({ id: 'ann' }),
          basePath: '/clips',
          log: () => {},
          ...more,
        });
        const headers = { 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/json' };
        const url = 'https://site.example/clips/token';
        const answer = await host(new Request(url, { method: 'POST', headers, body: '{}' }));
        assert.equal(answer.status, 200);
        return ((await answer.json()) as TokenAnswer).external_access_token;
      };
      const exportOptions = () => ({ watermark: { src_url: 'https://site.example/mark.png' } });
      const all = await call('GET', '/edit', undefined, { by: await tokenOf({}) });
      assert.deepEqual(all.body.permissions, ['view', 'edit', 'export']);
      const viewer = await tokenOf({ exportOptions });
      assertProblem(await call('GET', '/edit', undefined, { by: viewer }), 403, 'forbidden');
      assertProblem(await call('POST', '/exports', {}, { by: viewer }), 403, 'forbidden');
      const editor = await tokenOf({ exportOptions, tokenPermissions: ['view', 'edit'] });
      const view = await call('GET', '/edit', undefined, { by: editor });
      assert.deepEqual(view.body.permissions, ['view', 'edit']);
      assertProblem(await call('POST', '/exports', {}, { by: editor }), 403, 'forbidden');
    });

    it('sends a draft of the filmstrip and of the wave before there is a proxy', async () => {
      const answer = await fetch(`${world.service.url}/embed-api/projects/${clip.id}/draft`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      assert.equal(answer.headers.get('content-type'), 'application/x-ndjson');
      const lines = (await answer.text()).trim().split('\n');
      const parts = lines.map((line) => JSON.parse(line));
      const { start, end, strip } = parts.find((part) => part.strip);
      assert.match(strip.url, /^data:image\/jpeg;base64,/);
      assert.equal(strip.count, Math.ceil((end - start) / strip.step_seconds));
      const waves = parts.filter((part) => part.wave).map((part) => part.wave);
      const seconds = waves.flatMap(({ peaks }) => peaks).length * waves[0].step_seconds;
      assert.ok(Math.abs(seconds - (end - start)) < 0.3, `${seconds} s of ${end - start}`);
    });

    it('ends the draft of a user who opens another editor', async () => {
      const open = () =>
        fetch(`${world.service.url}/embed-api/projects/${clip.id}/draft`, {
          headers: { Authorization: `Bearer ${token}` },
        });
      const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(open));
      const drafts = await Promise.all(answers.map((answer) => answer.text()));
      const whole = drafts.filter((text) => text.includes('"strip"'));
      assert.ok(whole.length > 0 && whole.length < drafts.length, `${whole.length}`);
    });

    it('makes the proxy of the source once, and gives it with its strip and wave', async () => {
      const none = await call('GET', '/proxy');
      assert.deepEqual([none.status, none.body.state, none.body.video], [200, 'missing', null]);
      const { editable } = editDocumentSchema.parse((await call('GET', '/edit')).body.edit);
      const asked = await Promise.all([1, 2, 3].map(() => call('POST', '/proxy')));
      assert.deepEqual(
        asked.map(({ status }) => status),
        [202, 202, 202],
      );
      const proxy = await waitFor('the proxy', async () => {
        const { body } = await call('GET', '/proxy');
        assert.notEqual(body.state, 'failed', body.message);
        return body.state === 'ready' && body;
      });
      assert.ok(Math.abs(proxy.start - editable.start) < 0.01);
      assert.ok(Math.abs(proxy.end - editable.end) < 0.01);
      const seconds = proxy.end - proxy.start;
      const { columns, rows, count, width, height, step_seconds: step, url } = proxy.strip;
      assert.equal(count, Math.ceil(seconds / step));
      assert.ok(columns * rows >= count && columns * (rows - 1) < count);
      const file = (address: string) => `${world.service.url}/${address}`;
      const strip = await probe(file(url));
      assert.deepEqual([strip.width, strip.height], [columns * width, rows * height]);
      const video = await probe(file(proxy.video));
      assert.ok(Math.abs(video.seconds - seconds) < 0.2);
      const { peaks } = proxy.wave;
      assert.ok(Math.abs(peaks.length * proxy.wave.step_seconds - seconds) < 0.3);
      assert.ok(peaks.every((peak: number) => peak >= 0 && peak <= 1));
      assert.ok(Math.max(...peaks) > 0.05, 'somebody speaks');
      const again = await call('POST', '/proxy');
      assert.deepEqual([again.body.state, again.body.video], ['ready', proxy.video]);
      const made = world.log.filter(({ event }) => event === 'proxy-ready');
      assert.equal(made.length, 1);
    });

    it('gives the source itself for a while, to those who may edit the clip and to nobody else', async () => {
      const { body } = await call('GET', '/proxy');
      const address = `${world.service.url}/${body.source}`;
      const sent = await fetch(address, { headers: { Range: 'bytes=4-7' } });
      assert.deepEqual([sent.status, await sent.text()], [206, 'ftyp']);
      assert.match(sent.headers.get('cache-control')!, /^private/);
      const whole = Buffer.from(await (await fetch(address)).arrayBuffer());
      assert.ok(whole.equals(await readFile(join(world.directory, 'footage', 'talk.mp4'))));

      const [place, sourceToken] = address.split('?source_token=') as [string, string];
      const refused = async (url: string, init?: RequestInit): Promise<void> => {
        assert.equal((await fetch(url, init)).status, 401, url);
      };
      await refused(place);
      await refused(place, { headers: { Authorization: `Bearer ${token}` } });
      // The token of the page is for no address, and that of an address for nothing else.
      await refused(`${place}?source_token=${token}`);
      const edit = `${world.service.url}/embed-api/projects/${clip.id}/edit`;
      await refused(edit, { headers: { Authorization: `Bearer ${sourceToken}` } });
      const other = (await world.library()).clip.id;
      await refused(address.replace(clip.id, other));
    });

    it('gives the fonts of the words that may be shown, and pictures of emoji', async () => {
      const { presets } = (await call('GET', '/edit')).body as EditorView;
      const query = new URLSearchParams({ text: 'Żółć', style_preset_id: presets[0]!.id });
      const { status, body } = await call('GET', `/fonts?${query}`);
      assert.equal(status, 200, JSON.stringify(body));
      assert.ok(body.fallback.length > 0);
      for (const file of body.files) {
        const signature = Buffer.from(file, 'base64').subarray(0, 4).toString('latin1');
        assert.ok(['\0\x01\0\0', 'OTTO', 'true'].includes(signature), signature);
      }
      const all = presets.map(({ id }) => id).join(',');
      const ofAll = (await call('GET', `/fonts?text=Żółć&style_preset_id=${all}`)).body;
      assert.ok(ofAll.files.length > body.files.length, 'the styles have several fonts');
      assert.equal(new Set(ofAll.files).size, ofAll.files.length);
      for (const file of body.files) assert.ok(ofAll.files.includes(file));
      for (const ids of ['nope', `${presets[0]!.id},nope`]) {
        const unknown = await call('GET', `/fonts?style_preset_id=${ids}`);
        assertProblem(unknown, 422, 'unprocessable');
      }
      const emoji = await fetch(`${world.service.url}/assets/emoji/${encodeURIComponent('🚀')}`);
      assert.deepEqual([emoji.status, emoji.headers.get('content-type')], [200, 'image/png']);
      assert.equal((await fetch(`${world.service.url}/assets/emoji/x`)).status, 404);
    });

    it('starts one export of a revision, and tells of the newest', async () => {
      const before = (await call('GET', '/allowance')).body;
      assert.deepEqual([before.counts, before.refusal], [true, null]);
      const key = () => ({ headers: { 'Idempotency-Key': randomUUID() } });
      const one = key();
      const [first, replayed] = await Promise.all(
        [1, 2].map(() => call('POST', '/exports', {}, one)),
      );
      assert.equal(first!.status, 201, JSON.stringify(first!.body));
      assert.equal(replayed!.body.id, first!.body.id);
      const exported = await world.finishExport(exportSchema.parse(first!.body), as);
      assert.equal(exported.status, 'ready');
      assert.equal((await call('POST', '/exports', {}, one)).body.id, exported.id);
      const { body } = await call('GET', '/exports');
      assert.deepEqual([body.processing, body.ready.id], [null, exported.id]);
      assert.equal(body.ready.revision, body.revision);
      assert.equal((await fetch(body.ready.src_url)).status, 200);
      assert.equal((await call('GET', '/allowance')).body.used, before.used + 1);
      const words = await call('GET', '/files/words.json');
      assert.equal(words.status, 200, JSON.stringify(words.body));
    });

    it('names the export of the revision that has failed, so that another one can be started', async () => {
      const start = async (failed: Export | null) => {
        const { revision } = (await call('GET', '/exports')).body;
        const headers = { 'Idempotency-Key': makeExportKey(clip.id, revision, failed) };
        const { status, body } = await call('POST', '/exports', {}, { headers });
        assert.equal(status, 201, JSON.stringify(body));
        return world.finishExport(exportSchema.parse(body), as);
      };
      const sources = join(world.directory, 'data', 'files', 'sources');
      await rename(sources, `${sources}-away`);
      const lost = await start(null);
      await rename(`${sources}-away`, sources);
      assert.equal(lost.status, 'error');
      const { failed } = (await call('GET', '/exports')).body;
      assert.equal(failed.id, lost.id);
      // A page that has not read of it yet gets the failed one again, and starts nothing.
      assert.equal((await start(null)).id, lost.id);
      const made = await start(failed);
      assert.equal(made.status, 'ready');
    });

    it('does what the token permits, and nothing for others', async () => {
      assertProblem(await call('GET', '/edit', undefined, { by: null }), 401, 'unauthenticated');
      const stranger = await world.token(await world.user());
      assertProblem(await call('GET', '/edit', undefined, { by: stranger }), 404, 'clip-not-found');
      const viewer = await tokenFor(['view']);
      const shown = await call('GET', '', undefined, { by: viewer });
      assert.deepEqual([shown.status, shown.body.permissions], [200, ['view']]);
      assert.deepEqual([shown.body.files, shown.body.download_url], [[], null]);
      assert.ok((await call('GET', '')).body.files.includes('edit.json'));
      assert.equal((await call('GET', '/files/edit.json')).status, 200);
      for (const [method, path] of [
        ['GET', '/edit'],
        ['PATCH', '/edit'],
        ['GET', '/edit/revisions'],
        ['POST', '/edit/revert'],
        ['GET', '/proxy'],
        ['POST', '/proxy'],
        ['GET', '/draft'],
        ['GET', '/fonts'],
        ['GET', '/exports'],
        ['POST', '/exports'],
        ['GET', '/allowance'],
        ['GET', '/files/words.json'],
      ] as const) {
        assertProblem(await call(method, path, undefined, { by: viewer }), 403, 'forbidden');
      }
      const editor = await tokenFor(['view', 'edit']);
      assert.equal((await call('GET', '/edit', undefined, { by: editor })).status, 200);
      assertProblem(await call('POST', '/exports', {}, { by: editor }), 403, 'forbidden');
      for (const permissions of [['edit'], ['view', 'own'], 'view', []]) {
        const refused = await world.post(`/users/${as}/tokens`, { permissions });
        assertProblem(refused, 400, 'invalid-request');
      }
    });

    it('refuses what the limits of a token do not allow, by whatever call', async () => {
      const { presets } = (await call('GET', '/edit')).body as EditorView;
      const [one, other] = presets.map(({ id }) => id) as [string, string];
      const any = { 'If-Match': '*' };
      const limited = async (editor: object) => {
        const body = { permissions: ['view', 'edit'], editor };
        const issued = await world.post(`/users/${as}/tokens`, body);
        assert.equal(issued.status, 201, JSON.stringify(issued.body));
        const by = issued.body.external_access_token;
        const change = (changes: object) =>
          call('PATCH', '/edit', { changes }, { headers: any, by });
        const refused = (answer: Answer, ...paths: string[]) => {
          assertProblem(answer, 403, 'forbidden');
          assert.equal(answer.body.reason, 'editor-limit');
          const named = answer.body.errors.map(({ path }: { path: string }) => path);
          assert.deepEqual(named, paths);
        };
        return { by, change, refused };
      };
      const changed = await call('PATCH', '/edit', { changes: {} }, { headers: any });
      const first = changed.body.edit.revision;
      const title = { changes: { title: 'Of another person', style_preset_id: other } };
      const wide = await call('PATCH', '/edit', title, { headers: any });
      assert.equal(wide.status, 200, JSON.stringify(wide.body));

      const styled = await limited({ tools: ['style'], presets: [one], text: false });
      const view = await call('GET', '/edit', undefined, { by: styled.by });
      assert.deepEqual(view.body.editor, { tools: ['style'], presets: [one], text: false });
      styled.refused(await styled.change({ start: 1 }), 'changes.start');
      const { event, fields } = world.log.findLast((one) => one.event === 'edit-refused')!;
      assert.deepEqual([event, fields], ['edit-refused', 'start']);
      styled.refused(await styled.change({ title: null }), 'changes.title');
      styled.refused(await styled.change({ words: { 1: '' } }), 'changes.words');
      styled.refused(
        await styled.change({ style_preset_id: other + 'x' }),
        'changes.style_preset_id',
      );
      const options = { editing_options: { remove_silences: true, emojis: true } };
      styled.refused(await styled.change(options), 'changes.editing_options.remove_silences');
      // A restore of the revision before would remove the title.
      const back = { revision: first };
      const restored = await call('POST', '/edit/revert', back, { headers: any, by: styled.by });
      styled.refused(restored, 'changes.title');
      const same = await styled.change({ style_preset_id: other });
      assert.equal(same.status, 200, 'what is so already is no change');
      for (const changes of [
        { style_preset_id: one },
        { editing_options: { emojis: true } },
        { editing_options: null },
        { style_preset_id: null, captions: { position: 'upper' } },
      ]) {
        const made = await styled.change(changes);
        assert.equal(made.status, 200, JSON.stringify([changes, made.body]));
      }
      const cutter = await limited({ tools: ['cut'] });
      cutter.refused(await cutter.change({ captions: null }), 'changes.captions');
      assert.equal((await cutter.change({ removed: [] })).status, 200);
      const now = (await call('GET', '/edit')).body.edit;
      assert.equal(now.changes.title, title.changes.title);
      assertProblem(await call('POST', '/exports', {}, { by: cutter.by }), 403, 'forbidden');
      const undone = await call('POST', '/edit/revert', back, { headers: any });
      assert.equal(undone.status, 200, 'a token without limits may');
    });

    it('issues no token with limits that are unknown', async () => {
      for (const editor of [{ tools: ['paint'] }, { tools: [] }, { colours: [] }, 'cut']) {
        const refused = await world.post(`/users/${as}/tokens`, { editor });
        assertProblem(refused, 400, 'invalid-request');
      }
      const unknown = await world.post(`/users/${as}/tokens`, { editor: { presets: ['nope'] } });
      assertProblem(unknown, 422, 'unprocessable');
      assert.equal(unknown.body.errors[0].path, 'editor.presets');
    });

    it('loses the proxy with the clip', async () => {
      const proxy = (await call('GET', '/proxy')).body;
      const files = [proxy.video, proxy.strip.url, proxy.source].map(
        (at) => `${world.service.url}/${at}`,
      );
      const statuses = () => Promise.all(files.map(async (at) => (await fetch(at)).status));
      assert.deepEqual(await statuses(), [200, 200, 200]);
      const path = `/projects/${clip.folder_id}/${clip.id}`;
      assert.equal((await world.call('DELETE', path, undefined, { as })).status, 204);
      assert.deepEqual(await statuses(), [404, 404, 404]);
      await eventually(async () =>
        assert.ok(!(await world.kept('files/proxies')).includes(clip.id)),
      );
      assertProblem(await call('GET', '/proxy'), 404, 'clip-not-found');
    });
  });
}
