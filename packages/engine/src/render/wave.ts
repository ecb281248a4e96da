import type { Dimensions, Edit } from '../edit.ts';
import { parseColour, chooseWaveColours } from '../style/sound-alone-style.ts';

/** Bars of a wave. At 24, 25 and 30 frames a second, each stands for whole samples. */
const barCount = 40;
/** A bar is measured in this many steps. */
const steps = 120;
/** Share of the wave's width, of the output. */
const widthShare = 0.8;
/** Height of the wave, as a share of the output's shorter side. */
const heightShare = 0.24;
/** The middle of the wave, as a share of the height: below large captions in the middle. */
const getMiddleShare = (size: Dimensions): number => (size.height > size.width ? 0.66 : 0.77);

/** A filter that draws the sound of each frame. */
export const makeWaveFilter = (frameRate: string): string =>
  `aformat=channel_layouts=mono,showwaves=s=${barCount}x${steps}:mode=cline:rate=${frameRate}:colors=white:scale=sqrt:draw=full,fps=${frameRate}:start_time=0,format=yuv420p,lagfun=decay=0.8`;

/** The length of the sound that a still wave shows, in seconds. */
const stillSeconds = 4;

/** A filter that draws the first seconds of a sound, in one picture. */
export const stillWave = `asetpts=PTS-STARTPTS,atrim=duration=${stillSeconds},aformat=channel_layouts=mono,showwavespic=s=${barCount}x${steps}:colors=white:scale=sqrt:draw=full:filter=peak,setpts=0,format=yuv420p`;

/**
 * Lines of the filter graph that draw a wave over the picture `from`.
 * @param wave label of the sound, and one of the filters above
 */
export function buildWaveGraph(
  edit: Edit,
  size: Dimensions,
  wave: string,
  [from, to]: readonly [string, string],
): string[] {
  const even = (pixels: number) => 2 * Math.max(1, Math.round(pixels / 2));
  const bar = Math.max(2, Math.floor((size.width * widthShare) / barCount));
  const gap = Math.max(1, Math.round(bar * 0.4));
  const width = even(bar * barCount);
  const height = even(Math.min(size.width, size.height) * heightShare);
  const thin = Math.max(2, bar - gap);
  const x = even((size.width - width) / 2);
  const y = even(size.height * getMiddleShare(size) - height / 2);
  const [red, green, blue] = parseColour(chooseWaveColours(edit.style).wave);
  return [
    // In silence, each bar is a dot.
    `${wave},scale=${width}:${height}:flags=neighbor,drawbox=x=0:y=(ih-${thin})/2:w=iw:h=${thin}:color=white:t=fill,` +
      `drawgrid=x=0:y=-ih:w=${bar}:h=3*ih:t=${gap}:color=black,` +
      `format=rgba,colorchannelmixer=aa=0:ar=1,lutrgb=r=${red}:g=${green}:b=${blue},` +
      `scale=out_color_matrix=bt709:out_range=tv,format=yuva420p[wave${to}]`,
    `[${from}][wave${to}]overlay=x=${x}:y=${y}:eof_action=repeat[${to}]`,
  ];
}
