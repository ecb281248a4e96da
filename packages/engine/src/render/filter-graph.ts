import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { placeEmoji } from '../captions/caption-layout.ts';
import { openEmojiFont } from '../captions/emoji-font.ts';
import type { Dimensions, Edit } from '../edit.ts';
import type { Span } from '../facts.ts';
import { buildFramingGraph } from '../framing/framing-graph.ts';
import { makeWaveFilter, buildWaveGraph } from './wave.ts';
import { readPngSize } from './watermark.ts';
import { type OpenedSource, makePictureFilters, makeToneMapFilter } from '../source/open-source.ts';
import { mergeSpans } from '../spans.ts';
import { defaultStyle } from '../style/style.ts';
import { cutAndJoin, filterNumber, formatNearest, frameRanges } from './cut-graph.ts';
import { buildSoundGraph, type SoundLevel } from './sound-graph.ts';

/**
 * An image over the picture, at a place in output pixels, all the time or during ranges of output
 * seconds.
 */
export interface Overlay {
  /** Index of ffmpeg's input. */
  input: number;
  x: number;
  y: number;
  width: number;
  height: number;
  /** One or more. */
  during?: readonly Span[];
}

/**
 * Place and size of an image. `pos_*` is its share of the free space, `scale` a factor of its own
 * size.
 */
export function placeImage(
  image: Dimensions,
  at: { pos_x: number; pos_y: number; scale: number },
  output: Dimensions,
): { x: number; y: number; width: number; height: number } {
  const width = Math.max(1, Math.round(image.width * at.scale));
  const height = Math.max(1, Math.round(image.height * at.scale));
  return {
    x: Math.round(at.pos_x * (output.width - width)),
    y: Math.round(at.pos_y * (output.height - height)),
    width,
    height,
  };
}

/**
 * With 4:2:0 colour, overlays only go to even places. For an odd place, a transparent line is added
 * at the image's edge. That happens in RGB, because pictures with half the colour resolution cannot
 * be padded by one pixel.
 */
function lay(overlay: Overlay, index: number, [from, to]: readonly [string, string]): string[] {
  const padX = Math.abs(overlay.x % 2);
  const padY = Math.abs(overlay.y % 2);
  const even = (side: number) => side + (side % 2);
  const [width, height] = [even(overlay.width + padX), even(overlay.height + padY)];
  const scale = `scale=${overlay.width}:${overlay.height}:flags=lanczos,format=rgba`;
  const pad = `pad=${width}:${height}:${padX}:${padY}:color=black@0`;
  const during =
    overlay.during &&
    formatNearest(
      mergeSpans(overlay.during),
      ({ start, end }) => `between(t,${filterNumber(start)},${filterNumber(end)})`,
    );
  return [
    `[${overlay.input}:v]format=rgba,${scale},${pad},scale=out_color_matrix=bt709:out_range=tv,format=yuva420p[o${index}]`,
    `[${from}][o${index}]overlay=x=${overlay.x - padX}:y=${overlay.y - padY}:eof_action=repeat${during ? `:enable='${during}'` : ''}[${to}]`,
  ];
}

/** The fonts that are not installed, in the working directory of an ffmpeg that draws text. */
export const fontsDirectory = 'fonts';

/** Links the fonts of these paths into the working directory. */
export async function linkFonts(work: string, paths: readonly string[] = []): Promise<void> {
  const directory = join(work, fontsDirectory);
  await mkdir(directory);
  for (const [index, path] of paths.entries()) {
    await symlink(resolve(path), join(directory, `${index}.ttf`));
  }
}

/**
 * The filter graph of a render, from the inputs to `[v]` and `[a]`. Input 0 is the source, opened
 * for the start of the first range. Both streams are padded before they are cut, so that each has
 * exactly the edit's frames. A source without sound gets silence.
 * @param opened the source
 * @param size size of the render; smaller than the edit's for a preview
 * @param captions whether `c.ass` is in the working directory, beside the linked fonts
 * @param level change of the sound's level; null leaves it as it is
 * @param joined lines that join other videos to it, from `[clipPicture]` and `[clipSound]`
 */
export function filterGraph(
  edit: Edit,
  opened: OpenedSource,
  size: Dimensions,
  {
    captions,
    overlays,
    level = null,
    joined = [],
  }: {
    captions: boolean;
    overlays: readonly Overlay[];
    level?: SoundLevel | null;
    joined?: readonly string[];
  },
): string {
  const [shown, sound] = joined.length > 0 ? ['clipPicture', 'clipSound'] : ['v', 'a'];
  const ranges = frameRanges(edit);
  const last = (ranges.at(-1)?.to ?? 1) / edit.frameRate;
  const lines = [
    `[0:${edit.source.videoStream ?? 'v:0'}]${makePictureFilters(opened, edit.source, edit.frameRate)}tpad=stop_mode=clone:stop_duration=${filterNumber(last)}[even]`,
    ...cutAndJoin(
      ['even', 'cut'],
      ranges.map(({ from, to }) => `trim=start_frame=${from}:end_frame=${to}`),
      'v',
    ),
    `[cut]${makeToneMapFilter(edit.source)}null[seen]`,
    ...buildFramingGraph(edit, size, ['seen', 'framed']),
  ];
  const isWave = edit.source.soundAlone === 'wave';
  if (isWave) {
    const wave = `[heard]${makeWaveFilter(filterNumber(edit.frameRate))}`;
    lines.push(...buildWaveGraph(edit, size, wave, ['framed', 'waved']));
  }
  lines.push(
    `[${isWave ? 'waved' : 'framed'}]${captions ? `ass=c.ass:fontsdir=${fontsDirectory},` : ''}format=yuv420p[o]`,
  );
  let picture = 'o';
  overlays.forEach((overlay, index) => {
    lines.push(...lay(overlay, index, [picture, `p${index}`]));
    picture = `p${index}`;
  });
  lines.push(`[${picture}]null[${shown}]`);
  lines.push(...buildSoundGraph(edit, opened, level, isWave ? 'made' : sound));
  if (isWave) lines.push(`[made]asplit[${sound}][heard]`);
  return [...lines, ...joined].join(';\n');
}

/**
 * Writes one picture per emoji of the edit to `directory`, and returns where and when to overlay
 * them. Emoji without an installed font, or that the font does not have, are omitted.
 */
export async function prepareEmojis(
  edit: Edit,
  size: Dimensions,
  options: { directory: string; firstInput: number; fonts?: readonly string[] },
): Promise<{ images: string[]; overlays: Overlay[] }> {
  const images: string[] = [];
  const overlays: Overlay[] = [];
  const font = edit.emojis.length > 0 ? await openEmojiFont(options.fonts) : null;
  if (!font) return { images, overlays };
  for (const emoji of new Set(edit.emojis.map((cue) => cue.emoji))) {
    const png = font.png(emoji);
    const shape = png ? readPngSize(png) : null;
    if (!png || !shape) continue;
    const path = join(options.directory, `emoji-${images.length}.png`);
    await writeFile(path, png);
    const cues = edit.emojis.filter((cue) => cue.emoji === emoji);
    for (const position of new Set(cues.map((cue) => cue.position))) {
      overlays.push({
        input: options.firstInput + images.length,
        ...placeEmoji(shape, size, edit.style ?? defaultStyle, position),
        during: cues.filter((cue) => cue.position === position),
      });
    }
    images.push(path);
  }
  return { images, overlays };
}
