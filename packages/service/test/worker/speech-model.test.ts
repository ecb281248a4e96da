import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Task, taskSchema } from 'clip-kit/contract';
import { namedModels } from '../../../engine/src/transcribers/speech-model.ts';
import { temporaryDirectory } from 'clip-testkit/media-footage';
import { waitFor } from 'clip-testkit/wait-for';
import { refusedStart } from '../support/child-service.ts';
import { eventually, World } from 'clip-testkit/world';
import { type Served, serve } from 'clip-testkit/serve';

const { files } = namedModels['base']!;
const decoder = files.find(({ name }) => name.includes('decoder'))!;
const totalBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
/** Of the decoder: 40 MB of the model are then here. */
const sentBytes = 40_000_000 - (totalBytes - decoder.bytes);

/** A mirror that sends the beginning of the decoder, and then waits to be cut off. */
class SlowMirror {
  readonly ranges: (string | undefined)[] = [];
  #response: ServerResponse | null = null;
  #served: Served | null = null;
  isOut = false;

  async open(): Promise<string> {
    this.#served = await serve(({ headers: { range } }, response) => {
      this.ranges.push(range);
      if (this.isOut) return response.writeHead(503).end();
      response.writeHead(200, { 'content-length': decoder.bytes });
      response.write(Buffer.alloc(sentBytes));
      this.#response = response;
    });
    return this.#served.origin;
  }

  sendMore(): void {
    this.#response?.write('more');
  }

  cutOff(): void {
    this.#response!.destroy();
  }

  async close(): Promise<void> {
    await this.#served?.close();
  }
}

describe('a service that recognises speech with a model that is not here', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  const mirror = new SlowMirror();
  let world: World;
  before(async () => {
    directory = await temporaryDirectory();
    await mkdir(join(directory.path, 'base'));
    for (const { name, bytes } of files.filter((file) => file !== decoder)) {
      await writeFile(join(directory.path, 'base', name), Buffer.alloc(bytes));
    }
    world = await World.start({
      speechModel: { directory: directory.path, url: await mirror.open() },
    });
  });
  after(async () => {
    await world.close();
    await mirror.close();
    await directory.remove();
  });

  const ready = async () => {
    const answer = await world.request('/readyz', {});
    return { status: answer.status, model: (await answer.json()).speech_model };
  };
  const logged = (event: string) => world.log.filter((entry) => entry.event === event);
  let task: Task;

  it('downloads it for the first video, and says how far that is', async () => {
    assert.deepEqual(await ready(), { status: 200, model: 'not downloaded' });
    const { body, status } = await world.post('/tasks/video-to-video', world.whole());
    assert.equal(status, 201);
    const { progress } = await waitFor('40 MB', async () => {
      task = taskSchema.parse((await world.get(`/tasks/${body.id}`)).body);
      assert.equal(task.status, 'processing', JSON.stringify(task));
      mirror.sendMore();
      return (task.progress?.bytes ?? 0) > 40_000_000 && task;
    });
    assert.equal(progress?.stage, 'speech-model');
    assert.equal(progress.total_bytes, totalBytes);
    assert.deepEqual(await ready(), { status: 200, model: 'downloading 40 of 161 MB' });
    assert.deepEqual(
      logged('speech-model').map(({ model, percent }) => [model, percent]),
      [
        ['base', 10],
        ['base', 20],
      ],
    );
  });

  it('makes clips without words if the download breaks off, with one note', async () => {
    mirror.isOut = true;
    mirror.cutOff();
    task = await world.finishTask(task.id);
    assert.equal(task.status, 'ready', JSON.stringify(task.failure));
    const [note, ...others] = task.notes ?? [];
    assert.deepEqual([note?.code, others], ['no-words', []]);
    assert.match(note!.message, /SPEECH_MODEL_URL.* SPEECH_MODEL .*folder.* SPEECH_URL/);
    assert.doesNotMatch(note!.message, /127\.0\.0\.1|ECONN/, 'that is for the operator');
    assert.match(String(logged('transcriber-failed')[0]!['reason']), /(?:broke off|status 503)/);
    const { status, model } = await ready();
    assert.equal(status, 200);
    assert.match(model, /^failed: The .*speech model base/);
  });

  for (const how of ['answers with an error', 'cannot be reached']) {
    it(`can be asked once more, also if the mirror ${how}`, async () => {
      if (how === 'cannot be reached') await mirror.close();
      const { status, body } = await world.post(`/tasks/${task.id}/words`);
      assert.equal(status, 202, JSON.stringify(body));
      const again = await world.finishTask(body.id);
      assert.equal(again.status, 'ready');
      const [no, why] = again.notes ?? [];
      assert.deepEqual([no?.code, why?.code], ['no-words', 'words-failed']);
      assert.match(why!.message, /could not download or read its speech model.*SPEECH_MODEL_URL/);
      await eventually(async () =>
        assert.match((await ready()).model, /^failed: .*(?:status 503|ECONNREFUSED)/),
      );
      assert.equal(mirror.ranges[0], undefined);
      assert.match(mirror.ranges[1]!, /^bytes=1\d{7}-$/, 'it would be continued');
    });
  }
});

describe('a speech model that is named and cannot be used', () => {
  it('ends the start with a sentence that says what to do', async () => {
    const directory = await temporaryDirectory();
    const folder = join(directory.path, 'model');
    await mkdir(folder);
    await writeFile(join(folder, 'base-encoder.int8.onnx'), Buffer.alloc(20_000));
    await writeFile(join(directory.path, 'ggml-base.bin'), 'lmgg and so on');
    const startWith = (model: string) =>
      refusedStart({ DATA_DIR: join(directory.path, 'data'), SPEECH_MODEL: model });
    try {
      for (const [model, said] of [
        [
          'huge',
          /^SPEECH_MODEL must be (?:one of )?tiny, base, small, parakeet, (?:or )?the path of a folder/,
        ],
        [folder, /^The folder in SPEECH_MODEL has no file base-decoder\.int8\.onnx\.$/],
        [join(directory.path, 'ggml-base.bin'), /^SPEECH_MODEL is the path of a ggml file/],
        [join(directory.path, 'nothing'), /^The folder in SPEECH_MODEL cannot be read \(ENOENT\)/],
      ] as const) {
        const refused = await startWith(model);
        assert.equal(refused.code, 1);
        assert.match(refused.said, said);
      }
    } finally {
      await directory.remove();
    }
  });
});
