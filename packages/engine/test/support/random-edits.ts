import assert from 'node:assert/strict';
import type { EditChanges } from 'clip-kit/contract';
import { writeAssDocument } from '../../src/captions/ass.ts';
import type { CropWindow, Edit, FramedShot, ManualWindow } from '../../src/edit.ts';
import type { EditInputs } from '../../src/editing/edit-inputs.ts';
import { makeClipInputs } from '../../src/editing/make-inputs.ts';
import { getExtent, type FramingAnalysis } from '../../src/editing/framed-edit.ts';
import type { Analysis, Span } from '../../src/facts.ts';
import { getScreenHeight } from '../../src/framing/layout.ts';
import type { Subject } from '../../src/framing/subject-finder.ts';
import { filterGraph } from '../../src/render/filter-graph.ts';
import { spokenAnalysis } from 'clip-testkit/media-analysis';

type Dice = () => number;

const whole = (random: Dice, most: number): number => Math.floor(random() * most);
const pick = <T>(random: Dice, list: readonly T[]): T => list[whole(random, list.length)] as T;
const maybe = <T>(random: Dice, make: () => T, share = 0.4): T | undefined =>
  random() < share ? make() : undefined;

const texts = [
  'Mars',
  'New York',
  '',
  'a b c d',
  '{\\b1} "%',
  '東京へ行く',
  'donaudampfschifffahrt',
];
const modes = ['crop', 'fit', 'stack', 'screen'] as const;

function someSpan(random: Dice, { start, end }: Span): Span {
  const [one, other] = [random(), random()].map((share) => start + share * (end - start));
  return one! < other! ? { start: one!, end: other! } : { start: other!, end: one! };
}

function someWindow(random: Dice): ManualWindow {
  const x = maybe(random, random);
  const y = maybe(random, random);
  const zoom = maybe(random, () => 1 + random() * 7);
  return {
    ...(x !== undefined && { x }),
    ...(y !== undefined && { y }),
    ...(zoom !== undefined && { zoom }),
  };
}

/** What a person might change, and could not always. Nothing is undefined: it is as from JSON. */
export function anyChanges(random: Dice, inputs: EditInputs): EditChanges {
  const { editable, span } = inputs;
  const near = { start: span.start - 10, end: span.end + 10 };
  const spans = (most: number) =>
    Array.from({ length: 1 + whole(random, most) }, () => someSpan(random, near));
  const count = inputs.words?.length ?? 0;
  const flag = () => maybe(random, () => random() < 0.5);
  const changes: EditChanges = {
    start: maybe(random, () => span.start + (random() - 0.5) * 20, 0.3),
    end: maybe(random, () => span.end + (random() - 0.5) * 20, 0.3),
    removed: maybe(random, () => spans(4)),
    restored: maybe(random, () => spans(2)),
    words: maybe(random, () =>
      Object.fromEntries(
        Array.from({ length: 1 + whole(random, 5) }, () => {
          const first = whole(random, count + 1);
          const last = first + whole(random, 3);
          return [random() < 0.5 ? `${first}` : `${first}-${last}`, pick(random, texts)];
        }),
      ),
    ),
    title: maybe(random, () => pick(random, [...texts, 'word '.repeat(19)])),
    captions: maybe(random, () => ({ position: pick(random, ['lower', 'middle', 'upper']) })),
    editing_options: maybe(random, () => ({
      captions: flag(),
      emojis: flag(),
      intro_title: flag(),
      reframe: flag(),
      remove_silences: flag(),
    })),
    dimensions: maybe(random, () => ({
      width: 16 + whole(random, 1000),
      height: maybe(random, () => 16 + whole(random, 1000)),
    })),
    shots: maybe(random, () => {
      let at = Math.max(editable.start, near.start);
      return Array.from({ length: 1 + whole(random, 6) }, () => {
        const start = at + random() * 3;
        at = start + 0.05 + random() * 5;
        const below = maybe(random, () => someWindow(random));
        const shot = { start, end: at, mode: pick(random, modes), ...someWindow(random) };
        return { ...shot, ...(below && { below }) };
      });
    }),
    cover: maybe(random, () => ({ time: near.start + random() * 40, title: flag() })),
  };
  return JSON.parse(JSON.stringify(changes)) as EditChanges;
}

/** What was seen of all pictures that an edit may need: people who move, text, and cuts. */
export function anyAnalysis(random: Dice, edit: Edit): FramingAnalysis {
  const { start, end } = getExtent(edit);
  const cuts: number[] = [];
  for (let at = 2 + random() * 8; at < end - start; at += 2 + random() * 8) cuts.push(at);
  const box = (size: number) => ({
    x: random() * (1 - size),
    y: random() * (1 - size),
    width: size,
    height: size,
  });
  const subjects = Array.from({ length: 1 + whole(random, 3) }, (): Subject => {
    const kind = pick(random, ['face', 'face', 'text', 'salient'] as const);
    return { kind, box: box(0.05 + random() * 0.3) };
  });
  const sightings = Array.from({ length: Math.floor((end - start) / 0.25) }, (_, index) => ({
    time: index * 0.25,
    subjects: subjects.filter(() => random() < 0.9),
  }));
  return { span: { start, end }, windows: true, sightings, cuts };
}

/** A clip of someone who speaks for two minutes, in a source of any shape. */
export function anyBasis(random: Dice, changes: Partial<Analysis['media']> = {}): EditInputs {
  const said = Array.from({ length: 3 + whole(random, 25) }, () =>
    Array.from({ length: 1 + whole(random, 12) }, () => 'word').join(' '),
  );
  const spoken = spokenAnalysis(said);
  const { duration } = spoken;
  const media = {
    ...spoken.media,
    frameRate: pick(random, [23.976, 25, 29.97, 30, 50, 59.94, 12, 120]),
    width: 16 + whole(random, 2000),
    height: 16 + whole(random, 2000),
    ...changes,
  };
  const start = random() * (duration / 2);
  const end = Math.min(duration, start + 1 + random() * 40);
  return makeClipInputs(
    { ...spoken, media },
    { start, end, title: pick(random, ['', 'Why do bees dance?']) },
    {
      editing: {
        captions: random() < 0.8,
        emojis: random() < 0.5,
        intro_title: random() < 0.8,
        reframe: random() < 0.8,
        remove_silences: random() < 0.5,
      },
      dimensions: { width: 16 + whole(random, 1200), height: 16 + whole(random, 1200) },
      minSeconds: 1,
    },
  );
}

function assertWindow({ width, height, keys }: CropWindow, edit: Edit): void {
  assert.ok(width >= 1 && height >= 1, `${width} by ${height}`);
  for (const { x, y } of keys) {
    assert.ok(x >= 0 && x + width <= edit.source.width + 0.01, `x ${x}, width ${width}`);
    assert.ok(y >= 0 && y + height <= edit.source.height + 0.01, `y ${y}, height ${height}`);
  }
}

function windowsOf(shot: FramedShot): CropWindow[] {
  if (shot.mode === 'crop') return [shot.window];
  if (shot.mode === 'stack') return shot.windows;
  return shot.mode === 'screen' ? [shot.speaker] : [];
}

function assertFraming(edit: Edit): void {
  const { framing, dimensions, source } = edit;
  if (framing.mode === 'crop') {
    return assertWindow({ ...framing, keys: [{ frame: 0, x: framing.x, y: framing.y }] }, edit);
  }
  if (framing.mode === 'fit') return;
  let at = 0;
  for (const shot of framing.shots) {
    assert.equal(shot.from, at, 'shots follow each other');
    assert.ok(shot.to > shot.from);
    at = shot.to;
    for (const window of windowsOf(shot)) assertWindow(window, edit);
    if (shot.mode === 'screen') {
      assert.ok(dimensions.height - getScreenHeight(source, dimensions) >= 2, 'room for a speaker');
    }
  }
  assert.equal(at, Math.round(edit.duration * edit.frameRate), 'shots fill the clip');
}

/** Whether the filter graph of an edit can be written, and nothing in it is out of range. */
export function assertRenderable(edit: Edit): void {
  assert.deepEqual(JSON.parse(JSON.stringify(edit)), edit, 'plain JSON');
  const frames = edit.duration * edit.frameRate;
  assert.ok(frames > 0.5 && Math.abs(frames - Math.round(frames)) < 1e-6, 'whole frames');
  const kept = edit.ranges.reduce((sum, { start, end }) => sum + end - start, 0);
  assert.ok(Math.abs(kept - edit.duration) < 1e-6, 'ranges make the duration');
  edit.ranges.forEach((range, index) => {
    assert.ok(range.start > -1 / edit.frameRate && range.end > range.start);
    if (index > 0) assert.ok(range.start > edit.ranges[index - 1]!.end, 'ranges in order');
  });
  let at = 0;
  for (const line of edit.captions) {
    assert.ok(line.start >= at - 1e-9 && line.end > line.start, 'lines do not overlap');
    assert.ok(line.end <= edit.duration + 1e-9);
    at = line.end;
  }
  assertFraming(edit);
  const opened = { input: ['-i', 'source'], clockSeconds: 0 };
  const graph = filterGraph(edit, opened, edit.dimensions, { captions: true, overlays: [] });
  assert.doesNotMatch(`${graph}${writeAssDocument(edit)}`, /NaN|undefined|Infinity/);
}
