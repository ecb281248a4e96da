import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { changeEdit, findEdit, type EditedClip } from '../../src/edits/queries.ts';
import { JobWorld } from '../support/job-world.ts';
import { insertLibrary, type Library } from 'clip-testkit/rows';
import { noInputs } from 'clip-testkit/span-edit';

describe('a change of a clip', () => {
  let world: JobWorld;
  let library: Library;
  before(async () => {
    world = await JobWorld.open();
    library = await insertLibrary(world.service.db, { renderable: true });
  });
  after(() => world?.close());

  const retitled = (title: string, { edit }: EditedClip) => ({
    ...{ inputs: noInputs, changes: { title }, edit, work: 1 },
  });
  const change = (
    expected: number | null,
    make: (clip: EditedClip) => Promise<ReturnType<typeof retitled>>,
  ): Promise<EditedClip | undefined> => {
    const { db, queue } = world.service;
    const { userId, projectId: id } = library;
    return changeEdit(db, queue, { userId, id, expected, quietSeconds: 3 }, make);
  };
  const retitle = (title: string) => change(null, async (clip) => retitled(title, clip));

  it('holds up nobody while it is computed, and is computed again from what others left', async () => {
    const seen: (string | undefined)[] = [];
    const changed = await change(null, async (clip) => {
      if (seen.push(clip.changes.title) === 1) await retitle('Theirs');
      return retitled('Ours', clip);
    });
    assert.deepEqual(seen, [undefined, 'Theirs']);
    assert.deepEqual([changed!.changes, changed!.revision], [{ title: 'Ours' }, 3]);
  });

  it('is refused if the clip is no longer at the revision that it is for', async () => {
    const { userId, projectId } = library;
    const { revision } = (await findEdit(world.service.db, userId, projectId))!;
    const changed = change(revision, async (clip) => {
      await retitle('Theirs again');
      return retitled('Ours again', clip);
    });
    const headers = { ETag: `"${revision + 1}"` };
    await assert.rejects(changed, { code: 'revision-changed', headers });
    const { changes } = (await findEdit(world.service.db, userId, projectId))!;
    assert.deepEqual(changes, { title: 'Theirs again' });
  });
});
