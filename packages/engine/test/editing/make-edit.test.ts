import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { EditChanges } from 'clip-kit/contract';
import { longRun } from 'clip-testkit/long-run';
import type { Edit } from '../../src/edit.ts';
import type { EditInputs } from '../../src/editing/edit-inputs.ts';
import { makeClipInputs, makeWholeInputs } from '../../src/editing/make-inputs.ts';
import { changeFaults, editWords, findLengthFault } from '../../src/editing/changes.ts';
import { editSchema } from '../../src/editing/edit-schema.ts';
import { makeEdit } from '../../src/editing/make-edit.ts';
import { isAnalysisComplete, frameEdit } from '../../src/editing/framed-edit.ts';
import { render } from '../../src/render/render.ts';
import { pickCandidatesAsync } from '../../src/moments/candidates.ts';
import { dice, quietAnalysis, spokenAnalysis } from 'clip-testkit/media-analysis';
import { ffmpeg, temporaryDirectory } from 'clip-testkit/media-footage';
import { anyBasis, anyChanges, anyAnalysis, assertRenderable } from '../support/random-edits.ts';
import { defaultStyle } from '../../src/style/style.ts';
import { makeTalk } from '../support/talks.ts';
import { editingWith } from 'clip-testkit/plain-edit';

const editing = editingWith('captions', 'emojis', 'intro_title', 'reframe');
const options = { editing, dimensions: { width: 1080, height: 1920 } };
const analysis = spokenAnalysis([
  'Why do bees dance?',
  'It is not for joy, and it is not for show.',
  'Imagine that you save money.',
]);
/** The second sentence: 2.5 to 8.6 seconds. */
const inputs = makeClipInputs(analysis, { start: 3, end: 8.8, title: 'Bees' }, options);

const parsed = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
const said = ({ captions }: Edit): string =>
  captions.flatMap(({ words }) => words.map(({ text }) => text)).join(' ');
const near = (one: number, other: number) => assert.ok(Math.abs(one - other) < 0.021, `${one}`);

test('without changes an edit is the same one each time, also from stored inputs', async () => {
  const random = dice(5);
  for (let seed = 0; seed < (longRun ? 20 : 2); seed++) {
    const talk = makeTalk(seed).analysis;
    const asked = { count: 6, min: 8, max: 60, target: 30 };
    const candidates = await pickCandidatesAsync(talk, asked, new AbortController().signal);
    assert.ok(candidates.length > 0);
    for (const candidate of candidates) {
      const remove_silences = random() < 0.5;
      const made = makeClipInputs(talk, candidate, {
        ...options,
        editing: { ...editing, remove_silences },
      });
      const first = makeEdit(made);
      assert.deepEqual(makeEdit(parsed(made), {}), first);
      const analysis = anyAnalysis(random, first);
      const seen = frameEdit(first, analysis);
      assert.ok(!seen.needsAnalysis);
      assert.deepEqual(makeEdit(parsed(made), {}, { analysis: parsed(analysis) }), seen);
      const changes = anyChanges(random, made);
      makeEdit(made, changes, { analysis: analysis });
      const undone = Object.fromEntries(Object.keys(changes).map((key) => [key, undefined]));
      assert.deepEqual(
        makeEdit(made, undone, { analysis: analysis }),
        seen,
        'changes and their inverse',
      );
    }
  }
});

test('an edge that is pulled brings the words of the source with it, in captions', () => {
  const longer = makeEdit(inputs, { start: 0.4, end: 12 });
  assert.match(said(longer), /^Why do bees dance\? It is .* money\.$/);
  near(longer.ranges[0]!.start, 0.4);
  near(longer.duration, 11.6);
  assertRenderable(longer);
});

test('an edge moves by whole frames of the clip, so that its pictures stay the same ones', () => {
  for (const start of [2.77, 3.001, 4.4444]) {
    const frames = (makeEdit(inputs, { start }).ranges[0]!.start - inputs.span.start) * 25;
    assert.ok(Math.abs(frames - Math.round(frames)) < 1e-6, String(frames));
  }
});

test('a removed segment removes its words, and a word beside it stays whole', () => {
  const words = inputs.words!;
  const [from, to] = [words[6]!, words[7]!];
  const edit = makeEdit(inputs, { removed: [{ start: from.start, end: to.end }] });
  assert.equal(said(edit), 'It is for joy, and it is not for show.'.replace('for joy, ', 'joy, '));
  near(edit.duration, 5.8 - 1);
  assertRenderable(edit);
});

test('a silence that was taken out comes back where a person wants it', () => {
  const quiet = spokenAnalysis(['One two three.', 'Four five six.', 'Seven eight nine.']);
  const silent = makeWholeInputs(quiet, {
    ...options,
    editing: { ...editing, remove_silences: true },
    title: '',
  });
  const first = makeEdit(silent);
  assert.equal(first.ranges.length, 3);
  const hole = { start: first.ranges[0]!.end - 0.5, end: first.ranges[1]!.start + 0.5 };
  assert.equal(makeEdit(silent, { restored: [hole] }).ranges.length, 2);
});

test('bumpers are those of the style, or what a person chose', () => {
  const style = { ...defaultStyle, intro: { id: 'sting' }, outro: { id: 'card' } };
  const styled = { ...inputs, options: { ...inputs.options, style } };
  const bumpersOf = (...given: Parameters<typeof makeEdit>) => {
    const { intro, outro } = makeEdit(...given);
    return [intro?.id, outro?.id];
  };
  assert.deepEqual(bumpersOf(styled), ['sting', 'card']);
  assert.deepEqual(bumpersOf(styled, { intro: 'none', outro: { id: 'bye' } }), [undefined, 'bye']);
  assert.deepEqual(bumpersOf(styled, {}, { style: defaultStyle }), [undefined, undefined]);
  assert.deepEqual(bumpersOf(inputs, { intro: { id: 'sting' } }), ['sting', undefined]);
  assert.equal(makeEdit(styled).duration, makeEdit(inputs).duration);
});

test('music is that of the style, or what a person chose, above the words that are heard', () => {
  const style = { ...defaultStyle, music: { id: 'calm', level_db: 30 } };
  const styled = makeClipInputs(
    { ...analysis, loudness: { step: 0.5, values: Array<number>(40).fill(-23) } },
    { start: 3, end: 8.8, title: 'Bees' },
    { ...options, style },
  );
  const { music } = makeEdit(styled);
  assert.deepEqual([music?.id, music?.levelDb, music?.sourceDb], ['calm', 30, -20]);
  const [first, ...others] = music!.speech!;
  assert.deepEqual(others, [], 'pauses are shorter than a second');
  near(first!.start, 0);
  near(first!.end, 6);
  const own = makeEdit(styled, { music: { id: 'loud' } }).music;
  assert.deepEqual([own?.id, own?.levelDb], ['loud', 20]);
  assert.equal(makeEdit(styled, { music: 'none' }).music, undefined);
  assert.equal(makeEdit(styled, {}, { style: defaultStyle }).music, undefined);
  assert.equal(makeEdit(inputs).music, undefined);
  const unheard = makeWholeInputs(quietAnalysis(5), { ...options, style, title: '' });
  assert.equal(makeEdit(unheard).music?.speech, null);
  assert.deepEqual(editSchema.parse(parsed(makeEdit(styled))), makeEdit(styled));
});

test('corrected words keep their times if they are as many, and share the time otherwise', () => {
  const at = inputs.words!.findIndex(({ text }) => text === 'joy,');
  const one = makeEdit(inputs, { words: { [at]: 'fun,' } });
  const before = makeEdit(inputs).captions.flatMap(({ words }) => words);
  const after = one.captions.flatMap(({ words }) => words);
  assert.match(said(one), /for fun, and/);
  assert.deepEqual(
    after.map(({ start, end }) => [start, end]),
    before.map(({ start, end }) => [start, end]),
  );
  const three = makeEdit(inputs, { words: { [`${at}-${at + 1}`]: 'a lot of' } });
  assert.match(said(three), /for a lot of it/);
  const none = makeEdit(inputs, { words: { [at]: '' } });
  assert.doesNotMatch(said(none), /joy/);
  near(none.duration, makeEdit(inputs).duration);
  assert.deepEqual(
    editWords(inputs, { words: { [`${at}-${at + 1}`]: 'a lot of' } }).slice(at, at + 2),
    [
      {
        key: `${at}-${at + 1}`,
        ...{ start: inputs.words![at]!.start, end: inputs.words![at + 1]!.end },
        ...{ text: 'a lot of', original: 'joy, and' },
      },
      { key: String(at + 2), ...inputs.words![at + 2]! },
    ],
  );
});

test('title, options, size and the place of captions change independently', () => {
  assert.equal(makeEdit(inputs, { title: ' Dances ' }).title?.text, 'Dances');
  assert.equal(makeEdit(inputs, { editing_options: { intro_title: false } }).title, null);
  assert.deepEqual(makeEdit(inputs, { dimensions: { width: 1081 } }).dimensions, {
    width: 1080,
    height: 1920,
  });
  const face = { x: 0.1, y: 0.1, width: 0.8, height: 0.3 };
  const first = makeEdit(inputs);
  const analysis = {
    span: { start: 3, end: first.ranges.at(-1)!.end },
    windows: true,
    cuts: [],
    sightings: Array.from({ length: 24 }, (_, index) => ({
      time: index * 0.25,
      subjects: [{ kind: 'face' as const, box: face }],
    })),
  };
  const upper = makeEdit(inputs, { captions: { position: 'upper' } }, { analysis: analysis });
  assert.ok(upper.captions.every(({ position, rise }) => position === 'upper' && !rise));
});

test('a shot is framed as a person wants it, and the others as the engine does', () => {
  const first = makeEdit(inputs);
  const analysis = anyAnalysis(dice(1), first);
  const shot = { start: 4, end: 5, mode: 'crop' as const, x: 0, y: 0.5, zoom: 2 };
  const { framing, frameRate } = makeEdit(inputs, { shots: [shot] }, { analysis: analysis });
  assert.ok(framing.mode === 'shots');
  const wanted = framing.shots.find(({ from }) => from === Math.round(1 * frameRate));
  assert.ok(wanted?.mode === 'crop' && wanted.to === 2 * frameRate, JSON.stringify(wanted));
  assert.equal(wanted.window.width, Math.floor((1080 * 9) / 16 / 2));
  assert.equal(wanted.window.keys[0]!.x, 0);
  const wide = makeEdit(
    inputs,
    { shots: [{ ...shot, mode: 'screen' }], dimensions: { width: 1920, height: 1080 } },
    { analysis: analysis },
  );
  assert.deepEqual(wide.framing.mode === 'shots' && wide.framing.shots[1]?.mode, 'fit');
});

test('what was seen is enough for a shorter clip, and not for a longer one', () => {
  const analysis = anyAnalysis(dice(2), makeEdit(inputs));
  assert.ok(!makeEdit(inputs, { start: 3.4, end: 8 }, { analysis: analysis }).needsAnalysis);
  const longer = makeEdit(inputs, { end: 10 }, { analysis: analysis });
  assert.ok(longer.needsAnalysis && !isAnalysisComplete(analysis, longer));
});

test('changes that cannot be made name the field, the limit and what was sent', () => {
  const faults = (changes: EditChanges) => changeFaults(inputs, changes);
  const end = Math.round(analysis.duration * 1000) / 1000;
  assert.deepEqual(faults({ end: 400 }), [
    { path: 'end', message: `must be 0 to ${end} seconds, was 400` },
  ]);
  assert.deepEqual(faults({ start: 9 }), [
    { path: 'start', message: 'the clip would begin at 9 and end at 8.8 seconds' },
  ]);
  assert.deepEqual(
    faults({ removed: [{ start: 7, end: 50 }] }).map(({ path }) => path),
    ['removed.0.end'],
  );
  const count = inputs.words!.length;
  assert.deepEqual(faults({ words: { [count]: 'x', '2-4': 'y', 3: 'z', '-1': 'w' } }), [
    { path: `words.${count}`, message: `the clip has words 0 to ${count - 1}, was "${count}"` },
    { path: 'words.-1', message: `the clip has words 0 to ${count - 1}, was "-1"` },
    { path: 'words.3', message: 'overlaps the words of "2-4"' },
  ]);
  const shot = { start: 4, end: 6, mode: 'fit' as const };
  assert.deepEqual(
    faults({ shots: [shot, { ...shot, start: 5 }] }).map(({ path }) => path),
    ['shots.1'],
  );
  assert.deepEqual(faults({ removed: [{ start: 0, end: 8.5 }] }), [
    {
      path: 'removed',
      message: 'the clip must play 1 to 180 seconds, and would play 0.3',
    },
  ]);
  assert.match(findLengthFault(inputs, { end: 300 }, 297)!.message, /1 to 180 seconds/);
  assert.equal(findLengthFault(inputs, {}, 5.8), null);
});

test('whatever a person changes of whatever clip, it is refused or can be rendered', () => {
  const random = dice(11);
  let made = 0;
  for (let round = 0; round < (longRun ? 1000 : 120); round++) {
    const one: EditInputs = anyBasis(random);
    const changes = anyChanges(random, one);
    const faults = changeFaults(one, changes);
    if (faults.length > 0) continue;
    made += 1;
    const guess = makeEdit(one, changes);
    assertRenderable(guess);
    const analysis = anyAnalysis(random, guess);
    assertRenderable(makeEdit(one, changes, { analysis: analysis }));
    const part = anyAnalysis(random, makeEdit(one));
    assertRenderable(makeEdit(one, changes, { analysis: part }));
    if (guess.needsAnalysis) assertRenderable(frameEdit(guess, part));
  }
  assert.ok(made > (longRun ? 200 : 24), String(made));
});

test('ffmpeg renders whatever a person may change', { skip: !longRun }, async () => {
  const directory = await temporaryDirectory();
  try {
    const source = join(directory.path, 'source.mp4');
    // prettier-ignore
    await ffmpeg([
      '-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25:d=30', '-f', 'lavfi', '-i', 'sine=d=30',
      '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', source,
    ]);
    const random = dice(17);
    let made = 0;
    while (made < 60) {
      const inputs = anyBasis(random, { width: 160, height: 90, frameRate: 25, hasAudio: true });
      const changes = anyChanges(random, inputs);
      if (inputs.span.end > 28 || changeFaults(inputs, changes).length > 0) continue;
      const analysis = anyAnalysis(random, makeEdit(inputs, changes));
      const edit = makeEdit(inputs, changes, { analysis: analysis });
      const output = join(directory.path, `${made}.mp4`);
      const { signal } = new AbortController();
      await render(edit, { source, output, quality: 'preview', signal }).catch((error: unknown) => {
        throw new Error(JSON.stringify({ inputs, changes, edit }), { cause: error });
      });
      assert.ok((await stat(output)).size > 0);
      made += 1;
    }
  } finally {
    await directory.remove();
  }
});

test('a cover is a frame of the clip, stays at its source time, and has the title if it is asked for', () => {
  const coverOf = (changes: EditChanges) => makeEdit(inputs, changes).cover;
  assert.equal(coverOf({}), undefined);
  const { ranges, frameRate } = makeEdit(inputs);
  const time = ranges[0]!.start + 2;
  assert.deepEqual(coverOf({ cover: { time } }), { time: 2 });
  assert.deepEqual(coverOf({ cover: { time, title: true } }), { time: 2, title: 'Bees' });
  const titled = { time, title: true };
  const off = { editing_options: { intro_title: false } };
  assert.equal(coverOf({ cover: titled, title: 'Mine', ...off })!.title, 'Mine');
  assert.deepEqual(coverOf({ cover: titled, title: '' }), { time: 2 });
  near(coverOf({ cover: { time }, start: time - 1 })!.time, 1);
  assert.deepEqual(coverOf({ cover: { time }, start: time + 1 }), { time: 0 }, 'not in the clip');
  const { duration, cover } = makeEdit(inputs, { cover: { time: 999 } });
  near(cover!.time, duration - 1 / frameRate);
  assert.deepEqual(changeFaults(inputs, { cover: { time: 999 } })[0]?.path, 'cover.time');
});
