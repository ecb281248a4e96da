/**
 * Makes the sample video: a little show in four topics, spoken by `flite` and drawn as vector shapes, with its transcript.
 * Nothing in it is foreign footage. From the command line: `node demo/sample/make-sample.ts [directory]`.
 */
import { spawn } from 'node:child_process';
import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { assHead } from './drawing.ts';
import { palettes } from './scenery.ts';
import { topics } from './script.ts';
import { drawGround, drawShot, frameRate, shotsOf, type Shot } from './shots.ts';
import { speakScript, speechRate, type Speech } from './speech.ts';

export interface Sample {
  /** Path of the MP4: 1920 by 1080, 25 frames a second, H.264 and AAC. */
  video: string;
  /** Path of the WebVTT beside it: one cue a sentence. */
  transcript: string;
}

function ffmpeg(args: string[], directory: string): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn('ffmpeg', ['-v', 'error', '-nostdin', ...args], {
      cwd: directory,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (piece: Buffer) => (said = (said + piece.toString()).slice(-2000)));
    child.on('error', fail);
    child.on('close', (code) =>
      code === 0 ? done() : fail(new Error(`The sample could not be made: ${said.trim()}`)),
    );
  });
}

/** The grounds of all shots, one after another: each a still picture of two colours. */
function grounds(shots: readonly Shot[]): string {
  const parts = shots.map((shot, index) => {
    const palette = palettes[topics[shot.topic]!.scenery];
    const [first, last] = shot.kind === 'near' ? palette.near : palette.ground;
    const source = `gradients=s=1920x1080:r=${frameRate}:d=1:nb_colors=2:c0=0x${first.slice(1)}:c1=0x${last.slice(1)}:x0=200:y0=0:x1=1720:y1=1080`;
    return `${source},trim=end_frame=1,ass=ground${index}.ass,format=yuv420p,loop=loop=${shot.to - shot.from - 1}:size=1,setpts=N/(${frameRate}*TB)[g${index}]`;
  });
  const inputs = shots.map((_, index) => `[g${index}]`).join('');
  return [
    ...parts,
    `${inputs}concat=n=${shots.length}:v=1:a=0,ass=show.ass,format=yuv420p[v]`,
    '[0:a]aresample=48000,highpass=f=70,volume=1.6,alimiter=limit=0.9:level=0[a]',
  ].join(';\n');
}

const stamp = (seconds: number): string => {
  const thousandths = Math.round(seconds * 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  const whole = Math.floor(thousandths / 1000);
  return `${two(Math.floor(whole / 3600))}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}.${String(thousandths % 1000).padStart(3, '0')}`;
};

const webVtt = (speech: Speech): string =>
  `WEBVTT\n\n${speech.sentences
    .map(({ text, start, end }) => `${stamp(start)} --> ${stamp(end)}\n${text}\n`)
    .join('\n')}`;

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function draw(directory: string, speech: Speech): Promise<void> {
  const shots = shotsOf(speech);
  const lines = [assHead];
  for (const [index, shot] of shots.entries()) {
    const ground = [assHead, ...drawGround(shot)].join('\n');
    await writeFile(join(directory, `ground${index}.ass`), `${ground}\n`);
    const own = shots.filter(({ topic }) => topic === shot.topic);
    const span = [own[0]!.from / frameRate, own.at(-1)!.to / frameRate] as [number, number];
    lines.push(...drawShot(shot, speech, span));
  }
  await writeFile(join(directory, 'show.ass'), `${lines.join('\n')}\n`);
  await writeFile(join(directory, 'graph.txt'), grounds(shots));
  await writeFile(join(directory, 'speech.raw'), Buffer.from(speech.samples.buffer));
  await ffmpeg(
    [
      ...['-f', 's16le', '-ar', String(speechRate), '-ac', '1', '-i', 'speech.raw'],
      ...['-filter_complex_script', 'graph.txt', '-map', '[v]', '-map', '[a]'],
      ...['-c:v', 'libx264', '-preset', 'superfast', '-crf', '20', '-g', String(2 * frameRate)],
      ...['-c:a', 'aac', '-b:a', '128k', '-ac', '2', '-fflags', '+bitexact'],
      ...['-flags:v', '+bitexact', '-flags:a', '+bitexact', '-movflags', '+faststart'],
      ...['-t', String(shots.at(-1)!.to / frameRate), '-y', 'part.mp4'],
    ],
    directory,
  );
}

/** Makes `sample.mp4` and `sample.vtt` in a directory, which is made too; what is there already is kept. */
export async function makeSample(directory: string): Promise<Sample> {
  await mkdir(directory, { recursive: true });
  const sample = {
    video: join(directory, 'sample.mp4'),
    transcript: join(directory, 'sample.vtt'),
  };
  // The video is put in place last: where it is, all of it is.
  if ((await exists(sample.video)) && (await exists(sample.transcript))) return sample;
  const work = await mkdtemp(join(directory, '.making-'));
  try {
    const speech = await speakScript(work);
    await draw(work, speech);
    await writeFile(join(work, 'part.vtt'), webVtt(speech));
    await rename(join(work, 'part.vtt'), sample.transcript);
    await rename(join(work, 'part.mp4'), sample.video);
    return sample;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const made = await makeSample(resolve(process.argv[2] ?? 'sample'));
  console.log(`${made.video}\n${made.transcript}`);
}
