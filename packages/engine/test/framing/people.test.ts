import assert from 'node:assert/strict';
import { test } from 'node:test';
import { confirmPeople, findPeople, findHead } from '../../src/framing/people.ts';
import type { Subject } from '../../src/framing/subject-finder.ts';

const face = (middle: number, width = 0.1): Subject => ({
  kind: 'face',
  box: { x: middle - width / 2, y: 0.3, width, height: width * 1.78 },
});
const person = (middle: number, isUnsure = false): Subject => ({
  kind: 'person',
  box: { x: middle - 0.1, y: 0.25, width: 0.2, height: 0.7 },
  ...(isUnsure && { isUnsure: true }),
});
const seen = (pictures: number, at: (picture: number) => Subject[]) =>
  Array.from({ length: pictures }, (_, picture) => ({ time: picture / 4, subjects: at(picture) }));

test('a face that is found for a moment only is none; lines of text stay', () => {
  const line: Subject = { kind: 'text', box: { x: 0, y: 0.8, width: 0.5, height: 0.1 } };
  const found = confirmPeople(
    seen(40, (at) => [line, ...(at === 9 || at === 10 ? [face(0.3)] : [])]),
  );
  assert.ok(found.every(({ subjects }) => subjects.length === 1 && subjects[0] === line));
});

test('a person who is searched twice a second is there in all pictures between', () => {
  const found = confirmPeople(seen(20, (at) => (at % 2 === 0 ? [person(0.2 + at / 40)] : [])));
  found.slice(0, 19).forEach(({ subjects }, at) => {
    assert.ok(Math.abs(subjects[0]!.box.x - (0.1 + at / 40)) < 1e-9, String(at));
  });
});

test('unsure finds of a person count beside sure ones, not alone', () => {
  const doubtful = seen(20, () => [person(0.5, true)]);
  doubtful[7]!.subjects = [person(0.5)];
  assert.ok(confirmPeople(doubtful).every(({ subjects }) => subjects.length === 0));
  const confirmed = confirmPeople(seen(20, (at) => [person(0.5, at % 4 !== 0)]));
  for (const { subjects } of confirmed) {
    assert.deepEqual(
      subjects.map(({ kind, isUnsure }) => [kind, isUnsure]),
      [['person', undefined]],
    );
  }
});

test('a face and the body below it are one person, whether they are seen at once or in turn', () => {
  const other = person(0.8);
  for (const at of [
    () => [face(0.3), person(0.31), other],
    (picture: number) => [picture < 10 ? face(0.3) : person(0.31), other],
  ]) {
    const people = findPeople(seen(20, at));
    assert.equal(people.length, 2);
    assert.ok(people[0]!.faces[3] && people[0]!.bodies[13]);
    assert.ok(people[1]!.faces.every((box) => box === null));
  }
});

test('a head has room for hair and ears, and for its back if the body is beside the face', () => {
  const [facing] = findPeople(seen(8, () => [face(0.3)]));
  const [turned] = findPeople(seen(8, () => [face(0.3), person(0.34)]));
  const [head, longer] = [findHead(facing!, 0)!, findHead(turned!, 0)!];
  assert.ok(head.x < 0.25 && head.x + head.width > 0.35 && head.y < 0.27);
  assert.equal(longer.x, head.x);
  assert.ok(longer.width > head.width + 0.02);
});
