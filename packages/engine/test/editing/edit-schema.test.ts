import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Edit } from '../../src/edit.ts';
import { changeFaults } from '../../src/editing/changes.ts';
import { editSchema } from '../../src/editing/edit-schema.ts';
import { makeEdit } from '../../src/editing/make-edit.ts';
import { dice } from 'clip-testkit/media-analysis';
import { anyBasis, anyChanges, anyAnalysis } from '../support/random-edits.ts';

/** Edits as the engine makes them, before and after the look at their pictures. */
function* edits(count: number): Generator<Edit> {
  const random = dice(31);
  for (let made = 0; made < count;) {
    const inputs = anyBasis(random);
    const changes = anyChanges(random, inputs);
    if (changeFaults(inputs, changes).length > 0) continue;
    const guess = makeEdit(inputs, changes);
    yield guess;
    yield makeEdit(inputs, changes, { analysis: anyAnalysis(random, guess) });
    made += 1;
  }
}

describe('an edit from a file', () => {
  test('is taken as the engine wrote it', () => {
    let count = 0;
    for (const edit of edits(60)) {
      const read = editSchema.safeParse(JSON.parse(JSON.stringify(edit)));
      assert.deepEqual(read.error?.issues ?? [], []);
      assert.deepEqual(read.data, edit);
      count += 1;
    }
    assert.equal(count, 120);
  });

  test('is refused if a render could not be trusted with it, with the field', () => {
    const [edit] = [...edits(1)];
    const refused = (changes: object): string =>
      editSchema
        .safeParse({ ...edit, ...changes })
        .error!.issues.map(({ path }) => path.join('.'))
        .join();
    assert.equal(refused({ version: 2 }), 'version');
    assert.equal(refused({ ranges: [] }), 'ranges');
    assert.equal(refused({ ranges: [{ start: 3, end: 2 }] }), 'ranges.0.end');
    const overlapping = [
      { start: 0, end: 2 },
      { start: 1, end: 3 },
    ];
    assert.equal(refused({ ranges: overlapping }), 'ranges');
    assert.equal(refused({ dimensions: { width: 101, height: 100 } }), 'dimensions.width');
    assert.equal(refused({ dimensions: { width: 100, height: 90_000 } }), 'dimensions.height');
    assert.equal(refused({ duration: NaN }), 'duration');
    assert.equal(refused({ framing: { mode: 'zoom' } }), 'framing.mode');
    assert.equal(
      refused({ source: { ...edit!.source, width: '1;movie=/etc/passwd' } }),
      'source.width',
    );
    assert.equal(refused({ language: 'en,fr' }), 'language');
    assert.equal(refused({ script: 'x' }), '');
  });
});
