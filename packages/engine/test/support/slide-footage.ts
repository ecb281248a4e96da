import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** A line of text: its left edge, its middle and the size of its letters, in pixels of 720p. */
export interface SlideLine {
  x: number;
  y: number;
  size: number;
  text: string;
}

export const bullets: readonly SlideLine[] = [
  { x: 80, y: 110, size: 60, text: 'Quarterly revenue by region' },
  ...['Customers in the north renew early', 'Support costs less than a year ago'].map(
    (text, at) => ({ x: 110, y: 230 + 70 * at, size: 42, text }),
  ),
];

const code = Array.from({ length: 14 }, (_, at): SlideLine => {
  const indent = ['', '    ', '        '][at % 3]!;
  return { x: 40, y: 40 + 30 * at, size: 24, text: `${indent}const total = sum(items, ${at});` };
});
export { code };

/** A video that is laid under the text of a slide, after a filter such as one that cuts corners. */
export interface Inset {
  video: string;
  x: number;
  y: number;
  width: number;
  height: number;
  filter?: string;
}

/** Makes a video of 1280 by 720 with text on a plain ground, letters and ground as `RRGGBB`. */
export async function slideVideo(
  path: string,
  options: {
    seconds: number;
    lines: readonly SlideLine[];
    ground: string;
    letters: string;
    insets?: readonly Inset[];
  },
): Promise<string> {
  const { seconds, lines, ground, letters, insets = [] } = options;
  const [red, green, blue] = [0, 2, 4].map((at) => letters.slice(at, at + 2));
  const script = join(dirname(path), 'slide.ass');
  await writeFile(
    script,
    [
      '[Script Info]',
      'PlayResX: 1280',
      'PlayResY: 720',
      '[V4+ Styles]',
      'Format: Name, Fontname, Fontsize, PrimaryColour, BorderStyle, Outline, Shadow, Alignment',
      `Style: s,DejaVu Sans,40,&H00${blue}${green}${red},1,0,0,4`,
      '[Events]',
      'Format: Start, End, Style, Text',
      ...lines.map(
        ({ x, y, size, text }) =>
          `Dialogue: 0:00:00.00,0:10:00.00,s,{\\pos(${x},${y})\\fs${size}}${text.replaceAll(' ', '\\h')}`,
      ),
    ].join('\n'),
  );
  const slide = `color=c=0x${ground}:s=1280x720:r=25:d=${seconds}`;
  const laid = insets.map(
    ({ x, y, width, height, filter = 'null' }, at) =>
      `;[${at}:v]scale=${width}:${height}:force_original_aspect_ratio=increase,crop=${width}:${height},${filter}[i${at}];[s${at}][i${at}]overlay=${x}:${y}:shortest=1[s${at + 1}]`,
  );
  await promisify(execFile)(
    'ffmpeg',
    // prettier-ignore
    [
      '-v', 'error', ...insets.flatMap(({ video: video }) => ['-i', video]),
      '-filter_complex', `${slide}[s0]${laid.join('')};[s${insets.length}]ass=slide.ass[v]`, '-map', '[v]',
      '-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '20',
      '-pix_fmt', 'yuv420p', '-g', '25', '-t', String(seconds), '-y', path,
    ],
    { cwd: dirname(path) },
  );
  return path;
}
