import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { editOf, seenEdit, type Basis, type Edit, type Look } from 'clip-engine';
import {
  editChangesSchema,
  editDocumentSchema,
  type EditDocument,
  type Project,
} from 'clip-kit/contract';
import { anyChanges, assertRenderable } from '../../../engine/test/support/random-edits.ts';
import { randomFrom } from '../support/random.ts';
import { World } from '../support/world.ts';

/** What a patch must not be: other types, other names, numbers out of any range. */
const odd = [
  null,
  -1,
  1e308,
  '',
  'x'.repeat(300),
  [],
  {},
  [[]],
  { start: 2, end: 1 },
  [{ start: 0, end: 1, mode: 'crop', zoom: 99 }],
  true,
];
const names = [
  ...Object.keys(editChangesSchema.shape),
  '__proto__',
  'constructor',
  'toString',
  'colour',
];

describe('a thousand random patches of a clip', () => {
  let world: World;
  let as: string;
  let clip: Project;
  let token: string;
  before(async () => {
    world = await World.start();
    ({ as, clip } = await world.library());
    token = await world.token(as);
  });
  after(() => world?.close());

  const path = () => `/projects/${clip.id}/edit`;
  const read = async (): Promise<EditDocument> =>
    editDocumentSchema.parse((await world.get(path(), { as })).body);
  const view = async () =>
    (await (
      await fetch(`${world.service.url}/embed-api${path()}`, {
        headers: { Authorization: `Bearer ${token}` },
      })
    ).json()) as { basis: Basis; look: Look | null; edit: EditDocument };

  it('are each taken or refused, and whatever is taken can be rendered', async () => {
    const random = randomFrom(25);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
    const { basis } = await view();
    const counts = new Map<number, number>();
    let before = await read();
    for (let round = 0; round < 1000; round += 1) {
      const changes: Record<string, unknown> =
        random() < 0.7 ? { ...anyChanges(random, basis) } : {};
      while (random() < 0.3) {
        const value = pick(odd);
        Object.defineProperty(changes, pick(names), {
          value,
          enumerable: true,
          configurable: true,
        });
      }
      // Otherwise one change that cannot be would make all the later ones so.
      for (const name of Object.keys(before.changes)) {
        if (!Object.hasOwn(changes, name) && random() < 0.5) changes[name] = null;
      }
      const said = JSON.stringify({ changes });
      const { status, body } = await world.call('PATCH', path(), said, {
        as,
        headers: { 'If-Match': `"${before.revision}"`, 'Content-Type': 'application/json' },
      });
      counts.set(status, (counts.get(status) ?? 0) + 1);
      assert.ok([200, 422].includes(status), `${status}: ${said} ${JSON.stringify(body)}`);
      if (status === 422) {
        assert.ok(body.errors.length > 0, said);
        assert.deepEqual((await read()).changes, before.changes, said);
        continue;
      }
      before = editDocumentSchema.parse(body);
      const edit = before.edit as unknown as Edit;
      assertRenderable(edit);
      const now = await view();
      assert.equal(now.edit.revision, before.revision);
      const style = edit.style;
      const guess = editOf(now.basis, before.changes, { style, look: now.look });
      const drawn = now.look ? seenEdit(guess, now.look) : guess;
      const shown = now.edit.edit as unknown as Edit;
      assert.deepEqual(drawn.ranges, shown.ranges, said);
      assert.deepEqual(JSON.parse(JSON.stringify(drawn.captions)), shown.captions, said);
    }
    assert.ok((counts.get(200) ?? 0) > 100 && (counts.get(422) ?? 0) > 100, String([...counts]));
  });
});
