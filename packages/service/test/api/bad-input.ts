import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { makeVideo } from 'clip-testkit/footage';
import type { QuietWorld } from '../support/quiet-world.ts';
import { assertProblem, eventually, fieldsOf } from 'clip-testkit/world';

/** The methods of a path in `openapi.json`. */
type Described = Record<string, { requestBody?: { content: Record<string, unknown> } }>;

export function badInputSuite(world: () => QuietWorld): void {
  const shorts = (more: Record<string, unknown>) =>
    world().post('/tasks/video-to-shorts', world().shorts(more));
  const whole = (more: Record<string, unknown>) =>
    world().post('/tasks/video-to-video', world().whole(more));

  describe('a task request that does not fit', () => {
    const misfits: [what: string, fields: Record<string, unknown>, path: string][] = [
      ['no source', { source_video_url: undefined }, 'source_video_url'],
      ['a source that is no address', { source_video_url: 'talk.mp4' }, 'source_video_url'],
      [
        'a source of another scheme',
        { source_video_url: 'file:///etc/passwd' },
        'source_video_url',
      ],
      ['a source with a password', { source_video_url: 'http://a:b@c.d/e' }, 'source_video_url'],
      ['an unknown field', { colour: 'red' }, 'colour'],
      ['an unknown field that is null', { colour: null }, 'colour'],
      ['no source, by null', { source_video_url: null }, 'source_video_url'],
      [
        'an unknown field inside',
        { editing_options: { subtitles: true } },
        'editing_options.subtitles',
      ],
      ['a duration over its range', { max_duration: 181 }, 'max_duration'],
      ['a duration under its range', { min_duration: 0 }, 'min_duration'],
      ['a target over its range', { target_duration: 121 }, 'target_duration'],
      ['a fraction for a whole number', { target_clip_count: 1.5 }, 'target_clip_count'],
      ['min over max', { min_duration: 30, max_duration: 20 }, 'min_duration'],
      [
        'a context that is too long',
        { transcription_context: 'x'.repeat(1001) },
        'transcription_context',
      ],
      ['text for a flag', { editing_options: { captions: 'yes' } }, 'editing_options.captions'],
      ['a width of nothing', { dimensions: { width: 0 } }, 'dimensions.width'],
      ['text that cannot be kept', { name: 'a\0b' }, 'name'],
    ];
    for (const [what, fields, path] of misfits) {
      it(`is 400 and names the field: ${what}`, async () => {
        const answer = await shorts(fields);
        assertProblem(answer, 400, 'invalid-request');
        assert.deepEqual(fieldsOf(answer), [path]);
      });
    }

    it('names every field at once', async () => {
      const answer = await shorts({ source_video_url: 1, min_duration: 0, colour: 'red' });
      assert.deepEqual(fieldsOf(answer), ['colour', 'min_duration', 'source_video_url']);
    });

    it('takes null for an optional field as if it were omitted', async () => {
      const nulls = { name: null, language: null, style_preset_id: null, translate_to: null };
      const answer = await whole({ ...nulls, editing_options: { captions: null, emojis: false } });
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      const bothNull = { watermark: null, preset_id: null };
      const { projectId } = await world().addClip();
      const started = await world().post(`/projects/${projectId}/exports`, bothNull);
      assert.equal(started.status, 201, JSON.stringify(started.body));
    });

    it('knows what belongs to video-to-video (4.2)', async () => {
      const counts = await whole({ target_clip_count: 3, min_duration: 2 });
      assert.deepEqual(fieldsOf(counts), ['min_duration', 'target_clip_count']);
      const options = await whole({ editing_options: undefined });
      assertProblem(options, 400, 'invalid-request');
      assert.deepEqual(fieldsOf(options), ['editing_options']);
    });
  });

  describe('a body that is no JSON object', () => {
    const post = (body: string, headers = {}) =>
      world().call('POST', '/tasks/video-to-video', body, { headers });

    it('is 400 where it is broken, a list, or not in UTF-8', async () => {
      assertProblem(await post('{"a":'), 400, 'invalid-request');
      assertProblem(await post('[]'), 400, 'invalid-request');
      assertProblem(await post(''), 400, 'invalid-request');
      const response = await world().fetch('/v2/users', {
        method: 'POST',
        headers: { Authorization: `Bearer ${world().key}`, 'Content-Type': 'application/json' },
        body: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      });
      assert.equal(response.status, 400);
    });

    it('is 400 where it is nested deeper than 64', async () => {
      const nested = (deep: number) => `${'['.repeat(deep)}${']'.repeat(deep)}`;
      const name = '['.repeat(100);
      const around = (deep: number) => `{"name":"${name}","colour":${nested(deep)}}`;
      const deep = await post(around(64));
      assertProblem(deep, 400, 'invalid-request');
      assert.match(deep.body.detail, /64 levels/);
      assert.match((await post(around(63))).body.detail, /colour/, '64 are read');
      const deepest = await post(`{"a":`.repeat(9000) + '1' + '}'.repeat(9000));
      assertProblem(deepest, 400, 'invalid-request');
      assert.match(deepest.body.detail, /64 levels/);
    });

    it('is 413 over 64 kB, with and without a stated length', async () => {
      const body = JSON.stringify({ name: 'x'.repeat(70_000) });
      assertProblem(await post(body), 413, 'body-too-large');
      const response = await world().fetch('/v2/users', {
        method: 'POST',
        headers: { Authorization: `Bearer ${world().key}`, 'Content-Type': 'application/json' },
        body: new Blob([body]).stream(),
        duplex: 'half',
      } as RequestInit);
      assert.equal(response.status, 413);
    });

    it('is 415 in another type', async () => {
      assertProblem(
        await post('name=x', { 'Content-Type': 'application/x-www-form-urlencoded' }),
        415,
        'unsupported-media-type',
      );
    });
  });

  describe('a source that cannot be used', () => {
    const assertRefused = async (
      source_video_url: string,
      reason: string,
      path = '/tasks/video-to-video',
      body = world().whole(),
    ): Promise<void> => {
      const before = await world().kept('files/sources');
      const answer = await world().post(path, { ...body, source_video_url });
      assertProblem(answer, 422, 'unprocessable');
      assert.equal(answer.body.reason, reason);
      assert.deepEqual(fieldsOf(answer), ['source_video_url']);
      assert.deepEqual(await world().kept('files/sources'), before, 'nothing is kept');
      // What an earlier test has finished may still be tidied up.
      await eventually(async () =>
        assert.deepEqual(await world().kept('work'), [], 'nothing is left'),
      );
    };

    it('is 422 where it is no video', () =>
      assertRefused(world().sources.at('page.mp4'), 'source-not-video'));
    it('is 422 where it is a playlist in disguise', () =>
      assertRefused(world().sources.at('playlist.mp4'), 'source-playlist'));
    it('is 422 where it is not there', () =>
      assertRefused(world().sources.at('nothing.mp4'), 'source-unreachable'));
    it('is 422 where nobody answers', () =>
      assertRefused('http://127.0.0.1:1/talk.mp4', 'source-unreachable'));
    it('is 422 where it ends early', () =>
      assertRefused(world().sources.at('cut.mp4'), 'source-truncated'));

    for (const [what, seconds, path, body] of [
      ['15 minutes for video-to-video', 15 * 60, '/tasks/video-to-video', () => world().whole()],
      [
        '5 hours for video-to-shorts',
        5 * 60 * 60,
        '/tasks/video-to-shorts',
        () => world().shorts(),
      ],
    ] as const) {
      it(`is 422 where it is too long: over ${what}`, async () => {
        const name = `${seconds}.mp4`;
        await makeVideo(join(world().jobs.directory, 'footage', name), {
          seconds: seconds + 60,
          width: 64,
          height: 64,
          rate: '1/60',
          silent: true,
        });
        const source_video_url = world().sources.at(name);
        await assertRefused(source_video_url, 'source-too-long', path, body());
      });
    }

    it('does not repeat the query of the address', async () => {
      const answer = await whole({ source_video_url: world().sources.at('nothing.mp4?key=hush') });
      assertProblem(answer, 422, 'unprocessable');
      assert.doesNotMatch(JSON.stringify(answer.body), /hush/);
    });
  });

  describe('an address', () => {
    it('is 404 with a character that no text here has', async () => {
      for (const path of [
        '/v2/uploads/a%00b',
        '/v2/tasks/%00',
        '/files/exports/a%00b/c.mp4',
        '/player/%00',
      ]) {
        const response = await world().fetch(path, {
          headers: { Authorization: `Bearer ${world().key}` },
        });
        assert.equal(response.status, 404, path);
      }
    });

    it('names its methods if it has not the one of the call', async () => {
      const { body } = await world().get('/openapi.json');
      for (const [path, calls] of Object.entries(body.paths)) {
        const names = Object.keys(calls as object).map((name) => name.toUpperCase());
        const other = ['PUT', 'DELETE'].find((name) => !names.includes(name))!;
        const refused = await world().call(other, path.replaceAll(/\{\w+\}/g, 'x'), {});
        assertProblem(refused, 405, 'method-not-allowed');
        const allowed = refused.headers.get('allow')!.split(', ');
        const described = names.includes('GET') ? [...names, 'HEAD'] : names;
        assert.deepEqual(allowed.toSorted(), described.toSorted(), path);
      }
    });
  });

  describe('a field or a parameter that the call does not have', () => {
    it('is 400, and named, whatever the call', async () => {
      const { body: description } = await world().get('/openapi.json');
      const { taskId, projectId } = await world().addClip();
      const { id, ...story } = (await world().get('/style-presets/story')).body;
      const own = { id: `own-${id}`, name: story.name, description: 'x', style: story.style };
      assert.equal((await world().post('/style-presets', own)).status, 201);
      const ids: Record<string, string> = {
        ...{ task_id: taskId, preset_id: own.id, user_id: await world().user() },
        ...{ id: projectId, clip_id: projectId, project_id: projectId },
      };
      const asked: string[] = [];
      for (const [path, calls] of Object.entries<Described>(description.paths)) {
        const at = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'x');
        for (const [method, { requestBody }] of Object.entries(calls)) {
          const call = (address: string, body?: object) =>
            world().call(method.toUpperCase(), address, body, { headers: { 'If-Match': '*' } });
          const query = await call(`${at}?colour=red`, requestBody && {});
          assertProblem(query, 400, 'invalid-request');
          // Beside parameters that the call must have.
          assert.ok(fieldsOf(query).includes('colour'), `${method} ${path}`);
          if (!requestBody?.content['application/json']) continue;
          const answer = await call(at, { colour: 'red' });
          assertProblem(answer, 400, 'invalid-request');
          assert.ok(fieldsOf(answer).includes('colour'), `${method} ${path}`);
          asked.push(path);
        }
      }
      assert.ok(asked.length > 12, asked.join());
    });
  });

  describe('what this service cannot do yet', () => {
    it('is 422 and said, never ignored', async () => {
      const answer = await shorts({ translate_to: 'de' });
      assertProblem(answer, 422, 'unprocessable');
      assert.equal(answer.body.reason, 'unsupported');
      assert.deepEqual(fieldsOf(answer), ['translate_to']);
    });
  });
}
