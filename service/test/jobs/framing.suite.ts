import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { nosesIn } from '../../../engine/test/support/nose.ts';
import { peopleFilm } from '../../../engine/test/support/people-footage.ts';
import { World } from '../support/world.ts';

let world: World;

before(async () => {
  world = await World.start({ faces: 'auto' });
  await peopleFilm(join(world.directory, 'footage', 'person.mp4'), {
    width: 480,
    height: 270,
    seconds: 4,
    sound: true,
    at: (second) => ({
      scene: second < 2 ? 0 : 1,
      people: [{ x: second < 2 ? 90 : 400, y: 110, height: 80 }],
    }),
  });
});

after(() => world.close());

test('preview and export keep the subject in the frame, on both sides of a cut', async () => {
  const dimensions = { width: 180, height: 320 };
  const project = await world.makeWhole(undefined, {
    source_video_url: world.sources.at('person.mp4'),
    editing_options: { captions: false, intro_title: false },
    dimensions,
  });
  const previews = `files/previews/${project.id}`;
  const preview = (await world.kept(previews)).find((name) => name.endsWith('.mp4'));
  assert.ok(preview);
  const started = await world.post(`/projects/${project.id}/exports`);
  const { src_url: url } = await world.finishExport(started.body);
  const exported = join(world.directory, 'export.mp4');
  await writeFile(exported, Buffer.from(await (await fetch(url!)).arrayBuffer()));
  for (const file of [join(world.directory, 'data', previews, preview), exported]) {
    const noses = await nosesIn(file, dimensions);
    assert.equal(noses.length, 100);
    const kept = noses.filter((nose) => nose !== null);
    assert.ok(kept.length >= 98, `${kept.length} of ${noses.length} in ${file}`);
  }
  assert.deepEqual(
    world.log.filter(({ event }) => event === 'framing-failed'),
    [],
  );
});
