import { html, type TemplateResult } from 'lit';
import type { VideoTask } from '../../client/video-task.ts';
import { parseClock, formatClock } from '../../flow/clock-time.ts';
import type { PageController } from '../settings/page-controller.ts';

export { default as rangeStyles } from './range-field.css';

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

type Edge = 'start' | 'end';

/** The field of one video. */
interface RangeField {
  readonly page: PageController;
  readonly one: VideoTask;
  readonly changed: () => void;
}

const getSeconds = ({ one }: RangeField): number | null => one.facts?.seconds ?? null;

function getLabel({ page }: RangeField, edge: Edge): string {
  return edge === 'start' ? page.text('create-from', 'From') : page.text('create-to', 'To');
}

function setRange(field: RangeField, start: number, end: number | null): void {
  const seconds = getSeconds(field);
  const isAll = start <= 0 && (end === null || (seconds !== null && end >= Math.floor(seconds)));
  // Without an end it is not known what is meant.
  field.one.range = isAll || end === null ? undefined : { start, end };
  field.changed();
}

/** Sets the range that is typed, if both of its times make sense. */
function readTimes(field: RangeField, { target }: Event): void {
  const input = target as HTMLInputElement;
  const seconds = getSeconds(field);
  const most = seconds ?? Infinity;
  const [first, last] = input.closest('.times')!.querySelectorAll('input');
  const from = parseClock(first!.value);
  const to = last!.value.trim() ? parseClock(last!.value) : seconds;
  const isOpen = !last!.value.trim() && seconds === null;
  const isValid =
    from !== null && (isOpen || (to !== null && to - from >= minSeconds)) && from < most;
  for (const one of [first!, last!]) one.ariaInvalid = 'false';
  input.ariaInvalid = `${!isValid}`;
  if (isValid) setRange(field, from, to === null ? null : Math.min(to, most));
}

const drawTime = (field: RangeField, edge: Edge, value: number | null): TemplateResult =>
  html`<label
    >${getLabel(field, edge)}<input
      part="field"
      class="range-${edge}"
      inputmode="numeric"
      placeholder="0:00"
      .value=${value === null ? '' : formatClock(value)}
      @change=${(event: Event) => readTimes(field, event)}
  /></label>`;

function moveHandle(field: RangeField, edge: Edge, { target }: Event): void {
  const input = target as HTMLInputElement;
  // Read anew: the page may not have been drawn since the last one.
  const { start, end } = field.one.range ?? { start: 0, end: getSeconds(field)! };
  if (edge === 'start') {
    input.valueAsNumber = Math.min(input.valueAsNumber, end - minSeconds);
    setRange(field, input.valueAsNumber, end);
  } else {
    input.valueAsNumber = Math.max(input.valueAsNumber, start + minSeconds);
    setRange(field, start, input.valueAsNumber);
  }
}

const drawHandle = (field: RangeField, edge: Edge, value: number): TemplateResult =>
  html`<input
    type="range"
    min="0"
    max=${Math.floor(getSeconds(field)!)}
    step="1"
    aria-label=${getLabel(field, edge)}
    aria-valuetext=${formatClock(value)}
    .value=${String(Math.round(value))}
    @input=${(event: Event) => moveHandle(field, edge, event)}
  />`;

/**
 * Where the used part of a video begins and ends: as times, and, of a file that this browser can
 * play, as two handles on its pictures. Loaded when a person asks for it.
 */
export function drawRangeField(
  page: PageController,
  one: VideoTask,
  changed: () => void,
): TemplateResult {
  const field: RangeField = { page, one, changed };
  const seconds = getSeconds(field);
  const { start, end } = one.range ?? { start: 0, end: seconds };
  const times = html`<div class="times">
    ${drawTime(field, 'start', start)}${drawTime(field, 'end', end)}
  </div>`;
  if (!one.video.file || seconds === null || end === null)
    return html`<div class="range">${times}</div>`;
  const share = (value: number): string => `${(value / seconds) * 100}%`;
  // Times run from left to right in every language.
  return html`<div class="range">
    <div class="strip" dir="ltr">
      <div class="pictures" aria-hidden="true">
        ${collectPictures(one.video.file, seconds, changed)}
      </div>
      <div class="unused" .style=${`left:0;width:${share(start)}`}></div>
      <div class="unused" .style=${`right:0;width:${share(seconds - end)}`}></div>
      <div class="used" .style=${`left:${share(start)};width:${share(end - start)}`}></div>
      ${drawHandle(field, 'start', start)}${drawHandle(field, 'end', end)}
    </div>
    ${times}
  </div>`;
}
