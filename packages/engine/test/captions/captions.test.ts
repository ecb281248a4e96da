import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { formatAssColour, writeAssDocument } from '../../src/captions/ass.ts';
import { captionLines } from '../../src/captions/caption-lines.ts';
import { captionLayout, countCharactersPerLine } from '../../src/captions/caption-layout.ts';
import { restyleEdit } from '../../src/editing/make-edit.ts';
import { makeWholeEdit } from '../support/whole-edit.ts';
import { type Edit } from '../../src/edit.ts';
import { defaultStyle, type Style } from '../../src/style/style.ts';
import { joinWords, measureTextWidth } from '../../src/words/word-text.ts';
import { loadPresets } from '../../src/style/presets.ts';
import { spokenAnalysis } from 'clip-testkit/media-analysis';
import { makeTalk } from '../support/talks.ts';
import { captionCanvas, lit, onsetsOf, pixelsWhere, red } from '../support/caption-canvas.ts';
import { editingWith } from 'clip-testkit/plain-edit';

const canvas = await captionCanvas();
after(() => canvas.remove());
const { drawn, size, rate } = canvas;

const editing = editingWith('captions', 'reframe');
const pure: Style = {
  ...defaultStyle,
  captions: { ...defaultStyle.captions, spoken: { mark: 'colour', colour: '#ff0000' } },
};
const editOf = (sentences: string[], more: Partial<typeof editing> = {}, style = pure) =>
  makeWholeEdit(spokenAnalysis(sentences), {
    editing: { ...editing, ...more },
    dimensions: size,
    title: '',
    style,
  });

test('each word is marked when it is said, to 80 ms, and no other; after a removed silence as much earlier', async () => {
  const sentences = ['One two three four.', 'Five six seven.'];
  const analysis = spokenAnalysis(sentences);
  const edit = editOf(sentences, { remove_silences: true });
  assert.ok(edit.ranges.length > 1);
  const inOutput = (time: number) => {
    let passed = 0;
    for (const { start, end } of edit.ranges) {
      if (time <= end) return passed + Math.max(0, time - start);
      passed += end - start;
    }
    return passed;
  };
  const onsets = onsetsOf(await drawn(edit));
  assert.equal(onsets.length, 7);
  analysis.transcript!.words.forEach(({ start }, index) => {
    assert.ok(Math.abs(onsets[index]! - inOutput(start)) <= 0.08, `${onsets[index]}`);
  });
});

test('Arabic is read from right to left: the mark walks so', async () => {
  const frames = await drawn(editOf(['هذه جملة قصيرة جدا.']));
  const share = (seconds: number) => {
    const frame = frames[Math.round(seconds * rate)]!;
    const places = (passes: typeof red) => pixelsWhere(frame, passes).map(({ x }) => x);
    const [marked, all] = [places(red), places((r, g, b) => r + g + b > 200)];
    const middle = marked.reduce((sum, x) => sum + x, 0) / marked.length;
    return (middle - Math.min(...all)) / (Math.max(...all) - Math.min(...all));
  };
  // The words of the first line start at 0.5 s and last half a second each.
  assert.ok(share(0.7) > 0.6, `begins at the right: ${share(0.7)}`);
  assert.ok(share(1.2) < share(0.7), 'and goes on to the left');
});

test('text in every style stays within the safe area', async () => {
  const presets = [...(await loadPresets()).values()];
  const sentences = [
    'Incomprehensibilities notwithstanding, we met.',
    '这是一个没有空格的很长的句子。',
  ];
  for (const { id, style } of presets) {
    const edit = editOf(sentences, {}, style);
    const layout = captionLayout(size, style);
    const looked = await drawn({ ...edit, duration: Math.min(edit.duration, 3) }, 2);
    assert.ok(
      looked.some((frame) => pixelsWhere(frame, lit).length > 50),
      `${id}: there is text`,
    );
    for (const frame of looked) {
      for (const { x, y } of pixelsWhere(frame, lit)) {
        const slack = layout.captionSize * 0.4;
        assert.ok(x >= layout.sideMargin - slack, `${id}: ${x},${y}`);
        assert.ok(x < size.width - layout.sideMargin + slack, `${id}: ${x},${y}`);
        assert.ok(y < size.height - layout.lowerMargin + slack, `${id}: ${x},${y}`);
        assert.ok(y > layout.titleMargin, `${id}: ${x},${y}`);
      }
    }
  }
});

test('another style breaks the same words again: as many a line as it has', async () => {
  const edit = editOf(['One two three four five six seven eight nine.']);
  const style = (await loadPresets()).get('centre')!.style;
  const other = restyleEdit(edit, style);
  const words = ({ captions }: Edit) => captions.flatMap((line) => line.words);
  assert.deepEqual(words(other), words(edit));
  assert.ok(other.captions.every((line) => line.words.length <= 2));
  assert.deepEqual(other.style, style);
  assert.deepEqual(restyleEdit(other, pure).captions, edit.captions);
});

test('letters of East Asia count for their width, marks for none', () => {
  assert.ok(measureTextWidth('漢字') > 3);
  assert.equal(measureTextWidth('e\u0301a'), 2);
  assert.ok(countCharactersPerLine(size, defaultStyle) >= 12);
});

test('words appear as they are said in the style that reveals', async () => {
  const style = (await loadPresets()).get('reveal')!.style;
  const document = writeAssDocument(editOf(['One two three.'], {}, style));
  const events = document.split('\n').filter((line) => line.startsWith('Dialogue'));
  assert.match(events[0]!, /One\{[^}]*\}\s*\{\\alpha&HFF&\}two/);
  assert.doesNotMatch(events.at(-1)!, /alpha/);
});

test('colours are those of ASS: alpha first, red last', () => {
  assert.equal(formatAssColour('#ff8000'), '&H000080FF');
  assert.equal(formatAssColour('#ffffff', 0), '&HFFFFFFFF');
});

test('lines of a talk have two to five words, and letters are seldom made smaller', async () => {
  const spoken = makeTalk(3).analysis.transcript!.words;
  for (const { id, style } of (await loadPresets()).values()) {
    const fits = countCharactersPerLine(size, style);
    const most = style.captions.words;
    const lines = captionLines(spoken, fits, most);
    assert.deepEqual(
      lines.flatMap(({ words }) => words),
      spoken,
      `${id}: no word is lost`,
    );
    const alone = lines.filter(({ words }) => words.length < 2).length;
    const squeezed = lines.filter(
      ({ words }) => measureTextWidth(joinWords(words.map(({ text }) => text))) > fits,
    ).length;
    assert.ok(lines.every(({ words }) => words.length <= most));
    // Lines of two words in large letters: an odd number of words leaves one word alone.
    const narrow = fits < 12 || most < 3;
    assert.ok(alone <= lines.length * (narrow ? 0.15 : 0.01), `${id}: ${alone} of ${lines.length}`);
    assert.ok(squeezed <= lines.length * (narrow ? 0.6 : 0.1), `${id}: ${squeezed} squeezed`);
  }
});
