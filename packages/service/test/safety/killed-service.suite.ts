import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { exportSchema, taskSchema, type Export, type Task } from 'clip-kit/contract';
import { waitFor } from 'clip-testkit/wait-for';
import { openDatabase } from '../../src/db/open.ts';
import {
  callChild,
  processesWith,
  startChild,
  type ChildService,
} from '../support/child-service.ts';
import { makeFootage, probe } from 'clip-testkit/footage';
import { heldPrograms, type HeldPrograms } from 'clip-testkit/held-programs';
import { mediaServer, type Answer } from 'clip-testkit/media-server';
import { finished } from 'clip-testkit/settled';
import { eventually } from 'clip-testkit/world';

const hasty = fileURLToPath(new URL('../support/hasty-service.ts', import.meta.url));

// One story: work is brought to a stand in every stage at once, the service is killed, started
// again, and all of it has to end well.
describe('the service killed by kill -9 in every stage', () => {
  let directory: string;
  let dataDir: string;
  let programs: HeldPrograms;
  let service: ChildService;
  let server: Awaited<ReturnType<typeof mediaServer>>;
  let environment: Record<string, string>;
  let key: string;
  let project: string;
  let early: Export;
  /** Paths of the tasks and exports that stood in each stage. */
  const stood = new Map<string, string>();

  /** Answers that stand still, by path: how many times more. */
  const stalls = new Map<string, number>();
  const stalling =
    (path: string, answer: Answer): Answer =>
    (request, response) => {
      const left = stalls.get(path) ?? 0;
      stalls.set(path, left - 1);
      if (left > 0) request.resume();
      else answer(request, response);
    };
  const bytes =
    (body: Buffer): Answer =>
    (_, response) =>
      response.writeHead(200, { 'content-length': body.length }).end(body);
  const json =
    (body: unknown): Answer =>
    (request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
  const asked = (path: string, times = 1): Promise<boolean> =>
    waitFor(
      `${times} requests for ${path}`,
      () => server.asked.filter((one) => one === path).length >= times,
      () => server.asked,
    );

  const call = (method: string, path: string, body?: unknown) =>
    callChild(service, key, method, path, body);
  const ended = <T extends Task | Export>(
    path: string,
    schema: { parse(body: unknown): T },
  ): Promise<T> =>
    finished(path, async () => {
      const { status, body } = await call('GET', path);
      assert.equal(status, 200, JSON.stringify(body));
      return schema.parse(body);
    });
  const begin = async (name: string, kind: 'video' | 'shorts' = 'video'): Promise<string> => {
    const wishes =
      kind === 'video'
        ? { editing_options: {} }
        : { target_clip_count: 1, min_duration: 3, max_duration: 8, target_duration: 4 };
    const { status, body } = await call('POST', `/tasks/video-to-${kind}`, {
      source_video_url: server.url(name),
      dimensions: { width: 108, height: 192 },
      ...wishes,
    });
    assert.equal(status, 201, JSON.stringify(body));
    return `/tasks/${body.id}`;
  };
  const startExport = async (): Promise<string> => {
    const { status, body } = await call('POST', `/projects/${project}/exports`, {});
    assert.equal(status, 201, JSON.stringify(body));
    return `/projects/${project}/exports/${body.id}`;
  };
  const beginExportWith = (image: string): Promise<unknown> =>
    call('POST', `/projects/${project}/exports`, { watermark: { src_url: server.url(image) } });
  const idOf = (path: string): string => path.split('/').at(-1)!;
  const kept = async (path: string): Promise<string[]> =>
    readdir(join(dataDir, path)).catch(() => []);

  /** The file of an address is there, and whole. */
  const assertWhole = async (url: string): Promise<void> => {
    const response = await fetch(url);
    const body = Buffer.from(await response.arrayBuffer());
    assert.equal(response.status, 200, url);
    assert.equal(body.length, Number(response.headers.get('content-length')));
    const { seconds } = await probe(url);
    assert.ok(url.endsWith('.jpg') || seconds > 2, String(seconds));
  };
  const restart = async (): Promise<void> => {
    service = await startChild(environment, hasty);
  };
  const killNow = async (): Promise<void> => {
    await service.end('SIGKILL');
    await waitFor(
      'no program outlives the service',
      () => processesWith(directory).length === 0,
      () => processesWith(directory),
    );
  };

  /**
   * The database of the moment between the rename of a file and the note of it: the files are
   * there, and nobody knows.
   */
  const forget = async (): Promise<void> => {
    const { db, close } = await openDatabase({ dataDir });
    const again = { status: 'processing', finished_at: null } as const;
    const id = idOf(stood.get('rename of an export')!);
    await db
      .updateTable('exports')
      .set({ ...again, file_key: null })
      .where('id', '=', id)
      .execute();
    const taskId = idOf(stood.get('rename of a source')!);
    await db
      .updateTable('tasks')
      .set({ ...again, source: null, scanned: false })
      .where('id', '=', taskId)
      .execute();
    // At that moment there was no clip yet, and no preview of it.
    const clips = await db
      .deleteFrom('projects')
      .where('task_id', '=', taskId)
      .returning('id')
      .execute();
    for (const clip of clips) {
      await rm(join(dataDir, 'files/previews', clip.id), { recursive: true });
    }
    await close();
  };

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'clip-killed-'));
    dataDir = join(directory, 'data');
    const footage = join(directory, 'footage');
    await mkdir(footage);
    programs = await heldPrograms(join(directory, 'programs'));
    await mkdir(join(directory, 'tmp'));
    await makeFootage(footage);
    const file = (name: string) => readFile(join(footage, name));
    const [talk, speech, scene, logo] = await Promise.all(
      ['talk.mp4', 'talk.vtt', 'scene.mp4', 'logo.png'].map(file),
    );
    const answers: Record<string, Answer> = {
      '/talk.mp4': bytes(talk!),
      '/talk.vtt': bytes(speech!),
      '/logo.png': bytes(logo!),
      '/slow.png': bytes(logo!),
      '/v1/audio/transcriptions': json({
        text: 'Why do most people stop?',
        segments: [{ start: 0.2, end: 2, text: 'Why do most people stop?' }],
      }),
      '/v1/chat/completions': json({ choices: [{ message: { content: '{"clips":[]}' } }] }),
    };
    for (const name of [
      'whole',
      'slow',
      'probe',
      'sound',
      'picture',
      'piece',
      'heard',
      'first',
      'poster',
    ]) {
      answers[`/${name}.mp4`] = bytes(scene!);
    }
    for (const path of ['/framing.mp4', '/preview.mp4', '/other.mp4'])
      answers[path] = bytes(scene!);
    server = await mediaServer(
      Object.fromEntries(
        Object.entries(answers).map(([path, answer]) => [path, stalling(path, answer)]),
      ),
    );
    environment = {
      DATA_DIR: dataDir,
      PATH: programs.path,
      TMPDIR: join(directory, 'tmp'),
      CLIP_ALLOW_PRIVATE_SOURCES: '1',
      SPEECH_URL: server.url('/v1'),
      RANKING_URL: server.url('/v1'),
      RANKING_MODEL: 'any',
    };
    await restart();
    key = service.apiKey ?? '';

    const [whole, other] = await Promise.all([begin('/whole.mp4'), begin('/other.mp4')]);
    stood.set('rename of a source', other);
    await ended(other, taskSchema);
    const first = await ended(whole, taskSchema);
    assert.equal(first.status, 'ready', JSON.stringify(first.failure));
    project = first.output_id;
    stood.set('rename of an export', await startExport());
    early = await ended(stood.get('rename of an export')!, exportSchema);
    assert.equal(early.status, 'ready');

    await programs.hold('probe', '-show_format');
    stood.set('probe', await begin('/probe.mp4'));
    await programs.reached('probe');

    for (const [stage, text, name] of [
      ['scan of the sound', '-f s16le', '/sound.mp4'],
      ['scan of the picture', '-threads 1 -skip_frame nokey', '/picture.mp4'],
      ['piece of sound', '-sample_fmt s16', '/piece.mp4'],
      ['framing', '-skip_loop_filter all', '/framing.mp4'],
      ['first poster', '-skip_frame noref', '/first.mp4'],
      ['poster', '-filter_complex [0:0]setpts', '/poster.mp4'],
      ['preview', '-b:a 96k', '/preview.mp4'],
    ] as const) {
      await programs.hold(stage, text);
      stood.set(stage, await begin(name));
      await programs.reached(stage);
    }

    stalls.set('/v1/audio/transcriptions', 1);
    const before = server.asked.filter((path) => path === '/v1/audio/transcriptions').length;
    stood.set('transcript', await begin('/heard.mp4'));
    await asked('/v1/audio/transcriptions', before + 1);

    stalls.set('/v1/chat/completions', 1);
    stood.set('candidates', await begin('/talk.mp4', 'shorts'));
    await asked('/v1/chat/completions');

    await programs.hold('export', '-b:a 160k');
    stood.set('export', await startExport());
    await programs.reached('export');

    // Late, as the service waits for an answer for 15 s only.
    stalls.set('/slow.mp4', 1);
    stood.set('ingest', await begin('/slow.mp4'));
    await asked('/slow.mp4');

    stalls.set('/slow.png', 1);
    const cut = Promise.allSettled([beginExportWith('/slow.png'), beginExportWith('/logo.png')]);
    await programs.hold('watermark', 'watermark.part.png');
    await asked('/slow.png');
    await programs.reached('watermark');

    await killNow();
    assert.ok((await cut).every(({ status }) => status === 'rejected'));
    await forget();
    await programs.release();
    stalls.clear();
    await restart();
  });
  after(async () => {
    service?.process.kill('SIGKILL');
    await server?.close();
    await rm(directory, { recursive: true, force: true });
  });

  // prettier-ignore
  const stages = [
    'ingest', 'probe', 'scan of the sound', 'scan of the picture', 'piece of sound',
    'transcript', 'candidates', 'framing', 'first poster', 'poster', 'preview', 'rename of a source',
  ];
  for (const stage of stages) {
    it(`in the ${stage}: the task ends ready`, async () => {
      const task = await ended(stood.get(stage)!, taskSchema);
      assert.equal(task.status, 'ready', JSON.stringify(task.failure));
      const { status, body } = await call('GET', `/projects/${task.output_id}`);
      assert.equal(status, 200);
      for (const { id } of [body].flat()) {
        // What earlier attempts have left goes after the task is ready.
        await eventually(async () => {
          const files = await kept(`files/previews/${id}`);
          assert.equal(files.length, 3, 'a preview, a poster and a storyboard, once each');
        });
        await eventually(async () => assert.deepEqual(await kept(`files/posters/${task.id}`), []));
        for (const file of await kept(`files/previews/${id}`))
          await assertWhole(`${service.url}/files/previews/${id}/${file}`);
      }
    });
  }

  it('in the render of an export: it ends ready, and its file is whole', async () => {
    const made = await ended(stood.get('export')!, exportSchema);
    assert.equal(made.status, 'ready', JSON.stringify(made.failure));
    await assertWhole(made.src_url!);
  });

  it('between the rename of an export’s file and the note of it: it is made again, once', async () => {
    const made = await ended(stood.get('rename of an export')!, exportSchema);
    assert.equal(made.status, 'ready', JSON.stringify(made.failure));
    await assertWhole(made.src_url!);
    await eventually(async () => assert.equal((await kept(`files/exports/${made.id}`)).length, 1));
    const first = new URL(early.src_url!).pathname;
    assert.notEqual(new URL(made.src_url!).pathname, first);
    assert.equal((await fetch(service.url + first)).status, 404);
  });

  it('leaves no unfinished file', async () => {
    await eventually(async () => assert.deepEqual(await kept('work'), []));
    assert.deepEqual(await kept('../tmp'), []);
  });

  it('in the fetch of a watermark: there is no export, and nothing has been counted', async () => {
    const { body } = await call('GET', '/exports');
    assert.equal(body.length, 2);
    assert.deepEqual(await kept('files/watermarks'), []);
    const last = await ended(await startExport(), exportSchema);
    assert.equal(last.status, 'ready');
    assert.equal((await call('POST', `/projects/${project}/exports`, {})).status, 402);
  });
});
