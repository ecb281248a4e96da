import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Project } from 'clip-kit/contract';
import { ffmpeg } from 'clip-testkit/media-footage';
import { World } from 'clip-testkit/world';

describe('the segments of a task’s clips', () => {
  let world: World;
  let clips: Project[];
  before(async () => {
    world = await World.start({ segments: true });
    clips = await world.makeShorts();
  });
  after(() => world?.close());

  /** Path of an export of a clip. */
  const exported = async (of: World, clip: Project): Promise<string> => {
    const started = await of.post(`/projects/${clip.id}/exports`);
    const {
      status,
      src_url: url,
      failure,
    } = await of.finishExport({
      ...started.body,
      project_id: clip.id,
    });
    assert.equal(status, 'ready', JSON.stringify(failure));
    const path = join(of.directory, 'export.mp4');
    await writeFile(path, Buffer.from(await (await fetch(url!)).arrayBuffer()));
    return path;
  };

  const samplesOf = async (path: string): Promise<Int16Array> => {
    const raw = await ffmpeg(['-i', path, '-f', 's16le', '-c:a', 'pcm_s16le', 'pipe:1']);
    return new Int16Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.length));
  };

  it('are kept, one for each clip', async () => {
    const [task] = await world.kept('files/segments');
    assert.equal((await world.kept(`files/segments/${task}`)).length, clips.length);
    assert.ok(world.log.every(({ event }) => event !== 'no-segment'));
  });

  it('make the frames that the source makes, when that is gone', async () => {
    await rm(join(world.directory, 'data', 'files', 'sources'), { recursive: true });
    const plain = await World.start();
    try {
      const [clip] = await plain.makeShorts();
      const [own, others] = [await exported(world, clips[0]!), await exported(plain, clip!)];
      const frames = ['-map', '0:v', '-f', 'framemd5', 'pipe:1'];
      assert.deepEqual(
        await ffmpeg(['-i', own, ...frames]),
        await ffmpeg(['-i', others, ...frames]),
      );
      // AAC replaces noise by other noise, if it is read from another packet on.
      const [one, other] = await Promise.all([own, others].map(samplesOf));
      const power = (samples: Int16Array) => samples.reduce((sum, value) => sum + value ** 2, 0);
      const difference = one!.map((value, index) => value - other![index]!);
      assert.ok(power(difference) < power(other!) / 1000);
      assert.deepEqual(await plain.kept('files/segments'), []);
    } finally {
      await plain.close();
    }
  });
});
