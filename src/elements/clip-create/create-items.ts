import { html, nothing, type TemplateResult } from 'lit';
import type { VideoFacts, VideoTask } from '../../client/video-task.ts';
import { formatBytes, formatDuration, formatLength } from '../../locales/measures.ts';
import type { PageController } from '../settings/page-controller.ts';
import { chooseSlot } from '../events.ts';
import { drawProgressBar } from '../progress-bar.ts';
import { ClipError, type ClipErrorCode } from '../../client/clip-error.ts';
import { HttpError } from '../../client/errors.ts';
import type { FileFault, FileLimits } from '../../flow/upload.ts';

function drawBar({ phase, name, size, sentBytes }: VideoTask): TemplateResult {
  const isSent = phase === 'starting' || phase === 'checking';
  const share = size && !isSent ? sentBytes / size : null;
  return drawProgressBar(name, share, phase === 'waiting' ? null : share);
}

/** Draws the progress of an upload, or the reason why it waits. */
function drawProgress(page: PageController, task: VideoTask): TemplateResult | null {
  const { phase, size, sentBytes, msLeft } = task;
  const language = page.textLanguage('create-sent');
  let text = '';
  if (phase === 'sending' && task.isStalled) {
    text = page.text('stalled', 'The connection is interrupted. Still trying.');
  } else if (phase === 'sending' && size) {
    text = page
      .text('create-sent', '{0} of {1}', formatBytes(sentBytes, language))
      .replace('{1}', () => formatBytes(size, language));
    if (msLeft !== null) {
      const left = formatDuration(msLeft, language);
      text += ` · ${page.text('time-left', 'About {0} left', left)}`;
    }
  } else if (phase === 'waiting') text = page.text('create-waiting', 'Waiting');
  else if (phase === 'paused') text = page.text('create-paused', 'Paused');
  else if (phase === 'starting') text = page.text('starting', 'Starting…');
  else if (phase === 'file' && !task.error) {
    text = page.text('create-file', 'Choose this file again, and it continues where it was.');
  }
  return text ? html`<small part="status" class="time-left">${text}</small>` : null;
}

/** Draws an error in the slot that can replace its text. */
export const drawError = (page: PageController, error: ClipError): TemplateResult =>
  html`<p part="error" role="alert">
    <slot name=${isOfLimit(error) ? 'limit' : chooseSlot(error)}
      ><span
        dir="auto"
        lang=${ofService.includes(error.code) ? nothing : page.textLanguage(error.code)}
        >${formatError(page, error)}</span
      ></slot
    >
  </p>`;

const drawButton = (name: string, text: string, press: () => void): TemplateResult =>
  html`<button part="secondary" class="plain ${name}" @click=${press}>${text}</button>`;

/** Draws the button with which a task stops or goes on. */
function drawNextButton(
  page: PageController,
  task: VideoTask,
  chooseAgain: () => void,
): TemplateResult | null {
  const { phase, error, size } = task;
  const resume = page.text('create-resume', 'Continue');
  if (phase === 'sending' || (phase === 'waiting' && size !== null)) {
    return drawButton('pause', page.text('create-pause', 'Pause'), () => task.pause());
  }
  if (phase === 'paused') return drawButton('resume', resume, () => task.resume());
  if (error?.code === 'file-changed') {
    const text = page.text('create-start-over', 'Start over');
    return drawButton('retry', text, () => task.startOver());
  }
  if (phase === 'file') return drawButton('resume', resume, chooseAgain);
  return phase === 'error' && error!.retryable
    ? drawButton('retry', page.text('retry', 'Try again'), () => task.retry())
    : null;
}

/** A video that is being sent, or whose task is being started. */
export function drawOpenItem(
  page: PageController,
  task: VideoTask,
  acts: { readonly cancel: () => void; readonly chooseAgain: () => void },
): TemplateResult {
  const { phase, name, error } = task;
  return html`<li part="item" role="listitem">
    <div class="what wide">
      <bdi part="title">${name}</bdi>
      ${phase === 'error' || phase === 'file' ? null : drawBar(task)}
      ${drawProgress(page, task)}${error && drawError(page, error)}
      ${
        task.mayHaveStarted && phase !== 'starting'
          ? html`<small
              >${page.text(
                'create-cancel-open',
                '“Cancel” only removes this entry: the file stays, and what has started goes on.',
              )}</small
            >`
          : null
      }
    </div>
    <div class="does">
      ${drawNextButton(page, task, acts.chooseAgain)}${
        phase === 'starting'
          ? null
          : drawButton('cancel', page.text('create-cancel', 'Cancel'), acts.cancel)
      }
    </div>
  </li>`;
}

/** A chosen video, and what will not work with it. */
export function drawChosenItem(
  page: PageController,
  { name, size, facts, video: { subtitles } }: VideoTask,
  fault: ClipError | null,
  acts: { readonly remove: () => void; readonly openRange: () => void },
  range: TemplateResult | null,
): TemplateResult {
  const language = page.textLanguage('create-start');
  const details = [
    ...(size === null ? [] : [formatBytes(size, language)]),
    ...(facts?.seconds ? [formatLength(facts.seconds, language)] : []),
  ];
  return html`<li part="item" role="listitem">
    <div part="poster" aria-hidden="true">${facts?.picture}</div>
    <div class="what">
      <bdi part="title">${name}</bdi>
      ${
        fault
          ? html`<p part="error" role="alert">
              <span dir="auto" lang=${page.textLanguage(fault.code)}>${fault.message}</span>
            </p>`
          : html`<small>${details.join(' · ')}</small>`
      }
      ${
        subtitles
          ? html`<small
              >${page.text('create-subtitles', 'With subtitles: {0}', subtitles.name)}</small
            >`
          : null
      }
    </div>
    <button
      part="secondary"
      class="plain icon remove"
      aria-label=${page.text('create-remove', 'Remove {0}', name)}
      @click=${acts.remove}
    >
      <span aria-hidden="true">×</span>
    </button>
    ${
      range ??
      (fault
        ? null
        : drawButton('open-range', page.text('create-range', 'Use only a part'), acts.openRange))
    }
  </li>`;
}

const ofLimit: readonly ClipErrorCode[] = ['task-limit', 'rate-limited', 'storage-full'];

/** Whether it passes by waiting, or by another plan. */
export const isOfLimit = ({ code }: ClipError): boolean => ofLimit.includes(code);

/** Errors whose words are the service's. */
const ofService: readonly ClipErrorCode[] = ['upload-refused', 'task-refused'];

const englishFaults: Readonly<Record<FileFault, string>> = {
  'file-empty': 'This file is empty.',
  'file-not-video': 'This file is neither a video nor sound.',
  'file-too-large': '{0}: at most {1}',
  'file-too-long': '{0}: at most {1}',
};

/** Returns the error of a file that cannot be used, in the texts of the page. */
export function makeFaultError(
  page: PageController,
  fault: FileFault,
  { size, seconds }: { readonly size: number; readonly seconds: number | null },
  { maxBytes, maxSeconds }: FileLimits,
): ClipError {
  const language = page.textLanguage(fault);
  const [is, most] =
    fault === 'file-too-long'
      ? [formatLength(seconds!, language), formatLength(maxSeconds, language)]
      : [formatBytes(size, language), formatBytes(maxBytes ?? 0, language)];
  const message = page.text(fault, englishFaults[fault], is).replace('{1}', () => most);
  return new ClipError(fault, message);
}

/** The text of an error, with the time to wait that the host asks for. */
function formatError(page: PageController, error: ClipError): string {
  const { code, message, cause } = error;
  // The service's own words about a file are more exact than ours.
  const text =
    ofService.includes(code) || code in englishFaults ? message : page.text(code, message);
  const waitMs = cause instanceof HttpError ? cause.retryAfter : null;
  // The page itself checks what became of a start.
  if (!waitMs || code === 'task-outcome-unknown') return text;
  const duration = formatDuration(waitMs, page.textLanguage('create-wait'));
  return `${text} ${page.text('create-wait', 'Try again in about {0}.', duration)}`;
}

const unknown: VideoFacts = { seconds: null, picture: null };
const readTimeoutMs = 10_000;
const pictureWidth = 320;

/** The next event of a name; rejects at an error or the signal. */
const next = (video: HTMLVideoElement, name: string, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    video.addEventListener(name, () => resolve(), { signal, once: true });
    video.addEventListener('error', reject, { signal, once: true });
    signal.addEventListener('abort', reject, { once: true });
  });

function draw(video: HTMLVideoElement): HTMLCanvasElement | null {
  const { videoWidth: width, videoHeight: height } = video;
  if (!width || !height) return null;
  const canvas = document.createElement('canvas');
  canvas.width = pictureWidth;
  canvas.height = Math.round((pictureWidth * height) / width);
  canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** Reads the length and a picture of a video file. Resolves with what could be read. */
export async function readFacts(file: File, signal: AbortSignal): Promise<VideoFacts> {
  const url = URL.createObjectURL(file);
  const video = document.createElement('video');
  const end = new AbortController();
  const ends = AbortSignal.any([signal, end.signal, AbortSignal.timeout(readTimeoutMs)]);
  let facts = unknown;
  try {
    video.muted = true;
    video.preload = 'auto';
    video.playsInline = true;
    const known = next(video, 'loadedmetadata', ends);
    video.src = url;
    await known;
    const { duration } = video;
    const seconds = Number.isFinite(duration) && duration > 0 ? duration : null;
    facts = { ...facts, seconds };
    const shown = next(video, 'seeked', ends);
    // The first picture is often black.
    video.currentTime = Math.min(2, (seconds ?? 0) / 4);
    await shown;
    facts = { ...facts, picture: draw(video) };
  } catch {
    // This browser cannot play the file; the service may.
  } finally {
    end.abort();
    video.removeAttribute('src');
    video.load();
    URL.revokeObjectURL(url);
  }
  return facts;
}
