import { html, type TemplateResult } from 'lit';
import type { SourceRange } from '../../contract/task.ts';
import { parseClock, formatClock } from '../../flow/clock-time.ts';
import type { PageController } from '../settings/page-controller.ts';

export { default as rangeStyles } from './range-field.css';

/** A chosen video, as far as the field needs it. */
export interface Ranged {
  readonly source: File | string;
  readonly facts: { readonly seconds: number | null } | null;
  range?: SourceRange | undefined;
}

const pictureCount = 8;
const minSeconds = 1;

/** The pictures of a strip, drawn one after another as the browser reads them. */
async function drawPictures(file: File, seconds: number, add: (one: HTMLCanvasElement) => void) {
  const url = URL.createObjectURL(file);
  const video = document.createElement('video');
  try {
    Object.assign(video, { muted: true, preload: 'auto', playsInline: true, src: url });
    for (let at = 0; at < pictureCount; at++) {
      video.currentTime = ((at + 0.5) * seconds) / pictureCount;
      await new Promise((resolve, reject) => {
        video.addEventListener('seeked', resolve, { once: true });
        video.addEventListener('error', reject, { once: true });
      });
      const canvas = document.createElement('canvas');
      canvas.height = 112;
      canvas.width = Math.round((112 * video.videoWidth) / video.videoHeight) || 1;
      canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height);
      add(canvas);
    }
  } catch {
    // The handles work without pictures.
  } finally {
    video.removeAttribute('src');
    video.load();
    URL.revokeObjectURL(url);
  }
}

const strips = new WeakMap<File, HTMLCanvasElement[]>();

function collectPictures(file: File, seconds: number, changed: () => void): HTMLCanvasElement[] {
  let pictures = strips.get(file);
  if (!pictures) {
    const drawn: HTMLCanvasElement[] = (pictures = []);
    strips.set(file, drawn);
    void drawPictures(file, seconds, (one) => {
      drawn.push(one);
      changed();
    });
  }
  return pictures;
}

/**
 * Where the used part of a video begins and ends: as times, and, of a file that this browser can
 * play, as two handles on its pictures. Loaded when a person asks for it.
 */
export function drawRangeField(
  page: PageController,
  one: Ranged,
  changed: () => void,
): TemplateResult {
  const { source } = one;
  const seconds = one.facts?.seconds ?? null;
  const most = seconds ?? Infinity;
  // Read anew by each handler: the page may not have been drawn since the last one.
  const edges = () => ({ start: one.range?.start ?? 0, end: one.range?.end ?? seconds });
  const { start, end } = edges();
  const set = (from: number, to: number | null): void => {
    const isAll = from <= 0 && (to === null || (seconds !== null && to >= Math.floor(seconds)));
    // Without an end it is not known what is meant.
    one.range = isAll || to === null ? undefined : { start: from, end: to };
    changed();
  };
  const typed = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    const [first, last] = input.closest('.times')!.querySelectorAll('input');
    const from = parseClock(first!.value);
    const to = last!.value.trim() ? parseClock(last!.value) : seconds;
    const isOpen = !last!.value.trim() && seconds === null;
    const isValid =
      from !== null && (isOpen || (to !== null && to - from >= minSeconds)) && from < most;
    for (const field of [first!, last!]) field.ariaInvalid = 'false';
    input.ariaInvalid = `${!isValid}`;
    if (isValid) set(from, to === null ? null : Math.min(to, most));
  };
  const labels = { start: page.text('create-from', 'From'), end: page.text('create-to', 'To') };
  const time = (edge: 'start' | 'end', value: number | null): TemplateResult =>
    html`<label
      >${labels[edge]}<input
        part="field"
        class="range-${edge}"
        inputmode="numeric"
        placeholder="0:00"
        .value=${value === null ? '' : formatClock(value)}
        @change=${typed}
    /></label>`;
  const times = html`<div class="times">${time('start', start)}${time('end', end)}</div>`;
  if (typeof source === 'string' || seconds === null || end === null) {
    return html`<div class="range">${times}</div>`;
  }
  const share = (value: number): string => `${(value / seconds) * 100}%`;
  const slid = (edge: 'start' | 'end') => (event: Event) => {
    const input = event.target as HTMLInputElement;
    const known = edges();
    const [from, to] = [known.start, known.end ?? seconds];
    if (edge === 'start') {
      input.valueAsNumber = Math.min(input.valueAsNumber, to - minSeconds);
      set(input.valueAsNumber, to);
    } else {
      input.valueAsNumber = Math.max(input.valueAsNumber, from + minSeconds);
      set(from, input.valueAsNumber);
    }
  };
  const handle = (edge: 'start' | 'end', value: number): TemplateResult =>
    html`<input
      type="range"
      min="0"
      max=${Math.floor(seconds)}
      step="1"
      aria-label=${labels[edge]}
      aria-valuetext=${formatClock(value)}
      .value=${String(Math.round(value))}
      @input=${slid(edge)}
    />`;
  // Times run from left to right in every language.
  return html`<div class="range">
    <div class="strip" dir="ltr">
      <div class="pictures" aria-hidden="true">${collectPictures(source, seconds, changed)}</div>
      <div class="unused" .style=${`left:0;width:${share(start)}`}></div>
      <div class="unused" .style=${`right:0;width:${share(seconds - end)}`}></div>
      <div class="used" .style=${`left:${share(start)};width:${share(end - start)}`}></div>
      ${handle('start', start)}${handle('end', end)}
    </div>
    ${times}
  </div>`;
}
