import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { analyse } from '../../src/scan/analyse.ts';
import { type Analysis, type Span, type IngestedSource } from '../../src/facts.ts';
import { pickCandidates } from '../../src/moments/candidates.ts';
import { downloadSource } from '../../src/source/ingest.ts';
import { ffmpeg, temporaryDirectory } from 'clip-testkit/media-footage';
import { mediaServer } from 'clip-testkit/media-server';
import { found } from '../support/talks.ts';

/** The sentences in order. A star begins and ends a part that is worth a clip. */
const script = `
  Okay, let me see if the slides are there.
  The schedule is on the second page of the handout.
  In general there are several types of material.
  These are listed in the main part of the report.
  * Why do most people never finish a race?
  I asked nine hundred runners, and nobody knew the answer.
  They told me it was the legs, but they were wrong.
  The truth is that you stop in your head, long before your body fails. *
  Anyway, the next page has a table with figures.
  The usual procedure is described in the manual.
  Various details may be found on the website.
  Um, could somebody close the door at the back?
  * One night, my grandfather woke up and the whole house was on fire.
  He had eleven seconds, and he ran back inside for a violin.
  Would you have done that for a thing made of wood?
  That violin saved his life in the end, and I still play it. *
  Okay, thank you, and please remember the agenda.
  There will be a short break after this session.
`;

const rate = 16_000;
const run = promisify(execFile);

const filters = await run('ffmpeg', ['-hide_banner', '-filters']);
const skip = /\bflite\b/.test(filters.stdout) ? false : 'this ffmpeg has no flite';

/** A sentence in a synthetic voice: its samples, from the first audible one to the last. */
async function spoken(text: string): Promise<Int16Array> {
  // prettier-ignore
  const raw = await ffmpeg([
    '-f', 'lavfi', '-i', `flite=text='${text}':voice=slt`,
    '-ac', '1', '-ar', String(rate), '-f', 's16le', 'pipe:1',
  ]);
  const samples = new Int16Array(new Uint8Array(raw).buffer);
  const heard = (sample: number) => Math.abs(sample) > 400;
  return samples.slice(samples.findIndex(heard), samples.findLastIndex(heard) + 1);
}

const stamp = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(11, 23);

describe('a talk that is really spoken', { skip }, () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let server: Awaited<ReturnType<typeof mediaServer>>;
  let source: IngestedSource;
  let samples: Int16Array;
  const sentences: Span[] = [];
  const highlights: Span[] = [];
  const { signal } = new AbortController();

  before(async () => {
    directory = await temporaryDirectory();
    const lines = script
      .trim()
      .split('\n')
      .map((line) => line.trim());
    const texts = lines.map((line) => line.replaceAll('*', '').trim());
    const voices = await Promise.all(texts.map(spoken));
    const pieces: Int16Array[] = [new Int16Array(rate * 0.6)];
    let at = 0.6;
    voices.forEach((voice, index) => {
      const span = { start: at, end: at + voice.length / rate };
      sentences.push(span);
      if (lines[index]!.startsWith('*')) highlights.push({ ...span });
      if (lines[index]!.endsWith('*')) highlights.at(-1)!.end = span.end;
      // Pauses like those of a speaker, with long ones between parts.
      const pause = lines[index]!.endsWith('*') ? 0.9 : 0.4 + 0.15 * (index % 3);
      pieces.push(voice, new Int16Array(Math.round(pause * rate)));
      at = span.end + Math.round(pause * rate) / rate;
    });
    samples = new Int16Array(pieces.reduce((sum, { length }) => sum + length, 0));
    let place = 0;
    for (const piece of pieces) {
      samples.set(piece, place);
      place += piece.length;
    }
    const file = (name: string) => join(directory.path, name);
    await writeFile(file('sound.raw'), samples);
    // prettier-ignore
    await ffmpeg([
      '-f', 's16le', '-ar', String(rate), '-ac', '1', '-i', file('sound.raw'),
      '-f', 'lavfi', '-i', 'color=gray:s=64x36:r=12', '-shortest', '-map', '1', '-map', '0',
      '-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', '-b:a', '64k', file('talk.mp4'),
    ]);
    // Subtitles like those that people write: they begin a little early and end a little late.
    const cues = texts.map((text, index) => {
      const { start, end } = sentences[index]!;
      return `${stamp(start - 0.12)} --> ${stamp(end + 0.15)}\n${text}\n`;
    });
    server = await mediaServer({
      '/talk.mp4': await readFile(file('talk.mp4')),
      '/talk.vtt': `WEBVTT\n\n${cues.join('\n')}`,
    });
    source = await downloadSource(server.url('/talk.mp4'), {
      directory: directory.path,
      maxSeconds: 600,
      allowPrivate: true,
      signal,
    });
  });
  after(async () => {
    await server.close();
    await directory.remove();
  });

  const options = { count: 2, min: 8, max: 30, target: 15 };
  /** The loudest sample near a time, as a share of full scale. */
  const loudest = (time: number, around: number): number =>
    samples
      .subarray(Math.max(0, Math.floor((time - around) * rate)), Math.ceil((time + around) * rate))
      .reduce((most, sample) => Math.max(most, Math.abs(sample) / 32768), 0);
  const inside = (time: number) =>
    sentences.find(({ start, end }) => time > start + 1e-3 && time < end - 1e-3);
  const edges = (clips: readonly Span[]) => clips.flatMap(({ start, end }) => [start, end]);

  it('gives its highlights as clips, whole, with no edge inside what is said', async (context) => {
    const analysis: Analysis = await analyse(source, { language: 'en', signal });
    assert.equal(analysis.transcript?.sentences.length, sentences.length);
    const clips = pickCandidates(analysis, options);
    assert.equal(clips.length, 2);
    const { whole, of } = found(highlights, clips);
    assert.deepEqual([whole, of], [2, 2], JSON.stringify({ highlights, clips }));
    for (const time of edges(clips)) {
      assert.equal(inside(time), undefined, `${time} is inside a sentence`);
      assert.ok(loudest(time, 0.02) < 0.01, `something is heard at ${time}`);
    }
    const air = edges(clips).map((time) =>
      Math.min(
        ...sentences.flatMap(({ start, end }) => [Math.abs(start - time), Math.abs(end - time)]),
      ),
    );
    context.diagnostic(`edges ${air.map((s) => s.toFixed(2)).join(', ')} s off what is said`);
  });

  it('has clips that begin and end in silences where no words are known', async () => {
    const nothing = async () => ({ transcription: null, provider: null, failures: [] });
    const analysis = await analyse(source, { signal, transcribe: nothing });
    assert.equal(analysis.transcript, null);
    const clips = pickCandidates(analysis, options);
    assert.equal(clips.length, 2);
    for (const time of edges(clips)) {
      assert.ok(loudest(time, 0.05) < 0.01, `something is heard at ${time}`);
    }
  });
});
