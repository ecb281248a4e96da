import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import type { Edit } from '../../src/edit.ts';
import { LoudnessSummary } from '../../src/render/loudness.ts';
import { render } from '../../src/render/render.ts';
import { ffmpeg, temporaryDirectory } from 'clip-testkit/media-footage';
import { realSpeech } from '../support/real-speech.ts';
import { plainEdit } from 'clip-testkit/plain-edit';

const directory = await temporaryDirectory();
after(() => directory.remove());
const at = (name: string) => join(directory.path, name);
const { signal } = new AbortController();

/** Loudness in LUFS and true peak in dBTP of a file, as a platform measures them. */
async function loudnessOf(path: string) {
  const args = ['-hide_banner', '-nostats', '-i', path, '-af', 'ebur128=peak=true', '-f', 'null'];
  const { stderr } = await promisify(execFile)('ffmpeg', [...args, '-']);
  const summary = new LoudnessSummary();
  stderr.split('\n').forEach((line) => summary.line(line));
  return summary.end()!;
}

const seconds = 6;

/** Syllables, five in a second, with a pause each two seconds. */
const talk = (volume: number) =>
  `aevalsrc='${volume}*(sin(2*PI*180*t)+0.6*sin(2*PI*620*t)+0.3*sin(2*PI*2300*t))*pow(sin(PI*5*t),2)*lt(mod(t,2),1.5)':s=48000`;
const claps = `anoisesrc=c=pink:a=0.9:r=48000:seed=3,volume='lt(mod(t,3),0.04)':eval=frame`;

async function source(name: string, inputs: string[]): Promise<string> {
  const path = at(`${name}.mp4`);
  const mix = `amix=inputs=${inputs.length}:normalize=0`;
  // prettier-ignore
  await ffmpeg([
    '-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=10',
    ...inputs.flatMap((input) => ['-f', 'lavfi', '-i', input]),
    '-filter_complex', `${inputs.map((_, index) => `[${index + 1}:a]`).join('')}${mix}[a]`,
    '-map', '0:v', '-map', '[a]', '-t', String(seconds), '-g', '10',
    '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', path,
  ]);
  return path;
}

const editOf = (changes: Partial<Edit> = {}): Edit =>
  plainEdit({
    source: { width: 160, height: 90, frameRate: 10, hasAudio: true },
    ranges: [{ start: 0, end: seconds }],
    dimensions: { width: 90, height: 160 },
    ...changes,
  });

async function rendered(from: string, edit: Edit, quality: 'export' | 'preview' = 'export') {
  const output = at(`${quality}-${Math.random()}.mp4`);
  const { copied } = await render(edit, { source: from, output, quality, signal });
  return { ...(await loudnessOf(output)), copied, output };
}

function assertLevelled({ lufs, peakDb }: { lufs: number; peakDb: number }) {
  assert.ok(Math.abs(lufs + 14) <= 1, `${lufs} LUFS`);
  assert.ok(peakDb < -1.5, `${peakDb} dBTP`);
}

const sounds = [
  ['soft', [talk(0.03)]],
  ['loud', [talk(0.6)]],
  ['claps', [talk(0.05), claps]],
] as const;

test('soft talk, loud talk and talk with claps come out at -14 LUFS, peaks under -1.5 dB', async () => {
  for (const [name, inputs] of sounds) {
    const made = await rendered(await source(name, [...inputs]), editOf());
    assertLevelled(made);
  }
});

test('the loudness is measured on the parts that remain, and is the same in previews', async () => {
  // The first four seconds are 20 dB softer.
  const path = await source('rising', [`${talk(0.4)},volume='if(lt(t,4),0.1,1)':eval=frame`]);
  const soft = {
    ranges: [
      { start: 0, end: 1.5 },
      { start: 2, end: 3.5 },
    ],
    duration: 3,
  };
  assertLevelled(await rendered(path, editOf(soft)));
  assertLevelled(await rendered(path, editOf(soft), 'preview'));
  assertLevelled(await rendered(path, editOf({ ranges: [{ start: 4, end: 6 }], duration: 2 })));
});

test('noise is not lifted, and not more than 24 dB of gain are used', async () => {
  const hiss = await source('hiss', ['anoisesrc=c=white:a=0.0015:r=48000']);
  const before = await loudnessOf(hiss);
  assert.ok(before.lufs < -50, String(before.lufs));
  const kept = await rendered(hiss, editOf());
  assert.ok(Math.abs(kept.lufs - before.lufs) < 1, `${before.lufs} became ${kept.lufs}`);
  const far = await source('far', [talk(0.007)]);
  const lifted = (await rendered(far, editOf())).lufs - (await loudnessOf(far)).lufs;
  assert.ok(Math.abs(lifted - 24) < 1, `lifted by ${lifted}`);
});

test('a copy encodes only the sound if its level is wrong', async () => {
  const plain = {
    dimensions: { width: 160, height: 90 },
    framing: { mode: 'crop', x: 0, y: 0, width: 160, height: 90 },
    ranges: [{ start: 2, end: 6 }],
    duration: 4,
  } as const;
  const soft = await rendered(await source('soft copy', [talk(0.03)]), editOf(plain as never));
  assertLevelled(soft);
  assert.equal(soft.copied, true);
  const right = await source('right', [talk(0.35)]);
  const own = await rendered(right, editOf(plain as never));
  assertLevelled(own);
  assert.equal(own.copied, true);
});

test('a microphone on one side is heard on both, at the same loudness', async () => {
  const path = await source('one side', [`${talk(0.1)},pan=stereo|c0=0*c0|c1=c0`]);
  const { output, ...made } = await rendered(path, editOf());
  assertLevelled(made);
  // What is left of one side without the other: only what the coder adds.
  const filters = ['-af', 'pan=mono|c0=c0-c1', '-f', 's16le', 'pipe:1'];
  const difference = new Int16Array(
    Uint8Array.from(await ffmpeg(['-i', output, ...filters])).buffer,
  );
  assert.ok(difference.every((sample) => Math.abs(sample) < 300));
});

const recording = realSpeech('jfk.wav');

test('a real speech, 20 dB too soft', { skip: !existsSync(recording) }, async () => {
  const path = await source('speech', [`amovie=${recording},volume=-20dB,aresample=48000`]);
  assertLevelled(await rendered(path, editOf()));
});
