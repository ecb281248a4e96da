import type { CropWindow, Dimensions, Edit, FramedShot, WindowKey } from '../edit.ts';
import { waveColours } from '../style/sound-alone-style.ts';
import { groundDarker, screenHeight, stackHeight, wholeLayout } from './layout.ts';

const share = (part: number, whole: number): string => String(Number((part / whole).toFixed(6)));

/** The output always has BT.709 colours, whatever the source has. */
const matrices = { bt601: 'bt601', bt709: 'bt709', bt2020: 'bt2020' } as const;

const scale = (w: number, h: number) => `scale=${w}:${h}:flags=bicubic`;

/** Options of a scale filter that convert to the output's colours. */
const coded = (edit: Edit): string =>
  `:in_color_matrix=${matrices[edit.source.colourMatrix ?? 'bt709']}` +
  ':out_color_matrix=bt709:out_range=tv,setsar=1';

/**
 * Cuts a window and scales it. Its position is in shares of the decoded picture, because the pixels
 * may not be square.
 */
function windowed(edit: Edit, window: CropWindow, size: Dimensions): string {
  const { source } = edit;
  const place = (axis: 'x' | 'y', side: 'w' | 'h', whole: number) => {
    const keys = cropExpression(window.keys, axis);
    return /^[\d.]+$/.test(keys)
      ? `${axis}=i${side}*${share(Number(keys), whole)}`
      : `${axis}='i${side}*(${keys})/${whole}'`;
  };
  const crop = [
    `w=iw*${share(window.width, source.width)}`,
    `h=ih*${share(window.height, source.height)}`,
    place('x', 'w', source.width),
    place('y', 'h', source.height),
    // Single pixels, not pairs: in a slow movement, steps of two pixels are visible.
    'exact=1',
  ];
  return `crop=${crop.join(':')},${scale(size.width, size.height)}${coded(edit)}`;
}

/** The whole picture on a blurred background of itself. */
function whole(edit: Edit, size: Dimensions, [from, to]: readonly [string, string]): string[] {
  const { source } = edit;
  const name = (part: string) => `${part}${to}`;
  const { inner, place, cut, small, blur } = wholeLayout(source, size);
  const ground = `crop=iw*${share(cut.width, source.width)}:ih*${share(cut.height, source.height)},${scale(small.width, small.height)}`;
  return [
    `[${from}]split[${name('front')}][${name('back')}]`,
    `[${name('back')}]${ground},gblur=sigma=${blur},eq=brightness=-${groundDarker},${scale(size.width, size.height)}${coded(edit)}[${name('ground')}]`,
    `[${name('front')}]${scale(inner.width, inner.height)}${coded(edit)}[${name('inner')}]`,
    `[${name('ground')}][${name('inner')}]overlay=x=${place.x}:y=${place.y}[${to}]`,
  ];
}

/** Two windows, one above the other. */
function stacked(
  edit: Edit,
  windows: readonly [CropWindow, CropWindow],
  { width, height }: Dimensions,
  [from, to]: readonly [string, string],
): string[] {
  const above = stackHeight({ width, height });
  return [
    `[${from}]split[one${to}][two${to}]`,
    `[one${to}]${windowed(edit, windows[0], { width, height: above })}[above${to}]`,
    `[two${to}]${windowed(edit, windows[1], { width, height: height - above })}[below${to}]`,
    `[above${to}][below${to}]vstack[${to}]`,
  ];
}

/** The whole picture, and its speaker below it. */
function screen(
  edit: Edit,
  speaker: CropWindow,
  { width, height }: Dimensions,
  [from, to]: readonly [string, string],
): string[] {
  const above = screenHeight(edit.source, { width, height });
  return [
    `[${from}]split[one${to}][two${to}]`,
    `[one${to}]${scale(width, above)}${coded(edit)}[above${to}]`,
    `[two${to}]${windowed(edit, speaker, { width, height: height - above })}[below${to}]`,
    `[above${to}][below${to}]vstack[${to}]`,
  ];
}

function framedShot(
  edit: Edit,
  shot: FramedShot,
  size: Dimensions,
  [from, to]: readonly [string, string],
): string[] {
  if (shot.mode === 'fit') return whole(edit, size, [from, to]);
  if (shot.mode === 'screen') return screen(edit, shot.speaker, size, [from, to]);
  if (shot.mode === 'stack') return stacked(edit, shot.windows, size, [from, to]);
  return [`[${from}]${windowed(edit, shot.window, size)}[${to}]`];
}

/** Lines of the filter graph that turn the picture `from` into the output's size and shape `to`. */
export function framingGraph(
  edit: Edit,
  size: Dimensions,
  [from, to]: readonly [string, string],
): string[] {
  const { framing } = edit;
  if (edit.source.soundAlone === 'wave') {
    const ground = waveColours(edit.style).ground.replace('#', '0x');
    const plain = `drawbox=x=0:y=0:w=iw:h=ih:color=${ground}:t=fill`;
    return [`[${from}]${scale(size.width, size.height)}${coded(edit)},${plain}[${to}]`];
  }
  if (framing.mode === 'fit') return whole(edit, size, [from, to]);
  if (framing.mode === 'crop') {
    const { width, height, x, y } = framing;
    const window = { width, height, keys: [{ frame: 0, x, y }] };
    return [`[${from}]${windowed(edit, window, size)}[${to}]`];
  }
  const { shots } = framing;
  const [only] = shots;
  if (shots.length === 1 && only) return framedShot(edit, only, size, [from, to]);
  const inputs = shots.map((_, index) => `[f${index}]`);
  const outputs = shots.map((_, index) => `[g${index}]`);
  return [
    `[${from}]split=${shots.length}${inputs.join('')}`,
    ...shots.flatMap((shot, index) => [
      `${inputs[index]}trim=start_frame=${shot.from}:end_frame=${shot.to},setpts=PTS-STARTPTS[h${index}]`,
      ...framedShot(edit, shot, size, [`h${index}`, `i${index}`]),
      `[i${index}]format=yuv420p${outputs[index]}`,
    ]),
    `${outputs.join('')}concat=n=${shots.length}:v=1:a=0[${to}]`,
  ];
}

const number = (value: number): string => String(Number(value.toFixed(3)));

function piece(from: WindowKey, to: WindowKey | undefined, axis: 'x' | 'y'): string {
  const change = to ? to[axis] - from[axis] : 0;
  if (!to || Math.abs(change) < 1e-3 || to.frame - from.frame <= 1) return number(from[axis]);
  const slope = Number((change / (to.frame - from.frame)).toFixed(6));
  return `${number(from[axis])}${slope < 0 ? '-' : '+'}${Math.abs(slope)}*(n-${from.frame})`;
}

/**
 * An ffmpeg expression for a window's position at frame `n`: straight lines between its keys. The
 * keys form a binary tree, so that each frame needs few comparisons and expressions do not nest
 * deeply.
 */
export function cropExpression(keys: readonly WindowKey[], axis: 'x' | 'y'): string {
  const same = keys.every((key) => Math.abs(key[axis] - keys[0]![axis]) < 1e-3);
  if (same) return number(keys[0]![axis]);
  const within = (from: number, to: number): string => {
    if (to - from <= 1) return piece(keys[from]!, keys[from + 1], axis);
    const middle = (from + to) >> 1;
    return `if(lt(n,${keys[middle]!.frame}),${within(from, middle)},${within(middle, to)})`;
  };
  return within(0, keys.length);
}
