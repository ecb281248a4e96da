import { spawn } from 'node:child_process';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assHead } from './drawing.ts';
import { speechRate } from './speech.ts';

/** Frames per second of the drawing: a frame is a whole number of ASS's hundredths. */
export const frameRate = 25;

/**
 * A period with a static background: a gradient of two colours, from the upper left to the lower
 * right, with shapes on it.
 */
interface Ground {
  frames: number;
  colours: readonly [string, string];
  /** Lines of an ASS file, from 0 to 1 s. */
  lines: readonly string[];
}

export interface Show {
  grounds: readonly Ground[];
  /** What moves over the backgrounds, as lines of an ASS file. */
  lines: readonly string[];
  samples: Int16Array;
  /** Size of the video; drawings always use pixels of 1920 by 1080. */
  size: { width: number; height: number };
}

export function ffmpeg(
  args: readonly string[],
  directory: string,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn('ffmpeg', ['-v', 'error', '-nostdin', ...args], {
      cwd: directory,
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(signal && { signal }),
    });
    let said = '';
    child.stderr.on('data', (piece: Buffer) => (said = (said + piece.toString()).slice(-2000)));
    child.on('error', fail);
    child.on('close', (code) =>
      code === 0 ? done() : fail(new Error(`The sample could not be made: ${said.trim()}`)),
    );
  });
}

function filterGraph({ grounds, size }: Show): string {
  const { width, height } = size;
  const ends = `x0=${Math.round(width * 0.104)}:y0=0:x1=${Math.round(width * 0.896)}:y1=${height}`;
  const parts = grounds.map(({ colours, frames }, index) => {
    const [first, last] = colours;
    const source = `gradients=s=${width}x${height}:r=${frameRate}:d=1:nb_colors=2:c0=0x${first.slice(1)}:c1=0x${last.slice(1)}:${ends}`;
    return `${source},trim=end_frame=1,ass=ground${index}.ass,format=yuv420p,loop=loop=${frames - 1}:size=1,setpts=N/(${frameRate}*TB)[g${index}]`;
  });
  const inputs = grounds.map((_, index) => `[g${index}]`).join('');
  return [
    ...parts,
    // Drawn in the colours of standard definition, converted to high definition and marked as such,
    // so that players need not guess.
    `${inputs}concat=n=${grounds.length}:v=1:a=0,ass=show.ass,scale=in_color_matrix=bt601:out_color_matrix=bt709,format=yuv420p[v]`,
    '[0:a]aresample=48000,highpass=f=70,volume=1.6,alimiter=limit=0.9:level=0[a]',
  ].join(';\n');
}

/**
 * Draws a show into an MP4 (H.264, AAC, 25 frames a second). Writes the files that it needs to
 * `directory`, the MP4 last.
 */
export async function renderShow(
  directory: string,
  show: Show,
  name: string,
  signal?: AbortSignal,
): Promise<void> {
  for (const [index, { lines }] of show.grounds.entries()) {
    await writeFile(join(directory, `ground${index}.ass`), `${[assHead, ...lines].join('\n')}\n`);
  }
  await writeFile(join(directory, 'show.ass'), `${[assHead, ...show.lines].join('\n')}\n`);
  await writeFile(join(directory, 'speech.raw'), Buffer.from(show.samples.buffer));
  const frames = show.grounds.reduce((sum, ground) => sum + ground.frames, 0);
  await ffmpeg(
    // prettier-ignore
    [
      '-f', 's16le', '-ar', String(speechRate), '-ac', '1', '-i', 'speech.raw',
      '-filter_complex', filterGraph(show), '-map', '[v]', '-map', '[a]',
      '-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709',
      '-c:v', 'libx264', '-preset', 'superfast', '-crf', '20', '-g', String(2 * frameRate),
      '-c:a', 'aac', '-b:a', '128k', '-ac', '2', '-fflags', '+bitexact',
      '-flags:v', '+bitexact', '-flags:a', '+bitexact', '-movflags', '+faststart',
      '-t', String(frames / frameRate), '-y', 'part.mp4',
    ],
    directory,
    signal,
  );
  await rename(join(directory, 'part.mp4'), join(directory, name));
}
