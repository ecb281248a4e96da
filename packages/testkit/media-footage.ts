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
    disposition?: { attached_pic: number };
  }[];
  format: { duration: string };
}

export async function describeFile(path: string): Promise<Described> {
  const args = ['-v', 'error', '-show_streams', '-show_format', '-of', 'json', path];
  const { stdout } = await execute('ffprobe', args);
  return JSON.parse(stdout) as Described;
}

/** The first time of a file, and the times of its decoded frames by its own clock. */
export async function describeFrames(path: string) {
  const entries = 'format=start_time:frame=best_effort_timestamp_time,key_frame';
  // prettier-ignore
  const { stdout } = await execute('ffprobe', [
    '-v', 'error', '-select_streams', 'v', '-show_entries', entries, '-of', 'json', path,
  ], { maxBuffer: 64 * 1024 * 1024 });
  const { format, frames } = JSON.parse(stdout) as {
    format: { start_time: string };
    frames: { best_effort_timestamp_time: string; key_frame: number }[];
  };
  return {
    startTime: Number(format.start_time),
    frames: frames.map(({ best_effort_timestamp_time, key_frame }) => ({
      time: Number(best_effort_timestamp_time),
      key: key_frame === 1,
    })),
  };
}

/** Where the packets of the pictures are in a file, in bytes. */
export async function packetPlaces(path: string): Promise<{ pos: number; size: number }[]> {
  const entries = ['-select_streams', 'v', '-show_entries', 'packet=pos,size', '-of', 'json'];
  const { stdout } = await execute('ffprobe', ['-v', 'error', ...entries, path]);
  const { packets } = JSON.parse(stdout) as { packets: { pos: string; size: string }[] };
  return packets.map(({ pos, size }) => ({ pos: Number(pos), size: Number(size) }));
}

/** A new empty directory. `remove` deletes it with everything in it. */
export async function temporaryDirectory() {
  const path = await mkdtemp(join(tmpdir(), 'clip-media-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

const quick = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];

/**
 * A video of moving shapes. Its sound alternates between one second of tone and one quiet second.
 */
export async function makeVideo(
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

/** Copies a video, and says in its header that it is shown turned by a quarter. */
export async function turnedCopy(from: string, to: string): Promise<void> {
  const { stdout } = await execute('ffmpeg', ['-hide_banner', '-h', 'long']);
  // The tag is no longer written since version 7.
  const before = /^-display_rotation/m.test(stdout) ? ['-display_rotation', '-90'] : [];
  const after = before.length > 0 ? [] : ['-metadata:s:v', 'rotate=90'];
  await ffmpeg([...before, '-i', from, '-c', 'copy', ...after, to]);
}

/** The frame of a file at a time, as raw RGB bytes: three per pixel. */
export const frameAt = (path: string, seconds: number): Promise<Buffer> =>
  // prettier-ignore
  ffmpeg([
    '-ss', String(seconds), '-i', path, '-frames:v', '1',
    '-vf', 'scale=in_color_matrix=bt709', '-f', 'rawvideo', '-pix_fmt', 'rgb24', 'pipe:1',
  ]);
