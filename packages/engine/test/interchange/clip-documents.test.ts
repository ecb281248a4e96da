/** The files of a clip for other programs. Cues are in `subtitles.test.ts`. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as z from 'zod';
import { writeClipDocument, type ClipDocumentName } from '../../src/interchange/clip-documents.ts';
import { hostileTexts } from 'clip-testkit/hostile-texts';
import { plainEdit } from 'clip-testkit/plain-edit';

const edit = plainEdit({
  source: { width: 1920, height: 1080, frameRate: 30000 / 1001, hasAudio: true },
  ranges: [
    { start: 100.1, end: 110.11 },
    { start: 120.12, end: 125.125 },
  ],
  duration: 15.015,
  dimensions: { width: 1080, height: 1920 },
  words: [
    { text: 'Sleep', start: 0.1234, end: 0.5 },
    { text: 'well.', start: 0.5, end: 1 },
    { text: 'Then', start: 1, end: 2 },
    { text: 'train', start: 14, end: 15.2 },
  ],
  language: 'en',
});

const names = { title: 'Why we sleep', source: 'talk #1.mp4' };
const textOf = (
  name: ClipDocumentName,
  clip = edit,
  asked: Parameters<typeof writeClipDocument>[2] = names,
): string => writeClipDocument(clip, name, asked)!.text;

describe('words.json', () => {
  it('has each word in seconds of the clip, to the millisecond, none after its end', () => {
    assert.deepEqual(JSON.parse(textOf('words.json')), {
      language: 'en',
      duration: 15.015,
      words: [
        { start: 0.123, end: 0.5, text: 'Sleep' },
        { start: 0.5, end: 1, text: 'well.' },
        { start: 1, end: 2, text: 'Then' },
        { start: 14, end: 15.015, text: 'train' },
      ],
    });
  });
});

describe('transcript.txt', () => {
  it('has a line for each sentence, and after each pause', () => {
    assert.equal(textOf('transcript.txt'), 'Sleep well.\nThen\ntrain\n');
  });

  it('joins words of scripts without spaces', () => {
    const words = ['今日', 'は', '雨。', '明日', 'は'].map((text, at) => ({
      text,
      start: at,
      end: at + 1,
    }));
    assert.equal(textOf('transcript.txt', { ...edit, words }), '今日は雨。\n明日は\n');
  });
});

describe('edit.json', () => {
  it('is the edit', () => {
    assert.deepEqual(JSON.parse(textOf('edit.json')), edit);
  });
});

/** The fields of the format as its documentation lists them, and no others. */
const time = z.strictObject({
  OTIO_SCHEMA: z.literal('RationalTime.1'),
  rate: z.number().positive(),
  value: z.number().int(),
});
const range = z.strictObject({
  OTIO_SCHEMA: z.literal('TimeRange.1'),
  start_time: time,
  duration: time,
});
const item = {
  metadata: z.record(z.string(), z.unknown()),
  name: z.string(),
  effects: z.array(z.never()),
  markers: z.array(z.never()),
  enabled: z.boolean(),
};
const clip = z.strictObject({
  OTIO_SCHEMA: z.literal('Clip.2'),
  ...item,
  source_range: range,
  media_references: z.record(
    z.string(),
    z.strictObject({
      OTIO_SCHEMA: z.literal('ExternalReference.1'),
      metadata: item.metadata,
      name: z.string(),
      available_range: range,
      available_image_bounds: z.null(),
      target_url: z.string(),
    }),
  ),
  active_media_reference_key: z.string(),
});
const track = z.strictObject({
  OTIO_SCHEMA: z.literal('Track.1'),
  ...item,
  source_range: z.null(),
  kind: z.enum(['Video', 'Audio']),
  children: z.array(clip),
});
const timeline = z.strictObject({
  OTIO_SCHEMA: z.literal('Timeline.1'),
  metadata: item.metadata,
  name: z.string(),
  global_start_time: z.null(),
  tracks: z.strictObject({
    OTIO_SCHEMA: z.literal('Stack.1'),
    ...item,
    source_range: z.null(),
    children: z.array(track),
  }),
});

/** The file of the source: black bars around the picture, and a time code that drops numbers. */
const ntsc = 30000 / 1001;
const file = {
  ...{ width: 1920, height: 1440, duration: 200, frameRate: ntsc },
  timecode: { start: '01:00:00;00', frameRate: ntsc },
};

describe('edit.otio', () => {
  it('is a timeline of the format: a track of pictures and one of sound, in frames', () => {
    const { name, tracks } = timeline.parse(JSON.parse(textOf('edit.otio')));
    assert.equal(name, 'Why we sleep');
    assert.deepEqual(
      tracks.children.map(({ kind }) => kind),
      ['Video', 'Audio'],
    );
    for (const { children } of tracks.children) {
      assert.deepEqual(
        children.map(({ source_range: { start_time: start, duration } }) => [
          start.value,
          duration.value,
        ]),
        [
          [3000, 300],
          [3600, 150],
        ],
      );
      assert.equal(children[0]!.media_references['DEFAULT_MEDIA']!.target_url, 'talk%20%231.mp4');
    }
  });

  it('has places in the file by its time code', () => {
    const { tracks } = timeline.parse(JSON.parse(textOf('edit.otio', edit, { ...names, file })));
    const { source_range: shown, media_references: media } = tracks.children[0]!.children[0]!;
    const { available_range: available } = media['DEFAULT_MEDIA']!;
    assert.equal(available.start_time.value, 107_892);
    assert.equal(available.duration.value, 5994);
    assert.equal(shown.start_time.value, 107_892 + 3000);
  });

  it('has no track of sound without sound', () => {
    const silent = { ...edit, source: { ...edit.source, hasAudio: false } };
    const { tracks } = timeline.parse(JSON.parse(textOf('edit.otio', silent)));
    assert.equal(tracks.children.length, 1);
  });
});

describe('edit.fcpxml', () => {
  it('has no picture of sound alone, as edit.otio', () => {
    const alone = { ...edit, source: { ...edit.source, soundAlone: 'wave' as const } };
    const asset = /<asset [^>]*>/.exec(textOf('edit.fcpxml', alone))![0];
    assert.match(asset, /hasAudio="1"/);
    assert.doesNotMatch(asset, /hasVideo|format/);
    const { tracks } = timeline.parse(JSON.parse(textOf('edit.otio', alone)));
    assert.deepEqual(
      tracks.children.map(({ kind }) => kind),
      ['Audio'],
    );
  });

  it('has the cuts as exact fractions of a second, one after another', () => {
    const text = textOf('edit.fcpxml');
    assert.match(text, /<sequence format="r1" duration="450450\/30000s"/);
    assert.deepEqual(
      [...text.matchAll(/offset="(\S+)" start="(\S+)" duration="(\S+)" tc/g)].map((found) =>
        found.slice(1),
      ),
      [
        ['0/30000s', '3003000/30000s', '300300/30000s'],
        ['300300/30000s', '3603600/30000s', '150150/30000s'],
      ],
    );
    assert.match(text, /<media-rep kind="original-media" src="talk%20%231.mp4"\/>/);
  });

  /** Size and times of the source's file, and where the first cut begins. */
  const asset = (clip: typeof edit, asked: Parameters<typeof writeClipDocument>[2]) => {
    const text = writeClipDocument(clip, 'edit.fcpxml', asked)!.text;
    const found = (pattern: RegExp) => pattern.exec(text)!.slice(1);
    return [
      ...found(/<format id="r2" frameDuration="(\S+)" width="(\d+)" height="(\d+)"/),
      ...found(/<asset [^>]* start="(\S+)" duration="(\S+)"/),
      ...found(/<asset-clip [^>]* start="(\S+)" [^>]*tcFormat="(\S+)"/),
    ].join(' ');
  };

  it('has size, length and time code of the file', () => {
    assert.equal(
      asset(edit, { ...names, file }),
      '1001/30000s 1920 1440 107999892/30000s 5999994/30000s 111002892/30000s DF',
    );
  });

  it('reads time codes of all kinds', () => {
    const at25 = { ...file, frameRate: 25, duration: 40 };
    const clip = { ...edit, ranges: [{ start: 2, end: 10 }], duration: 8, frameRate: 25 };
    const of = (start: string, frameRate: number, changes = at25) =>
      asset(clip, { ...names, file: { ...changes, timecode: { start, frameRate } } });
    assert.match(of('10:00:00:05', 25), / 900005\/25s 1000\/25s 900055\/25s NDF$/);
    // Ten minutes leave out eighteen numbers, and at twice the rate twice as many.
    assert.match(of('00:10:00;00', ntsc), / 17999982\/30000s .* DF$/);
    assert.match(of('00:01:00;04', 60000 / 1001), / 3603600\/60000s .* DF$/);
    assert.match(of('00:00:01:00', 24), / 24\/24s 1000\/25s 1800\/600s NDF$/);
    assert.match(of('unreadable', 25), / 0\/25s 1000\/25s 50\/25s NDF$/);
    assert.match(
      asset(clip, { ...names, file: { ...at25, frameRate: 50 } }),
      /^1\/50s .* 2000\/50s /,
    );
  });

  it('adds the black bars again if only the edit is known', () => {
    const content = { x: 0, y: 0.125, width: 1, height: 0.75 };
    const barred = { ...edit, source: { ...edit.source, content } };
    assert.match(asset(barred, names), /^\S+ 1920 1440 0\/30000s /);
  });

  it('is one document whatever the names are', () => {
    for (const hostile of [...hostileTexts, '\ud800 alone']) {
      const text = textOf('edit.fcpxml', edit, { title: hostile, source: `${hostile}.mp4` });
      assert.equal(text.match(/<event /g)!.length, 1, hostile);
      assert.doesNotMatch(text, /[\x00-\x08\x0b\x0c\x0e-\x1f]/, hostile);
      const withoutTags = text.replace(/<[^<>]*>/g, '');
      assert.doesNotMatch(withoutTags, /[<>]/, hostile);
    }
  });
});
