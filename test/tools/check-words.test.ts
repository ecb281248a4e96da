import assert from 'node:assert/strict';
import { it } from 'node:test';
import { wrongWords } from '../../tools/check-words.ts';

/** The words found in a file of this text, with their lines. */
const found = (text: string, path = 'a.ts'): string[] =>
  wrongWords(path, text).map((message) => /:(\d+: “.*”):/.exec(message)![1]!);

it('the words check names the line, the word and what to write instead', () => {
  assert.deepEqual(wrongWords('src/a.ts', 'const a = 1;\n// It may give\n// back a slot.\n'), [
    'src/a.ts:2: “give back”: write “release”, “return”, “restore”',
  ]);
});

it('the words check reads texts, names of files, and the parts of identifiers', () => {
  assert.deepEqual(found('makeFilm(front_door);'), ['1: “Film”', '1: “front door”']);
  assert.deepEqual(found('', 'db/0007-films.ts'), ['0: “films”']);
  assert.deepEqual(found("const message = 'Ended in error.';"), ['1: “in error”']);
});

it('the words check wants a limit and a time by their names', () => {
  assert.deepEqual(found('/** A receiver rests after so many failures. */'), [
    '1: “after so many”',
  ]);
  assert.deepEqual(found('/** So many rows are read. */'), ['1: “( So many”']);
  assert.deepEqual(found('it took so long that it is kept for so long as it is needed'), []);
});

it('the words check leaves CSS, JavaScript and the words of the field alone', () => {
  assert.deepEqual(found('align-items: stretch;', 'a.css'), []);
  assert.deepEqual(found("if ('code' in error || error instanceof Error) filmstrip();"), []);
  assert.deepEqual(found('film grain'), []);
});
