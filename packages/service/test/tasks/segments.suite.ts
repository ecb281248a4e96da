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

  /** The decoded frames and sound of an export. */
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
    return (await ffmpeg(['-i', path, '-f', 'framemd5', 'pipe:1'])).toString();
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
      assert.equal(await exported(world, clips[0]!), await exported(plain, clip!));
      assert.deepEqual(await plain.kept('files/segments'), []);
    } finally {
      await plain.close();
    }
  });
});
