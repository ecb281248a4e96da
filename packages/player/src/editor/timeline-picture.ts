import type { Dimensions, Span } from 'clip-engine/drawing';
import { findHoles } from './clip-times.ts';
import type { TimelineMedia } from './editor-api.ts';

/** A filmstrip with its pictures. */
export type LoadedStrip = Span & NonNullable<TimelineMedia['strip']> & { image: CanvasImageSource };

interface Shown {
  view: Span;
  clip: Span;
  ranges: readonly Span[];
  removed: readonly Span[];
  editable: Span;
  source: Dimensions;
  /** Pictures and sound, as far as they are known. */
  media: TimelineMedia | null;
  strip: LoadedStrip | null;
}

/** The share of the height that the filmstrip takes; the wave is below it. */
const stripShare = 0.6;

/** Diagonal lines over a part that does not play. */
function drawHatching(
  context: CanvasRenderingContext2D,
  left: number,
  right: number,
  dark: number,
): void {
  const { height } = context.canvas;
  context.save();
  context.beginPath();
  context.rect(left, 0, right - left, height);
  context.clip();
  context.fillStyle = `rgb(10 10 20 / ${dark})`;
  context.fillRect(left, 0, right - left, height);
  context.strokeStyle = 'rgb(255 255 255 / 0.5)';
  context.lineWidth = Math.max(1, height / 70);
  const step = height / 7;
  context.beginPath();
  for (let x = left - height; x < right; x += step) {
    context.moveTo(x, height);
    context.lineTo(x + height, 0);
  }
  context.stroke();
  context.restore();
}

/** Draws the filmstrip; tinted frames until it is there. */
function drawStrip(
  context: CanvasRenderingContext2D,
  { view, editable, source, strip }: Shown,
  x: (seconds: number) => number,
): void {
  const height = context.canvas.height * stripShare;
  const shape = strip ?? source;
  const width = (shape.width / shape.height) * height;
  const { start, end } = strip ?? editable;
  const perPixel = (view.end - view.start) / context.canvas.width;
  const first = Math.max(0, Math.floor((view.start - start) / (width * perPixel)));
  for (let tile = first; ; tile++) {
    const seconds = start + tile * width * perPixel;
    if (seconds >= view.end || seconds >= end) break;
    if (!strip) {
      context.fillStyle = tile % 2 ? '#34384f' : '#2b2f43';
      context.fillRect(x(seconds), 0, Math.ceil(width), height);
      continue;
    }
    const middle = seconds - start + (width * perPixel) / 2;
    const index = Math.min(strip.count - 1, Math.max(0, Math.floor(middle / strip.step_seconds)));
    const column = index % strip.columns;
    const row = Math.floor(index / strip.columns);
    context.drawImage(
      strip.image,
      ...([column * strip.width, row * strip.height, strip.width, strip.height] as const),
      ...([x(seconds), 0, Math.ceil(width), height] as const),
    );
  }
}

const noWave = { peaks: [], step_seconds: 1 };

/** Draws the sound as far as it is known; a thin line for silence. */
function drawWave(context: CanvasRenderingContext2D, { view, media }: Shown): void {
  const { peaks, step_seconds: step } = media?.wave ?? noWave;
  const { width, height } = context.canvas;
  const top = height * stripShare;
  const room = height - top;
  // A quiet recording is seen as well as a loud one.
  const loudest = peaks.reduce((most, peak) => Math.max(most, peak), 0.02);
  const bar = Math.max(2, Math.round(width / 500));
  const seconds = view.end - view.start;
  context.fillStyle = '#b9b0ff';
  for (let left = 0; left < width; left += 2 * bar) {
    const at = view.start + (left / width) * seconds - (media?.start ?? 0);
    const to = at + ((2 * bar) / width) * seconds;
    const from = Math.max(0, Math.floor(at / step));
    const until = Math.max(from + 1, Math.ceil(to / step));
    const peak = Math.max(0, ...peaks.slice(from, until));
    const size = Math.max(1, (peak / loudest) * room * 0.9);
    context.fillRect(left, top + (room - size) / 2, bar, size);
  }
}

/** Draws the visible part of the segment. */
export function drawTimeLine(canvas: HTMLCanvasElement, shown: Shown): void {
  const context = canvas.getContext('2d')!;
  const { width, height } = canvas;
  const { view, clip, ranges, removed } = shown;
  const x = (seconds: number) => ((seconds - view.start) / (view.end - view.start)) * width;
  context.fillStyle = '#1d2030';
  context.fillRect(0, 0, width, height);
  drawStrip(context, shown, x);
  drawWave(context, shown);
  for (const { start, end } of findHoles({ ranges })) drawHatching(context, x(start), x(end), 0.45);
  for (const { start, end } of removed) drawHatching(context, x(start), x(end), 0.55);
  context.fillStyle = 'rgb(10 10 20 / 0.62)';
  context.fillRect(0, 0, Math.max(0, x(clip.start)), height);
  context.fillRect(x(clip.end), 0, Math.max(0, width - x(clip.end)), height);
}
