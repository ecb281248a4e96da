/**
 * Makes the sample video: a short show in four topics, spoken by `flite` and drawn as vector
 * shapes, with its transcript. It contains no foreign footage. From the command line: `node
 * demo/sample/make-sample.ts [directory]`.
 */
import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { frameRate, renderShow, type Show } from './render-show.ts';
import { palettes } from './scenery.ts';
import { topics } from './script.ts';
import { drawGround, drawShot, shotsOf } from './shots.ts';
import { speakScript, type Speech } from './speech.ts';
import { webVtt } from './web-vtt.ts';

export interface Sample {
  /** Path of the MP4: 25 frames a second, H.264 and AAC. */
  video: string;
  /** Path of the WebVTT file next to it: one cue for each sentence. */
  transcript: string;
}

export interface SampleOptions {
  /** 1920 by 1080 if omitted. */
  size?: { width: number; height: number };
  /** How many sentences of each topic are spoken; all if omitted. */
  sentences?: number;
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

function showOf(speech: Speech, size = { width: 1920, height: 1080 }): Show {
  const shots = shotsOf(speech);
  const lines: string[] = [];
  const grounds = shots.map((shot) => {
    const own = shots.filter(({ topic }) => topic === shot.topic);
    const span = [own[0]!.from / frameRate, own.at(-1)!.to / frameRate] as [number, number];
    lines.push(...drawShot(shot, speech, span));
    const palette = palettes[topics[shot.topic]!.scenery];
    const colours = shot.kind === 'near' ? palette.near : palette.ground;
    return { frames: shot.to - shot.from, colours, lines: drawGround(shot) };
  });
  return { grounds, lines, samples: speech.samples, size };
}

/**
 * Makes `sample.mp4` and `sample.vtt` in a directory, which it creates. Existing files are kept.
 */
export async function makeSample(
  directory: string,
  { size, sentences }: SampleOptions = {},
): Promise<Sample> {
  await mkdir(directory, { recursive: true });
  const sample = {
    video: join(directory, 'sample.mp4'),
    transcript: join(directory, 'sample.vtt'),
  };
  // The video is put in place last, so an existing video is always complete.
  if ((await exists(sample.video)) && (await exists(sample.transcript))) return sample;
  const work = await mkdtemp(join(directory, '.making-'));
  try {
    const speech = await speakScript(work, sentences);
    await renderShow(work, showOf(speech, size), 'sample.mp4');
    await writeFile(join(work, 'part.vtt'), webVtt(speech.sentences));
    await rename(join(work, 'part.vtt'), sample.transcript);
    await rename(join(work, 'sample.mp4'), sample.video);
    return sample;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const made = await makeSample(resolve(process.argv[2] ?? 'sample'));
  console.log(`${made.video}\n${made.transcript}`);
}
