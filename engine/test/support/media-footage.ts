import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Runs ffmpeg on our own input, and returns its raw output. */
export async function ffmpeg(args: string[], cwd?: string): Promise<Buffer> {
  const { stdout } = await execute('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args], {
    encoding: 'buffer',
    maxBuffer: 256 * 1024 * 1024,
    ...(cwd ? { cwd } : {}),
  });
  return stdout;
}

export interface Described {
  streams: {
    codec_type: string;
    codec_name: string;
    width?: number;
    height?: number;
    nb_frames?: string;
    duration?: string;
    pix_fmt?: string;
    avg_frame_rate?: string;
  }[];
  format: { duration: string };
}

export async function describeFile(path: string): Promise<Described> {
  const args = ['-v', 'error', '-show_streams', '-show_format', '-of', 'json', path];
  const { stdout } = await execute('ffprobe', args);
  return JSON.parse(stdout) as Described;
}

/** A new empty directory. `remove` deletes it with everything in it. */
export async function temporaryDirectory() {
  const path = await mkdtemp(join(tmpdir(), 'clip-media-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

const quick = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];

/**
 * A film of moving shapes. Its sound alternates between one second of tone and one quiet second.
 */
export async function film(
  path: string,
  options: {
    seconds?: number;
    size?: string;
    rate?: string;
    sound?: boolean;
    video?: string;
    output?: string[];
  } = {},
): Promise<string> {
  const { seconds = 4, size = '320x180', rate = '25', sound = true, output = [] } = options;
  const video = options.video ?? `testsrc2=s=${size}:r=${rate}`;
  // prettier-ignore
  await ffmpeg([
    '-f', 'lavfi', '-i', `${video},trim=duration=${seconds}`,
    ...(sound
      ? ['-f', 'lavfi', '-i', `sine=f=440:r=48000,volume='lt(mod(t,2),1)':eval=frame`]
      : []),
    '-t', String(seconds), ...quick, '-g', '25', '-c:a', 'aac', ...output, path,
  ]);
  return path;
}

/** The frame of a file at a time, as raw RGB bytes: three per pixel. */
export const frameAt = (path: string, seconds: number): Promise<Buffer> =>
  // prettier-ignore
  ffmpeg([
    '-ss', String(seconds), '-i', path, '-frames:v', '1',
    '-vf', 'scale=in_color_matrix=bt709', '-f', 'rawvideo', '-pix_fmt', 'rgb24', 'pipe:1',
  ]);
