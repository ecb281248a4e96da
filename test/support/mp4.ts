import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface ProbedStream {
  codec_type: string;
  codec_name: string;
  width?: number;
  height?: number;
  duration?: string;
  nb_frames?: string;
}

/** ffprobe's data about a file's streams. */
export async function probe(path: string): Promise<ProbedStream[]> {
  // prettier-ignore
  const { stdout } = await run('ffprobe', ['-v', 'error', '-print_format', 'json', '-show_streams', path]);
  return (JSON.parse(stdout) as { streams: ProbedStream[] }).streams;
}

/** The names of an MP4's outermost boxes, in order. */
export function boxNames(bytes: Buffer): string[] {
  const names: string[] = [];
  for (let offset = 0; offset + 8 <= bytes.length;) {
    const short = bytes.readUInt32BE(offset);
    names.push(bytes.toString('latin1', offset + 4, offset + 8));
    const size = short === 1 ? Number(bytes.readBigUInt64BE(offset + 8)) : short;
    if (size < 8) break;
    offset += size;
  }
  return names;
}

/** The mean colour, 0 to 255 each, of a rectangle of the frame at `seconds`. */
export async function meanColour(
  path: string,
  seconds: number,
  area: { x: number; y: number; width: number; height: number },
): Promise<{ red: number; green: number; blue: number }> {
  const { x, y, width, height } = area;
  const { stdout } = await run(
    'ffmpeg',
    // prettier-ignore
    [
      '-v', 'error', '-nostdin', '-ss', String(seconds), '-i', path, '-frames:v', '1',
      '-vf', `crop=${width}:${height}:${x}:${y},format=rgb24`, '-f', 'rawvideo', 'pipe:1',
    ],
    { encoding: 'buffer', maxBuffer: 1 << 26 },
  );
  const sum = [0, 0, 0];
  for (const [index, value] of stdout.entries()) sum[index % 3]! += value;
  const [red = 0, green = 0, blue = 0] = sum.map((one) => one / (stdout.length / 3));
  return { red, green, blue };
}
