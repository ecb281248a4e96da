import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { uploadSchema, type Upload } from 'clip-kit/contract';
import { SignJWT } from 'jose';
import { ServiceClient } from 'clip-kit/client';
import { waitFor } from 'clip-testkit/wait-for';
import { zipOf } from 'clip-testkit/hostile-files';
import { ffmpeg } from 'clip-testkit/media-footage';
import { keptFootage } from 'clip-testkit/footage';
import {
  cuttingProxy,
  hangingPatch,
  makeUpload,
  offsetOf,
  patch,
  patchStream,
  sendFile,
  tusCall,
} from '../support/uploads.ts';
import { assertProblem, eventually, fieldsOf, type World } from 'clip-testkit/world';

const megabyte = 1024 ** 2;

/** The site whose visitors upload by way of the host that the service carries. */
export const uploadSite = { secrets: ['s'.repeat(43)], origins: ['https://www.example.com'] };

export function uploadSuite(current: () => World): void {
  describe('uploads', () => {
    let world: World;
    let scene: Buffer;
    let subtitles: Buffer;
    let as: string;

    before(async () => {
      world = current();
      const footage = await keptFootage();
      [scene, subtitles] = await Promise.all([
        readFile(join(footage, 'scene.mp4')),
        readFile(join(footage, 'talk.vtt')),
      ]);
      as = await world.user();
    });

    const make = (body: Record<string, unknown> = {}, user = as): Promise<Upload> =>
      makeUpload(world, { name: 'scene.mp4', size: scene.length, ...body }, { as: user });
    const read = async (id: string, user = as): Promise<Upload> =>
      uploadSchema.parse((await world.get(`/uploads/${id}`, { as: user })).body);
    const remove = (id: string, user = as) =>
      world.call('DELETE', `/uploads/${id}`, undefined, { as: user });
    const sent = async (body: Record<string, unknown> = {}, bytes = scene): Promise<Upload> => {
      const upload = await make({ size: bytes.length, ...body });
      await sendFile(upload.url, bytes);
      return upload;
    };
    const whole = (more: Record<string, unknown>) =>
      world.post('/tasks/video-to-video', world.whole(more), { as });
    /** A file that begins as a video does, and goes on with anything. */
    const largeFile = (bytes: number): Buffer =>
      Buffer.concat([scene.subarray(0, 4096), randomBytes(bytes - 4096)]);

    it('are made by the API, once for each key, with an address that nobody can guess', async () => {
      const client = new ServiceClient({ baseUrl: `${world.service.url}/v2`, apiKey: world.key });
      const options = { onBehalfOf: as, idempotencyKey: randomUUID() };
      const asked = { name: 'My talk.mp4', size: 10, type: 'video/mp4', seconds: 60 };
      const [one, again] = await Promise.all([1, 2].map(() => client.createUpload(asked, options)));
      assert.deepEqual(again, one);
      assert.deepEqual(await client.getUpload(one!.id, { onBehalfOf: as }), one);
      const { id, url, created_at, expires_at, ...rest } = one!;
      assert.deepEqual(rest, {
        status: 'open',
        protocol: 'tus',
        name: 'My talk.mp4',
        size: 10,
        offset: 0,
      });
      assert.equal(url, `${world.service.url}/uploads/${id}`);
      assert.ok(id.length >= 43);
      assert.equal(Date.parse(expires_at) - Date.parse(created_at), 24 * 60 * 60 * 1000);
      assert.ok(!JSON.stringify(world.log).includes(id), 'the log does not give it away');
      await client.deleteUpload(id, { onBehalfOf: as });
      assertProblem(await world.get(`/uploads/${id}`, { as }), 404, 'not-found');
    });

    it('become the source and the words of a task without being fetched, and go with it', async () => {
      const [upload, words] = [await sent(), await sent({ name: 'Talk.VTT' }, subtitles)];
      assert.deepEqual(
        [(await read(upload.id)).status, (await read(upload.id)).offset],
        ['finished', scene.length],
      );
      const requests = world.sources.requests.length;
      const created = await whole({ source_video_url: upload.url, subtitles_url: words.url });
      assert.equal(created.status, 201, JSON.stringify(created.body));
      const task = await world.finishTask(created.body.id, as);
      assert.equal(task.status, 'ready', JSON.stringify(task.failure));
      assert.deepEqual(task.notes, [], 'its words are known');
      assert.equal(world.sources.requests.length, requests);
      const copies = await world.kept(`files/sources/${task.id}`);
      assert.ok(!copies.some((name) => name.includes('source')), 'nothing was copied');
      assertProblem(await remove(upload.id), 422, 'unprocessable');
      const again = await whole({ source_video_url: upload.url });
      assert.equal(again.status, 201, JSON.stringify(again.body));
      await world.call('DELETE', `/tasks/${task.id}`, undefined, { as });
      assert.equal((await read(upload.id)).status, 'finished', 'the other task has it too');
      await world.call('DELETE', `/tasks/${again.body.id}`, undefined, { as });
      assertProblem(await world.get(`/uploads/${upload.id}`, { as }), 404, 'not-found');
      await eventually(async () =>
        assert.ok(!(await world.kept('files/uploads')).includes(upload.id)),
      );
    });

    it('of sound alone become a video with a wave, in a source of its own', async () => {
      const sound = join(world.directory, 'sound.mp3');
      await ffmpeg(['-f', 'lavfi', '-i', 'sine=d=4', sound]);
      const upload = await sent({ name: 'sound.mp3' }, await readFile(sound));
      const created = await whole({ source_video_url: upload.url });
      assert.equal(created.status, 201, JSON.stringify(created.body));
      const task = await world.finishTask(created.body.id, as);
      assert.equal(task.status, 'ready', JSON.stringify(task.failure));
      const kept = await world.kept(`files/sources/${task.id}`);
      assert.ok(
        kept.some((name) => name.endsWith('source.mkv')),
        kept.join(),
      );
      const { body: project } = await world.get(`/projects/${task.output_id}`, { as });
      assert.equal(Math.round(project.duration), 4);
      await world.call('DELETE', `/tasks/${task.id}`, undefined, { as });
      assertProblem(await world.get(`/uploads/${upload.id}`, { as }), 404, 'not-found');
    });

    it('become the words of a task that has none, on its stored source', async () => {
      const before = await whole({ name: 'Scene', language: 'de' });
      const task = await world.finishTask(before.body.id, as);
      assert.deepEqual(
        task.notes?.map(({ code }) => code),
        ['no-words'],
      );
      const requests = world.sources.requests.length;
      const path = `/tasks/${task.id}/words`;
      const words = await sent({ name: 'talk.vtt' }, subtitles);
      const asked = { subtitles_url: words.url, language: 'en' };
      const options = { as, headers: { 'Idempotency-Key': randomUUID() } };
      const answer = await world.post(path, asked, options);
      assert.deepEqual([answer.status, answer.body.id], [202, task.id]);
      assert.equal((await world.post(path, asked, options)).body.id, task.id);
      const after = await world.finishTask(task.id, as);
      assert.deepEqual([after.status, after.notes, after.name], ['ready', [], 'Scene']);
      assert.equal(world.sources.requests.length, requests, 'nothing was fetched');
      const { body: clip } = await world.get(`/projects/${task.output_id}`, { as });
      assert.equal(clip.id, task.output_id);
      const file = await world.get(`/projects/${clip.id}/files/words.json`, { as });
      assert.equal(file.status, 200, 'the clip has words');

      // Another file takes its place, from an address this time; the first one is not needed.
      const address = { subtitles_url: world.sources.at('talk.vtt') };
      assert.equal((await world.post(path, address, { as })).status, 202);
      assert.equal((await world.finishTask(task.id, as)).status, 'ready');
      assertProblem(await world.get(`/uploads/${words.id}`, { as }), 404, 'not-found');
      for (const gone of ['/tasks/%00/words', '/tasks/none/words']) {
        assertProblem(await world.post(gone, address, { as }), 404, 'not-found');
      }
      const user = await world.user();
      assertProblem(await world.post(path, address, { as: user }), 404, 'not-found');

      const headers = { 'If-Match': '*' };
      const edit = `/projects/${clip.id}/edit`;
      const edited = await world.call(
        'PATCH',
        edit,
        { changes: { title: 'Mine' } },
        { as, headers },
      );
      assert.equal(edited.status, 200, JSON.stringify(edited.body));
      assert.equal((await world.post(path, address, { as })).body.reason, 'clip-edited');
    });

    it('are asked for where nothing recognises speech', async () => {
      const task = await world.finishTask((await whole({})).body.id, as);
      const refused = await world.post(`/tasks/${task.id}/words`, {}, { as });
      assertProblem(refused, 422, 'unprocessable');
      assert.equal(refused.body.reason, 'unsupported');
      assert.match(refused.body.detail, /does not recognise speech/);
      const unknown = await world.post(`/tasks/${task.id}/words`, { name: 'x' }, { as });
      assertProblem(unknown, 400, 'invalid-request');
      const page = { subtitles_url: world.sources.at('logo.png') };
      const unread = await world.post(`/tasks/${task.id}/words`, page, { as });
      assert.deepEqual([unread.status, unread.body.reason], [422, 'subtitles-not-text']);
      assert.deepEqual((await world.get(`/tasks/${task.id}`, { as })).body, task);
    });

    it('become the words of sound alone, which stays sound alone', async () => {
      await ffmpeg(['-f', 'lavfi', '-i', 'sine=d=4', join(world.directory, 'footage/tone.mp3')]);
      const source_video_url = world.sources.at('tone.mp3');
      const old = await world.finishTask((await whole({ source_video_url })).body.id, as);
      assert.equal(old.picture_url, undefined, 'a wave is not a picture of the source');
      const words = await sent({ name: 'talk.vtt' }, subtitles);
      const asked = { subtitles_url: words.url, language: 'en' };
      await world.post(`/tasks/${old.id}/words`, asked, { as });
      const task = await world.finishTask(old.id, as);
      assert.deepEqual([task.status, task.notes], ['ready', []]);
      assert.equal(task.picture_url, undefined);
    });

    it('are not words if they are videos, and words are refused for the reason', async () => {
      const video = await sent();
      const asked = { source_video_url: world.sources.at('scene.mp4') };
      const swapped = await whole({ ...asked, subtitles_url: video.url });
      assertProblem(swapped, 422, 'unprocessable');
      assert.equal(swapped.body.reason, 'upload-of-another-kind');
      assert.deepEqual(fieldsOf(swapped), ['subtitles_url']);
      const missing = await whole({ ...asked, subtitles_url: world.sources.at('none.vtt') });
      assert.deepEqual([missing.status, missing.body.reason], [422, 'subtitles-unreachable']);
      const page = await whole({ ...asked, subtitles_url: world.sources.at('logo.png') });
      assert.deepEqual([page.status, page.body.reason], [422, 'subtitles-not-text']);
      assert.deepEqual(fieldsOf(page), ['subtitles_url']);
    });

    it('arrive whole over a connection that is cut again and again', async () => {
      const bytes = largeFile(5 * megabyte);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const upload = await make({ size: bytes.length, sha256 });
      const proxy = await cuttingProxy(upload.url, megabyte);
      await sendFile(proxy.url, bytes);
      assert.ok(proxy.cuts() > 3, String(proxy.cuts()));
      proxy.close();
      assert.equal((await read(upload.id)).status, 'finished');
      await remove(upload.id);
    });

    it('are taken over by a new connection while the old one hangs', async () => {
      const bytes = largeFile(megabyte);
      const upload = await make({ size: bytes.length });
      const half = bytes.length / 2;
      const hanging = hangingPatch(upload.url, 0, bytes.subarray(0, half));
      await waitFor('half of it', async () => (await read(upload.id)).offset === half);
      assert.equal(await offsetOf(upload.url), half);
      assert.equal((await patch(upload.url, half, bytes.subarray(half))).status, 204);
      await hanging.end();
      assert.equal((await read(upload.id)).status, 'finished');
      await remove(upload.id);
    });

    describe('are refused before a byte is sent', () => {
      const refused = (body: Record<string, unknown>, user = as) =>
        world.post('/uploads', { name: 'scene.mp4', size: 1000, ...body }, { as: user });

      it('if the file is too large, or the video too long', async () => {
        const large = await refused({ size: 65 * megabyte });
        assertProblem(large, 413, 'body-too-large');
        assert.match(large.body.detail, /has 68 MB\. The limit for a video is 67 MB/);
        assertProblem(await refused({ name: 'a.srt', size: 17 * megabyte }), 413, 'body-too-large');
        const long = await refused({ seconds: 6 * 3600 + 720 });
        assertProblem(long, 422, 'unprocessable');
        assert.match(long.body.detail, /is 6 h 12 min long\. The limit is 5 h 0 min/);
      });

      it('if the body does not fit', async () => {
        for (const body of [
          { size: 0 },
          { size: 1.5 },
          { name: '' },
          { sha256: 'x' },
          { more: 1 },
        ]) {
          assertProblem(await refused(body), 400, 'invalid-request');
        }
      });

      it('if the user has too many', async () => {
        const user = await world.user();
        for (let made = 0; made < 8; made += 1) await make({}, user);
        const answer = await refused({}, user);
        assertProblem(answer, 429, 'rate-limited');
        assert.equal(answer.body.reason, 'open-uploads');
        assert.ok(Number(answer.headers.get('retry-after')) > 0);
        assert.equal((await refused({})).status, 201, 'another user has room');
        await world.call('DELETE', `/users/${user}`);
      });

      it('if the user has too many bytes', async () => {
        const user = await world.user();
        for (let made = 0; made < 3; made += 1) await make({ size: 60 * megabyte }, user);
        const answer = await refused({ size: 60 * megabyte }, user);
        assertProblem(answer, 429, 'rate-limited');
        assert.equal(answer.body.reason, 'upload-bytes');
      });
    });

    describe('end at the first piece', () => {
      for (const [what, name, bytes, reason] of [
        [
          'a zip bomb',
          'bomb.mp4',
          zipOf('video.mp4', Buffer.alloc(100 * megabyte)),
          'source-not-video',
        ],
        ['a playlist', 'list.mp4', Buffer.from('#EXTM3U\n'.padEnd(9000, 'x')), 'source-playlist'],
        [
          'a page',
          'page.srt',
          Buffer.from('<!doctype html>'.padEnd(9000, 'x')),
          'subtitles-not-text',
        ],
      ] as const) {
        it(`if the file is ${what}, with the words of the engine`, async () => {
          const upload = await make({ name, size: megabyte });
          const answer = await patch(upload.url, 0, bytes);
          assertProblem(answer, 422, 'unprocessable');
          assert.equal(answer.body.reason, reason);
          assert.equal(answer.headers.get('access-control-allow-origin'), '*');
          assert.equal(await offsetOf(upload.url), 0);
          assert.ok(!(await world.kept(`files/uploads/${upload.id}`)).length);
          await remove(upload.id);
        });
      }

      it('also while a large file is on its way', async () => {
        const upload = await make({ size: 40 * megabyte });
        const error: unknown = await sendFile(
          upload.url,
          randomBytes(40 * megabyte).fill(1, 0, 1),
        ).catch((failure: unknown) => failure);
        assert.match(String(error), /neither a video nor sound in a supported format/);
        await remove(upload.id);
      });

      it('if the first piece is too small to tell', async () => {
        const upload = await make();
        const answer = await patch(upload.url, 0, scene.subarray(0, 100));
        assert.deepEqual([answer.status, answer.body.reason], [422, 'head-too-short']);
        await remove(upload.id);
      });
    });

    it('that are real videos and lack their end are refused by the engine', async () => {
      const upload = await sent({}, scene.subarray(0, scene.length / 5));
      const task = await whole({ source_video_url: upload.url });
      assertProblem(task, 422, 'unprocessable');
      assert.equal(task.body.reason, 'source-truncated');
      assert.match(task.body.detail, /its header says 3 s/);
      assert.equal((await remove(upload.id)).status, 204, 'no task has it');
    });

    describe('cannot be misused', () => {
      it('by another user', async () => {
        const upload = await sent();
        const other = await world.user();
        assertProblem(await world.get(`/uploads/${upload.id}`, { as: other }), 404, 'not-found');
        assertProblem(await remove(upload.id, other), 404, 'not-found');
        const body = world.whole({ source_video_url: upload.url });
        const task = await world.post('/tasks/video-to-video', body, { as: other });
        assertProblem(task, 422, 'unprocessable');
        assert.equal(task.body.reason, 'upload-unknown');
        assert.deepEqual(fieldsOf(task), ['source_video_url']);
        await remove(upload.id);
      });

      it('before it is finished', async () => {
        const upload = await make();
        assert.equal((await patch(upload.url, 0, scene.subarray(0, 5000))).status, 204);
        const task = await whole({ source_video_url: upload.url });
        assertProblem(task, 422, 'unprocessable');
        assert.equal(task.body.reason, 'upload-not-finished');
        await remove(upload.id);
      });

      it('to change a file that is finished', async () => {
        const upload = await sent();
        for (const [offset, bytes] of [
          [0, scene],
          [scene.length, Buffer.from('more')],
          [scene.length - 1, Buffer.from('x')],
        ] as const) {
          assert.ok([409, 413].includes((await patch(upload.url, offset, bytes)).status));
        }
        const [name] = await world.kept(`files/uploads/${upload.id}`);
        const kept = join(world.directory, 'data/files/uploads', upload.id, name!);
        assert.ok((await readFile(kept)).equals(scene));
        await remove(upload.id);
      });

      it('by lies about size and offset', async () => {
        const upload = await make();
        const lengths = { 'Upload-Offset': '0', 'Upload-Length': '5' };
        const bytes = new Uint8Array(scene);
        assertProblem(await tusCall('PATCH', upload.url, lengths, bytes), 400, 'invalid-request');
        assertProblem(await patch(upload.url, 7, scene), 409, 'offset-mismatch');
        const more = Buffer.concat([scene, Buffer.from('more')]);
        assertProblem(await patch(upload.url, 0, more), 413, 'body-too-large');
        let answered = false;
        const endless = new ReadableStream<Uint8Array>({
          async pull(controller) {
            // Otherwise reading it keeps everything else from its turn, also the answer.
            await new Promise((resolve) => setImmediate(resolve));
            // Now and then fetch goes on reading when the connection has ended.
            if (answered) controller.close();
            else controller.enqueue(scene.subarray(0, 60_000));
          },
        });
        const streamed = await patchStream(upload.url, endless).catch(() => null);
        answered = true;
        if (streamed) assert.equal(streamed.status, 413);
        assert.equal((await read(upload.id)).status, 'open');
        assert.ok((await offsetOf(upload.url)) <= scene.length);
        await remove(upload.id);
      });

      it('by subtitles that are too much work to read: all else is answered meanwhile', async () => {
        const head = '[Events]\nDialogue: 0,0:00:01.00,0:00:09.00,D,,0,0,0,,';
        const bytes = Buffer.from(head.padEnd(16_000_000, '{'));
        const upload = await make({ name: 'talk.ass', size: bytes.length });
        let checks = 0;
        const count = (ended: unknown) => {
          checks += Number((ended as { program: string }).program === process.execPath);
        };
        subscribe('clip-engine:program', count);
        let isAnswered = false;
        const sending = patch(upload.url, 0, bytes).finally(() => (isAnswered = true));
        await waitFor('all of it', async () => (await read(upload.id)).offset === bytes.length);
        const again = tusCall('HEAD', upload.url);
        let answers = 0;
        for (; !isAnswered; answers += 1) await fetch(`${world.service.url}/livez`);
        assert.ok(answers > 20, `${answers} answers`);
        const { status, body } = await sending;
        assert.deepEqual([status, body.reason], [422, 'subtitles-too-large']);
        assert.equal((await again).status, 404);
        unsubscribe('clip-engine:program', count);
        assert.equal(checks, 1, 'it is read once');
        assertProblem(await world.get(`/uploads/${upload.id}`, { as }), 404, 'not-found');
        await eventually(async () =>
          assert.ok(!(await world.kept('files/uploads')).includes(upload.id)),
        );
      });

      it('by hostile subtitles of a session that may only view and upload', async () => {
        const iat = Math.floor(Date.now() / 1000);
        const claims = { aud: 'clip-host', sub: 'ann', iat, exp: iat + 300 };
        const session = await new SignJWT({ ...claims, permissions: ['view', 'upload'] })
          .setProtectedHeader({ alg: 'HS256' })
          .sign(new TextEncoder().encode(uploadSite.secrets[0]));
        const cue = '1\n00:00:01,000 --> 00:00:02,000\nword\n\n';
        for (const [name, text] of [
          [
            'talk.ass',
            '[Events]\nDialogue: 0,0:00:01.00,0:00:09.00,D,,0,0,0,,'.padEnd(460_000, '{\\p1'),
          ],
          ['talk.ttml', '<tt '.repeat(64_000)],
          ['talk.srt', cue.repeat(3_000)],
        ] as const) {
          const made = await fetch(`${world.service.url}/host/uploads`, {
            method: 'POST',
            headers: {
              ...{ Authorization: `Bearer ${session}`, Origin: uploadSite.origins[0]! },
              'Content-Type': 'application/json',
            },
            body: JSON.stringify({ name, size: text.length }),
          });
          assert.equal(made.status, 201, await made.clone().text());
          const { url } = (await made.json()) as { url: string };
          let isAnswered = false;
          const sending = patch(url, 0, Buffer.from(text)).finally(() => (isAnswered = true));
          let answers = 0;
          for (; !isAnswered; answers += 1) await fetch(`${world.service.url}/livez`);
          assert.ok(answers > 5, `${name}: ${answers} answers`);
          assert.ok([204, 422].includes((await sending).status), name);
        }
      });

      it('by a path in the name', async () => {
        const upload = await sent({ name: '../../../etc/passwd.mp4' });
        assert.equal((await read(upload.id)).name, '../../../etc/passwd.mp4');
        assert.equal((await world.kept(`files/uploads/${upload.id}`)).length, 1);
        await remove(upload.id);
      });

      it('by a file with another checksum, of which nothing is kept', async () => {
        const upload = await make({ sha256: '0'.repeat(64) });
        const answer = await patch(upload.url, 0, scene);
        assert.deepEqual([answer.status, answer.body.reason], [422, 'checksum']);
        assertProblem(await world.get(`/uploads/${upload.id}`, { as }), 404, 'not-found');
        await eventually(async () =>
          assert.ok(!(await world.kept('files/uploads')).includes(upload.id)),
        );
      });

      it('to read anything, or to make uploads without the API', async () => {
        const upload = await sent();
        for (const [method, url] of [
          ['GET', upload.url],
          ['POST', upload.url],
          ['POST', `${world.service.url}/uploads`],
        ] as const) {
          assertProblem(await tusCall(method, url), 405, 'method-not-allowed');
        }
        const unknown = `${world.service.url}/uploads/nobody-knows`;
        assertProblem(await patch(unknown, 0, scene), 404, 'not-found');
        assert.equal((await tusCall('HEAD', unknown)).status, 404);
        const problemOf = async (response: Response) => ({
          ...response,
          status: response.status,
          headers: response.headers,
          body: await response.json(),
        });
        const plain = await fetch(upload.url, { method: 'DELETE' });
        assertProblem(await problemOf(plain), 412, 'tus-required');
        const wrong = await fetch(upload.url, {
          method: 'PATCH',
          headers: { 'Tus-Resumable': '1.0.0', 'Upload-Offset': 'none' },
        });
        assertProblem(await problemOf(wrong), 400, 'invalid-request');
        const nul = await fetch(`${world.service.url}/uploads/a%00b`, {
          method: 'HEAD',
          headers: { 'Tus-Resumable': '1.0.0' },
        });
        assert.equal(nul.status, 404);
        await remove(upload.id);
      });
    });

    it('may be ended by anyone with the address, and sent by pages of any site', async () => {
      const upload = await make();
      const preflight = await tusCall('OPTIONS', upload.url, {
        Origin: 'https://site.example',
        'Access-Control-Request-Method': 'PATCH',
      });
      assert.equal(preflight.status, 204);
      assert.equal(preflight.headers.get('access-control-allow-origin'), '*');
      assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /PATCH/);
      assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /Upload-Offset/);
      assert.equal(preflight.headers.get('tus-extension'), 'termination');
      const { headers } = await tusCall('HEAD', upload.url, { Origin: 'https://site.example' });
      assert.match(headers.get('access-control-expose-headers') ?? '', /Upload-Offset/);
      assert.equal(headers.get('upload-length'), String(scene.length));
      assert.equal(headers.get('connection'), 'close', 'the bytes get a connection of their own');
      assert.equal((await tusCall('DELETE', upload.url)).status, 204);
      assert.equal((await tusCall('HEAD', upload.url)).status, 404);
    });

    it('are erased with their user', async () => {
      const user = await world.user();
      const upload = await make({}, user);
      await patch(upload.url, 0, scene.subarray(0, 5000));
      assert.ok((await world.kept('files/uploads')).includes(upload.id));
      assert.equal((await world.call('DELETE', `/users/${user}`)).status, 204);
      assert.equal((await tusCall('HEAD', upload.url)).status, 404);
      await eventually(async () =>
        assert.ok(!(await world.kept('files/uploads')).includes(upload.id)),
      );
    });
  });
}
