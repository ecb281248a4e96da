/**
 * Two people in one picture: how long an upright clip shows the one who speaks, in films of real
 * faces whose mouths are moved to speech. Prints a table: `npm run bench:speakers -- [DIRECTORY]`.
 * The speech is that of `flite`, or of the recordings in the directory: of one person each, which
 * is the part of a file's name before its first point.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { topics } from '../../demo/sample/script.ts';
import { speak } from '../../demo/sample/speech.ts';
import type { Edit, Framing } from '../../packages/engine/src/edit.ts';
import { findersWith, analyseAndFrame } from '../../packages/engine/src/editing/analyse-framing.ts';
import { framingAt } from '../../packages/engine/src/framing/layout.ts';
import { conversation, filmRate, soundRate, type Kind } from './conversations.ts';
import { sceneMaterial, sceneSize } from './face-scenes.ts';
import { markdownTable } from './table.ts';

const rounds = 2;
/** The faces of the photos whose lips are seen and closed, so that a warp can open them. */
const closedLips = [0, 1, 6, 8, 11, 12, 13, 14, 15, 16, 19, 20, 21];
const voiceNames = ['slt', 'rms', 'awb', 'kal'] as const;

const pause = [0.2, 0.8] as const;
const large = { height: 0.25, listener: 'still', heard: 'turns', gap: pause } as const;
const kinds: readonly Kind[] = [
  { ...large, name: 'turns' },
  { ...large, name: 'turns, with hardly a pause', gap: [0, 0.15] },
  { ...large, name: 'the other one nods', listener: 'nods' },
  { ...large, name: 'the other one smiles', listener: 'smiles' },
  { ...large, name: 'the other one chews', listener: 'chews' },
  { ...large, name: 'faces of a tenth of the height', height: 0.1 },
  { ...large, name: 'both speak at once', heard: 'both' },
  { ...large, name: 'a narrator, one smiles', heard: 'narrator', listener: 'smiles' },
  { ...large, name: 'a narrator, one chews', heard: 'narrator', listener: 'chews' },
  { ...large, name: 'nobody is heard, both chew', heard: 'nobody', listener: 'chews' },
];

type Voice = readonly Float32Array[];

/** The same loudness for all. */
function levelled(samples: ArrayLike<number>): Float32Array {
  const sound = Float32Array.from(samples);
  const loudest = sound.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-6);
  return sound.map((value) => (0.6 * value) / loudest);
}

async function madeVoices(directory: string): Promise<Voice[]> {
  const sentences = topics.flatMap((topic) => topic.sentences);
  const voices: Float32Array[][] = [];
  for (const [at, name] of voiceNames.entries()) {
    const said = sentences.filter((_, sentence) => sentence % voiceNames.length === at);
    const voice: Float32Array[] = [];
    for (const text of said.slice(0, 8)) voice.push(levelled(await speak(text, directory, name)));
    voices.push(voice);
  }
  return voices;
}

async function recordedVoices(directory: string): Promise<Voice[]> {
  const voices = new Map<string, Float32Array[]>();
  for (const name of (await readdir(directory)).toSorted()) {
    const { stdout } = await promisify(execFile)(
      'ffmpeg',
      // prettier-ignore
      ['-v', 'error', '-i', join(directory, name), '-ac', '1', '-ar', String(soundRate), '-f', 'f32le', '-'],
      { encoding: 'buffer', maxBuffer: 1 << 28 },
    );
    const person = name.split('.')[0]!;
    const sound = levelled(new Float32Array(Uint8Array.from(stdout).buffer));
    voices.set(person, [...(voices.get(person) ?? []), sound]);
  }
  return [...voices.values()];
}

/** Which of the two people a framing shows in a frame, or both. */
function shownAt(framing: Framing, frame: number): 0 | 1 | 'both' {
  const still = framingAt(framing, frame);
  if (still.mode !== 'crop') return 'both';
  return still.x + still.width / 2 < sceneSize.width / 2 ? 0 : 1;
}

/** A change is at a turn if it is this close to the pause. */
const turnReachSeconds = 0.3;

const { faces: all, grounds } = await sceneMaterial(
  fileURLToPath(new URL('../../.data/bench/faces', import.meta.url)),
);
const faces = closedLips.map((face) => all[face]!);
const directory = await mkdtemp(join(tmpdir(), 'bench-speakers-'));
try {
  const recordings = process.argv[2];
  const voices = recordings ? await recordedVoices(recordings) : await madeVoices(directory);
  const rows: string[][] = [];
  let video = 0;
  for (const kind of kinds) {
    const counted = { speech: 0, speaker: 0, both: 0, other: 0, changes: 0, astray: 0 };
    for (let round = 0; round < rounds; round++, video++) {
      const path = join(directory, 'film.mp4');
      const { turns, seconds } = await conversation(path, kind, {
        faces: [faces[(2 * video) % faces.length]!, faces[(2 * video + 1) % faces.length]!],
        ground: grounds[video % grounds.length]!,
        voices: [voices[video % voices.length]!, voices[(video + 1) % voices.length]!],
        seed: video + 1,
      });
      const edit: Edit = {
        version: 1,
        source: { ...sceneSize, frameRate: filmRate, hasAudio: true },
        ranges: [{ start: 0, end: seconds }],
        duration: seconds,
        frameRate: filmRate,
        dimensions: { width: 1080, height: 1920 },
        framing: { mode: 'crop', x: 438, y: 0, width: 405, height: 720 },
        needsAnalysis: true,
        captions: [],
        emojis: [],
        title: null,
      };
      const { framing } = await analyseAndFrame(edit, path, {
        finders: findersWith({ faces: true }),
        signal: new AbortController().signal,
        onFailed: (error) => {
          throw error;
        },
      });
      for (let frame = 0; frame < seconds * filmRate; frame++) {
        const time = frame / filmRate;
        const shown = shownAt(framing, frame);
        const turn = turns.findIndex(({ start, end }) => time >= start && time < end);
        if (turn >= 0) {
          const right = kind.heard === 'turns' && shown === turns[turn]!.speaker;
          counted.speech += 1;
          counted[shown === 'both' ? 'both' : right ? 'speaker' : 'other'] += 1;
        }
        if (frame === 0 || shown === shownAt(framing, frame - 1)) continue;
        counted.changes += 1;
        const atTurn = turns.some(
          ({ start }, next) =>
            next > 0 &&
            time > turns[next - 1]!.end - turnReachSeconds &&
            time < start + turnReachSeconds,
        );
        if (!atTurn) counted.astray += 1;
      }
    }
    const share = (count: number) => `${Math.round((100 * count) / counted.speech)} %`;
    const { speaker, both, other, changes, astray } = counted;
    rows.push([kind.name, ...[speaker, both, other].map(share), `${changes}, ${astray}`]);
    console.error(rows.at(-1)!.join(' | '));
  }
  console.log(
    markdownTable(
      ['share of the speech', 'the speaker alone', 'both', 'another', 'changes, not at turns'],
      rows,
    ),
  );
} finally {
  await rm(directory, { recursive: true, force: true });
}
process.exit();
