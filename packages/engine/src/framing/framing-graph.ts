import type { CropWindow, Dimensions, Edit, FramedShot, WindowKey } from '../edit.ts';
import { chooseWaveColours } from '../style/sound-alone-style.ts';
import { groundDarker, placeWindows, listShots } from './layout.ts';

const share = (part: number, whole: number): string => String(Number((part / whole).toFixed(6)));

/** The output always has BT.709 colours, whatever the source has. */
const matrices = { bt601: 'bt601', bt709: 'bt709', bt2020: 'bt2020' } as const;

const scale = (w: number, h: number) => `scale=${w}:${h}:flags=bicubic`;

/** Options of a scale filter that convert to the output's colours. */
const makeColourOptions = (edit: Edit): string =>
  `:in_color_matrix=${matrices[edit.source.colourMatrix ?? 'bt709']}` +
  ':out_color_matrix=bt709:out_range=tv,setsar=1';

/**
 * Cuts a window and scales it. Its position is in shares of the decoded picture, because the pixels
 * may not be square.
 */
function cutWindow(edit: Edit, window: CropWindow, size: Dimensions): string {
  const { source } = edit;
  const scaled = `${scale(size.width, size.height)}${makeColourOptions(edit)}`;
  if (window.width === source.width && window.height === source.height) return scaled;
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
  return `crop=${crop.join(':')},${scaled}`;
}

/** A shot: its windows at their places, on a blurred ground where they do not fill the output. */
function drawShot(
  edit: Edit,
  shot: FramedShot,
  size: Dimensions,
  [from, to]: readonly [string, string],
): string[] {
  const { ground, parts } = placeWindows(shot, edit.source, size);
  const [only] = parts;
  if (!ground && parts.length === 1)
    return [`[${from}]${cutWindow(edit, only!.window, size)}[${to}]`];
  const name = (part: string, index: number) => `[${part}${index}${to}]`;
  const inputs = parts.map((_, index) => name('p', index));
  const lines = parts.map(
    ({ window, place }, index) =>
      `${inputs[index]}${cutWindow(edit, window, place)}${name('w', index)}`,
  );
  const windows = parts.map((_, index) => name('w', index));
  if (!ground) {
    return [
      `[${from}]split=${parts.length}${inputs.join('')}`,
      ...lines,
      `${windows.join('')}vstack=inputs=${parts.length}[${to}]`,
    ];
  }
  const { cut, small, blur } = ground;
  const shown = `crop=iw*${share(cut.width, edit.source.width)}:ih*${share(cut.height, edit.source.height)}`;
  const overlays = parts.map(
    ({ place }, index) =>
      `${name('g', index)}${windows[index]}overlay=x=${place.x}:y=${place.y}` +
      (index + 1 < parts.length ? name('g', index + 1) : `[${to}]`),
  );
  return [
    `[${from}]split=${parts.length + 1}[back${to}]${inputs.join('')}`,
    `[back${to}]${shown},${scale(small.width, small.height)},gblur=sigma=${blur},eq=brightness=-${groundDarker},${scale(size.width, size.height)}${makeColourOptions(edit)}${name('g', 0)}`,
    ...lines,
    ...overlays,
  ];
}

/** Lines of the filter graph that turn the picture `from` into the output's size and shape `to`. */
export function buildFramingGraph(
  edit: Edit,
  size: Dimensions,
  [from, to]: readonly [string, string],
): string[] {
  if (edit.source.soundAlone === 'wave') {
    const ground = chooseWaveColours(edit.style).ground.replace('#', '0x');
    const plain = `drawbox=x=0:y=0:w=iw:h=ih:color=${ground}:t=fill`;
    return [`[${from}]${scale(size.width, size.height)}${makeColourOptions(edit)},${plain}[${to}]`];
  }
  const shots = listShots(edit.framing);
  const [only] = shots;
  if (shots.length === 1 && only) return drawShot(edit, only, size, [from, to]);
  const inputs = shots.map((_, index) => `[f${index}]`);
  const outputs = shots.map((_, index) => `[g${index}]`);
  return [
    `[${from}]split=${shots.length}${inputs.join('')}`,
    ...shots.flatMap((shot, index) => [
      `${inputs[index]}trim=start_frame=${shot.from}:end_frame=${shot.to},setpts=PTS-STARTPTS[h${index}]`,
      ...drawShot(edit, shot, size, [`h${index}`, `i${index}`]),
      `[i${index}]format=yuv420p${outputs[index]}`,
    ]),
    `${outputs.join('')}concat=n=${shots.length}:v=1:a=0[${to}]`,
  ];
}

const formatNumber = (value: number): string => String(Number(value.toFixed(3)));

function interpolatePiece(from: WindowKey, to: WindowKey | undefined, axis: 'x' | 'y'): string {
  const change = to ? to[axis] - from[axis] : 0;
  if (!to || Math.abs(change) < 1e-3 || to.frame - from.frame <= 1) return formatNumber(from[axis]);
  const slope = Number((change / (to.frame - from.frame)).toFixed(6));
  return `${formatNumber(from[axis])}${slope < 0 ? '-' : '+'}${Math.abs(slope)}*(n-${from.frame})`;
}

/**
 * An ffmpeg expression for a window's position at frame `n`: straight lines between its keys. The
 * keys form a binary tree, so that each frame needs few comparisons and expressions do not nest
 * deeply.
 */
export function cropExpression(keys: readonly WindowKey[], axis: 'x' | 'y'): string {
  const same = keys.every((key) => Math.abs(key[axis] - keys[0]![axis]) < 1e-3);
  if (same) return formatNumber(keys[0]![axis]);
  const within = (from: number, to: number): string => {
    if (to - from <= 1) return interpolatePiece(keys[from]!, keys[from + 1], axis);
    const middle = (from + to) >> 1;
    return `if(lt(n,${keys[middle]!.frame}),${within(from, middle)},${within(middle, to)})`;
  };
  return within(0, keys.length);
}
