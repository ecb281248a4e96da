import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import {
  editDocumentSchema,
  editRevisionsSchema,
  exportListSchema,
  projectSchema,
  type EditDocument,
  type Project,
} from 'clip-kit/contract';
import { createClipHost, memoryStore } from 'clip-host';
import { waitFor } from 'clip-testkit/wait-for';
import { fieldsOf, type Answer, type World } from 'clip-testkit/world';

export function editSuite(current: () => World): void {
  describe('the edit of a clip', () => {
    let world: World;
    let as: string;
    let clip: Project;
    before(async () => {
      world = current();
      ({ as, clip } = await world.copy());
    });

    const path = () => `/projects/${clip.id}/edit`;
    const read = async (): Promise<EditDocument> => {
      const { status, body, headers } = await world.get(path(), { as });
      assert.equal(status, 200, JSON.stringify(body));
      const document = editDocumentSchema.parse(body);
      assert.equal(headers.get('etag'), `"${document.revision}"`);
      return document;
    };
    const patch = (changes: unknown, match: string | null = '*', user = as): Promise<Answer> =>
      world.call(
        'PATCH',
        path(),
        { changes },
        { as: user, headers: match === null ? {} : { 'If-Match': match } },
      );
    const changed = async (changes: unknown): Promise<EditDocument> => {
      const { status, body } = await patch(changes);
      assert.equal(status, 200, JSON.stringify(body));
      return editDocumentSchema.parse(body);
    };
    /** The preview of the newest revision is there. */
    const settled = (): Promise<EditDocument> =>
      waitFor('the preview', async () => {
        const document = await read();
        return document.preview !== 'preparing' && document;
      });

    it('names the clip’s words, shots and options, and the revision', async () => {
      const document = await read();
      assert.equal(document.revision, 1);
      assert.deepEqual(document.changes, {});
      assert.equal(document.editable.start, 0);
      assert.ok(document.editable.end > document.ranges.at(-1)!.end);
      assert.ok(document.words.length > 0);
      const [from, to] = [document.ranges[0]!.start, document.ranges.at(-1)!.end];
      assert.ok(
        document.words.some(({ start, end }) => end <= from || start >= to),
        'words beside the clip',
      );
      assert.equal(document.shots[0]!.mode, 'crop');
      assert.equal(document.editing_options['captions'], true);
      assert.equal(document.duration, clip.duration);
      assert.equal(clip.revision, 1);
    });

    it('is another user’s secret', async () => {
      const other = await world.user();
      assert.equal((await world.get(path(), { as: other })).status, 404);
      assert.equal((await patch({ title: 'Mine' }, '*', other)).status, 404);
      assert.equal((await world.get(`${path()}/revisions`, { as: other })).status, 404);
      const revert = await world.post(
        `${path()}/revert`,
        { revision: 1 },
        { as: other, headers: { 'If-Match': '*' } },
      );
      assert.equal(revert.status, 404);
      assert.equal((await world.get('/projects/nothing/edit', { as })).status, 404);
    });

    it('changes only for those who say which revision they have seen', async () => {
      const { revision } = await read();
      const without = await patch({ title: 'A' }, null);
      assert.deepEqual([without.status, without.body.code], [428, 'revision-missing']);
      const old = await patch({ title: 'A' }, `"${revision + 7}"`);
      assert.deepEqual([old.status, old.body.code], [412, 'revision-changed']);
      assert.equal(old.headers.get('etag'), `"${revision}"`);
      const [one, other] = await Promise.all(
        ['First', 'Second'].map((title) => patch({ title }, `"${revision}"`)),
      );
      assert.deepEqual([one!.status, other!.status].toSorted(), [200, 412]);
      assert.equal((await read()).revision, revision + 1);
    });

    it('says of what cannot be the field, the limit and what was sent, and keeps nothing', async () => {
      const before = await read();
      const end = before.editable.end;
      for (const [changes, field, message] of [
        [{ end: end + 100 }, 'changes.end', `must be 0 to ${end} seconds, was ${end + 100}`],
        [{ title: 'x'.repeat(101) }, 'changes.title', /must be at most 100 characters, was "xxx/],
        [{ description: 'x'.repeat(2001) }, 'changes.description', /at most 2000 characters/],
        [{ tags: Array.from('123456789') }, 'changes.tags', /must be at most 8, was \["1"/],
        [{ tags: ['bees', 'Bees'] }, 'changes.tags', /must differ/],
        [{ tags: ['bees', '#wasps'] }, 'changes.tags.1', /must be text without #, .* was "#wasps"/],
        [{ cover: { time: end + 1 } }, 'changes.cover.time', /must be 0 to .* seconds, was/],
        [{ cover: { time: 1, size: 2 } }, 'changes.cover.size', /unknown field/],
        [{ tags: [''] }, 'changes.tags.0', /must be text without/],
        [{ shots: [{ start: 1, end: 2, mode: 'round' }] }, 'changes.shots.0.mode', /was "round"/],
        [{ dimensions: { width: 9999 } }, 'changes.dimensions.width', /16 to 4096, was 9999/],
        [{ removed: [{ start: 0, end }] }, 'changes.removed', /must play 1 to 180 seconds/],
        [{ words: { 9999: 'x' } }, 'changes.words.9999', /the clip has words 0 to/],
        [{ speakers: { one: 'Ann' } }, 'changes.speakers.one', /must be names by the number/],
        [{ speakers: { 1: 'x'.repeat(61) } }, 'changes.speakers.1', /must be at most 60 char/],
        [{ colour: 'red' }, 'changes.colour', /unknown field/],
        [{ style_preset_id: 'nope' }, 'changes.style_preset_id', /nope/],
      ] as const) {
        const { status, body } = await patch(changes);
        assert.equal(status, 422, JSON.stringify(body));
        assert.deepEqual(fieldsOf({ status, body } as Answer), [field]);
        const said = body.errors[0].message as string;
        if (typeof message === 'string') assert.equal(said, message);
        else assert.match(said, message);
      }
      assert.deepEqual(await read(), before);
      const bad = await world.call('PATCH', path(), {}, { as, headers: { 'If-Match': '*' } });
      assert.equal(bad.status, 400);
    });

    it('is changed field by field, null takes a change back, and each is a revision', async () => {
      const first = await read();
      const word = first.words.find(({ start }) => start >= first.ranges[0]!.start)!;
      const words = { [word.key]: 'Bananas' };
      const second = await changed({ words, editing_options: { emojis: false } });
      assert.equal(second.revision, first.revision + 1);
      assert.equal(second.words.find(({ key }) => key === word.key)?.original, word.text);
      assert.match(JSON.stringify(second.edit), /Bananas/);
      const third = await changed({
        words: null,
        title: 'Other',
        editing_options: { emojis: null },
      });
      assert.deepEqual(third.changes, { ...first.changes, title: 'Other' });
      const same = await changed({ title: 'Other' });
      assert.equal(same.revision, third.revision, 'nothing has changed');

      const { body } = await world.get(`${path()}/revisions`, { as });
      const revisions = editRevisionsSchema.parse(body);
      assert.deepEqual(
        revisions.map(({ revision }) => revision),
        Array.from({ length: third.revision }, (_, index) => third.revision - index),
      );
      const revert = await world.post(
        `${path()}/revert`,
        { revision: second.revision },
        { as, headers: { 'If-Match': `"${third.revision}"` } },
      );
      assert.equal(revert.status, 200);
      const reverted = editDocumentSchema.parse(revert.body);
      assert.equal(reverted.revision, third.revision + 1);
      assert.deepEqual(reverted.edit, second.edit);
      const unknown = await world.post(
        `${path()}/revert`,
        { revision: 999 },
        { as, headers: { 'If-Match': '*' } },
      );
      assert.deepEqual([unknown.status, fieldsOf(unknown)], [422, ['revision']]);
    });

    it('is followed by the preview, and the old one plays until then', async () => {
      const state = async () =>
        (await (await fetch(`${world.service.url}/player/${clip.id}/state`)).json()) as {
          state: string;
          video: string;
          width: number;
        };
      await settled();
      const old = await state();
      assert.equal(old.state, 'ready');
      const { revision } = await changed({ dimensions: { width: 54, height: 96 } });
      const during = await state();
      assert.deepEqual([during.state, during.video], ['ready', old.video]);
      const document = await settled();
      assert.equal(document.revision, revision);
      assert.equal(document.preview, 'ready');
      const next = await state();
      assert.notEqual(next.video, old.video);
      assert.equal((await fetch(`${world.service.url}/${next.video}`)).status, 200);
      const project = (await world.get(`/projects/${clip.folder_id}/${clip.id}`, { as })).body;
      assert.deepEqual(
        [projectSchema.parse(project).revision, projectSchema.parse(project).width],
        [revision, 54],
      );
    });

    it('has texts for a post, and those that a person writes cost no render', async () => {
      const project = async (): Promise<Project> =>
        projectSchema.parse(
          (await world.get(`/projects/${clip.folder_id}/${clip.id}`, { as })).body,
        );
      const made = await changed({ title: null, words: null });
      assert.deepEqual(
        [made.titles[0], made.description, made.tags],
        // None of its sentences describes it.
        [clip.name, clip.description ?? '', clip.tags],
      );
      await settled();
      const file = await world.get(`/projects/${clip.id}/download`, { as });
      assert.equal(file.status, 200);
      const { body } = await world.get(`/exports?project_id=${clip.id}`, { as });
      const before = exportListSchema.parse(body)[0]!;
      assert.deepEqual([before.description, before.tags], [clip.description, clip.tags]);

      const written = { description: ' Two lines,\nof mine. ', tags: ['Bees', 'how they dance'] };
      const after = await changed(written);
      assert.deepEqual([after.revision, after.preview], [before.revision! + 1, 'ready']);
      const shown = { ...written, description: 'Two lines,\nof mine.' };
      const { revision, description, tags, titles } = await project();
      assert.deepEqual(
        [revision, { description, tags }, titles],
        [after.revision, shown, made.titles],
      );
      const [one, ...more] = exportListSchema.parse(
        (await world.get(`/exports?project_id=${clip.id}`, { as })).body,
      );
      assert.equal(more.length, 0);
      const { id, revision: ofExport, description: told, tags: named } = one!;
      assert.deepEqual([id, ofExport, told], [before.id, after.revision, shown.description]);
      assert.deepEqual(named, shown.tags);
      assert.equal((await changed({ description: '' })).description, '');
      const back = await changed({ description: null, tags: null });
      assert.deepEqual([back.description, back.tags], [made.description, made.tags]);
    });

    it('is called by the title that a person writes', async () => {
      const name = async (): Promise<string> =>
        projectSchema.parse(
          (await world.get(`/projects/${clip.folder_id}/${clip.id}`, { as })).body,
        ).name;
      await changed({ title: 'Mine' });
      assert.equal(await name(), 'Mine');
      const copy = projectSchema.parse(
        (await world.post(`/projects/${clip.id}/copy`, {}, { as })).body,
      );
      assert.deepEqual([copy.name, copy.titles], ['Mine', clip.titles]);
      await changed({ title: 'Mine again' });
      await changed({ title: null });
      assert.equal(await name(), clip.name);
    });

    it('is read and changed through a host, and clips are made through it', async () => {
      const store = memoryStore();
      await store.replace({ kind: 'user', hostUser: 'ann', id: '' }, null, { at: 0, value: as });
      const host = createClipHost({
        service: { baseUrl: `${world.service.url}/v2`, apiKey: world.key },
        store,
        authenticate: () => ({ id: 'ann' }),
        basePath: '/clips',
        log: () => {},
      });
      const call = async (
        method: string,
        at: string,
        body?: unknown,
        headers: Record<string, string> = {},
      ) => {
        const response = await host(
          new Request(`https://site.example/clips/projects/${at}`, {
            method,
            headers: {
              'Sec-Fetch-Site': 'same-origin',
              'Content-Type': 'application/json',
              ...headers,
            },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          }),
        );
        const { status } = response;
        return {
          status,
          tag: response.headers.get('ETag'),
          body: (await response.json()) as Record<string, unknown>,
        };
      };
      const before = await read();
      const at = `${clip.id}/edit`;
      const got = await call('GET', at);
      assert.deepEqual([got.status, got.tag], [200, `"${before.revision}"`]);
      assert.deepEqual(got.body, before);
      const change = { changes: { title: 'Through the host' } };
      const tag = { 'If-Match': got.tag! };
      const refused = await call('PATCH', at, { changes: { start: -1 } }, tag);
      assert.deepEqual([refused.status, refused.body['code']], [422, 'unprocessable']);
      assert.match(JSON.stringify(refused.body['errors']), /changes\.start/);
      assert.equal((await call('PATCH', at, change)).body['code'], 'revision-missing');
      const made = await call('PATCH', at, change, tag);
      assert.deepEqual([made.status, made.tag], [200, `"${before.revision + 1}"`]);
      const late = await call('PATCH', at, change, tag);
      assert.deepEqual([late.status, late.body['code']], [412, 'revision-changed']);
      assert.equal((await read()).title, 'Through the host');
      for (const [to, body] of [
        [`${clip.folder_id}`, { start: 0, end: 2, name: 'Mine' }],
        [`${clip.id}/copy`, {}],
      ] as const) {
        const key = { 'Idempotency-Key': `test-${crypto.randomUUID()}` };
        const one = await call('POST', to, body, key);
        assert.equal(one.status, 201, JSON.stringify(one.body));
        assert.notEqual(projectSchema.parse(one.body).id, clip.id);
        assert.equal((await call('POST', to, body, key)).body['id'], one.body['id']);
      }
    });
  });
}
