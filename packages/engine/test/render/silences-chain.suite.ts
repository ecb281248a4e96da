import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { analyse } from '../../src/scan/analyse.ts';
import { makeWholeEdit } from '../support/whole-edit.ts';
import { makeMediaInfo, probe } from '../../src/source/probe.ts';
import { render } from '../../src/render/render.ts';
import { defaultStyle } from '../../src/style/style.ts';
import { ffmpeg, temporaryDirectory } from 'clip-testkit/media-footage';
import { editingWith } from 'clip-testkit/plain-edit';

const directory = await temporaryDirectory();
after(() => directory.remove());

/**
 * The upper part of the picture is white during the tone: both begin at `begin(k)`, for `lasts`
 * seconds, `period` apart.
 */
const [period, lasts] = [1.037, 0.431];
const begin = (index: number): number => 0.2 + index * period;
const size = { width: 144, height: 256 };
const high = 80;

const style = {
  ...defaultStyle,
  captions: { ...defaultStyle.captions, spoken: { mark: 'colour' as const, colour: '#ff0000' } },
};

interface Made {
  path: string;
  transcriptPath: string;
  seconds: number;
}

const stamp = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(11, 23);
/** Neighbours have different widths, so that each has another mark. */
const word = (index: number): string => ['one', 'twenty', 'six', 'hundred'][index % 4]!;

async function make(name: string, rate: string, bursts: number, thinned: boolean): Promise<Made> {
  const seconds = begin(bursts) - period + lasts + 0.3;
  const on = `lt(mod(t-0.2+${period},${period}),${lasts})*gte(t,0.2)`;
  const path = join(directory.path, `${name}.mkv`);
  const thin = thinned ? `,select='not(between(mod(n,7),3,5))'` : '';
  // prettier-ignore
  await ffmpeg([
    '-f', 'lavfi', '-i', `color=0x202020:s=${size.width}x${size.height}:r=${rate}`,
    '-f', 'lavfi', '-i', `aevalsrc='0.5*sin(2*PI*880*t)*${on}':s=48000`,
    '-vf', `drawbox=x=0:y=0:w=iw:h=${high}:color=white:t=fill:enable='${on}'${thin}`,
    '-t', seconds.toFixed(3), '-fps_mode', thinned ? 'vfr' : 'cfr',
    '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'flac', path,
  ]);
  const cues = Array.from(
    { length: bursts },
    (_, index) => `${stamp(begin(index))} --> ${stamp(begin(index) + lasts)}\n${word(index)}\n`,
  );
  const transcriptPath = join(directory.path, `${name}.vtt`);
  await writeFile(transcriptPath, `WEBVTT\n\n${cues.join('\n')}`);
  return { path, transcriptPath, seconds };
}

/** When each burst is first visible in a source: at the first frame at or after it. */
function firstSeen(time: number, rate: number, thinned: boolean): number {
  let frame = Math.ceil(time * rate - 1e-6);
  while (thinned && [3, 4, 5].includes(frame % 7)) frame += 1;
  return frame / rate;
}

/**
 * Times at which values rise above and fall below a threshold. Breaks shorter than `least` are
 * ignored.
 */
function edges(values: ArrayLike<number>, threshold: number, rate: number, least: number) {
  const rises: number[] = [];
  const falls: number[] = [];
  let last = -Infinity;
  for (let index = 0; index < values.length; index++) {
    if (values[index]! < threshold) continue;
    if (index - last > least * rate) {
      if (Number.isFinite(last)) falls.push((last + 1) / rate);
      rises.push(index / rate);
    }
    last = index;
  }
  if (Number.isFinite(last)) falls.push((last + 1) / rate);
  return { rises, falls };
}

/** What a render shows and plays, read from its decoded frames and samples. */
async function decoded(path: string, rate: number) {
  const raw = await ffmpeg(['-i', path, '-f', 'rawvideo', '-pix_fmt', 'rgb24', 'pipe:1']);
  const bytes = size.width * size.height * 3;
  const bright: number[] = [];
  const marks: ({ middle: number; size: number } | null)[] = [];
  for (let at = 0; at + bytes <= raw.length; at += bytes) {
    bright.push(raw[at + (10 * size.width + 72) * 3]!);
    let [sum, count] = [0, 0];
    for (let pixel = size.width * (high + 10); pixel < bytes / 3; pixel++) {
      const place = at + pixel * 3;
      if (raw[place]! > 150 && raw[place + 1]! < 100 && raw[place + 2]! < 100) {
        sum += (pixel % size.width) + Math.floor(pixel / size.width) * 1000;
        count += 1;
      }
    }
    marks.push(count > 4 ? { middle: sum / count, size: count } : null);
  }
  const words = marks.flatMap((mark, index) => {
    const before = marks[index - 1];
    const moved =
      !before ||
      (mark !== null &&
        (Math.abs(mark.middle - before.middle) > 2 ||
          Math.abs(mark.size / before.size - 1) > 0.15));
    return mark !== null && moved ? [index] : [];
  });
  // A mark may need a second frame to get its whole size: the encoder's, not the caption's.
  const onsets = words.filter((index, at) => index - (words[at - 1] ?? -2) > 1);
  const sound = await ffmpeg(['-i', path, '-ac', '1', '-ar', '48000', '-f', 's16le', 'pipe:1']);
  const samples = new Int16Array(new Uint8Array(sound).buffer).map(Math.abs);
  return {
    seen: edges(bright, 140, rate, 1.5 / rate),
    heard: edges(samples, 3500, 48_000, 0.05),
    words: onsets.map((index) => index / rate),
  };
}

describe('removed silences, from the source to the decoded frames', () => {
  const rates = [
    ['25, more than thirty joins', '25', 33, false],
    ['variable', '50', 6, true],
    ['24', '24', 6, false],
    ['29.97', '30000/1001', 6, false],
    ['30', '30', 6, false],
    ['50', '50', 6, false],
    ['60', '60', 6, false],
  ] as const;
  for (const [name, rate, bursts, thinned] of rates) {
    it(`${name} frames a second: sound stays with the picture, and captions with both`, async (context) => {
      const made = await make(`at${rate.replace('/', '-')}${thinned}`, rate, bursts, thinned);
      const { signal } = new AbortController();
      const media = makeMediaInfo(await probe(made.path, signal), made.seconds)!;
      const source = { ...made, media, sha256: '', bytes: 0 };
      const analysis = await analyse(source, { language: 'en', signal });
      const edit = makeWholeEdit(analysis, {
        editing: editingWith('captions', 'reframe', 'remove_silences'),
        dimensions: size,
        title: '',
        style,
      });
      assert.equal(edit.ranges.length, bursts, 'a join between each two');
      const output = join(directory.path, 'out.mp4');
      await render(edit, { source: made.path, output, quality: 'export', signal });

      const { seen, heard, words } = await decoded(output, edit.frameRate);
      for (const list of [seen.rises, seen.falls, heard.rises, heard.falls, words]) {
        assert.equal(list.length, bursts, JSON.stringify({ seen, heard, words }));
      }
      const [above, below = 1] = rate.split('/').map(Number);
      const frame = 1 / edit.frameRate;
      const worst = { gap: 0, onset: 0 };
      for (let index = 0; index < bursts; index++) {
        for (const [picture, sound, truth] of [
          [seen.rises, heard.rises, begin(index)],
          [seen.falls, heard.falls, begin(index) + lasts],
        ] as const) {
          // Even the source shows a burst a fraction of a frame after its sound.
          const late = firstSeen(truth, above! / below, thinned) - truth;
          const gap = Math.abs(picture[index]! - sound[index]! - late);
          worst.gap = Math.max(worst.gap, gap);
          assert.ok(gap < frame, `burst ${index}: ${(gap * 1000).toFixed(1)} ms apart`);
        }
        const onset = Math.abs(words[index]! - heard.rises[index]!);
        worst.onset = Math.max(worst.onset, onset);
        assert.ok(onset <= 0.08, `word ${index}: ${(onset * 1000).toFixed(1)} ms off its sound`);
        // And no sound was cut off: each burst is as long as before.
        const length = heard.falls[index]! - heard.rises[index]!;
        assert.ok(Math.abs(length - lasts) < 0.012, `burst ${index} lasts ${length}`);
      }
      context.diagnostic(
        `${bursts - 1} joins: sound and picture at most ${(worst.gap * 1000).toFixed(1)} ms of ${(frame * 1000).toFixed(1)} apart, captions ${(worst.onset * 1000).toFixed(1)} ms off`,
      );
    });
  }
});
