import { html, nothing, type TemplateResult } from 'lit';
import type { CreateSession } from '../../client/create-session.ts';
import type { SourceRange } from '../../contract/task.ts';
import { formatBytes, formatDuration, formatLength } from '../../locales/measures.ts';
import type { PageController } from '../settings/page-controller.ts';
import { chooseSlot } from '../events.ts';
import { drawProgressBar } from '../progress-bar.ts';
import { ClipError, type ClipErrorCode } from '../../client/clip-error.ts';
import { HttpError } from '../../client/errors.ts';
import type { FileFault, FileLimits } from '../../flow/upload.ts';

interface SessionActs {
  readonly cancel: () => void;
  readonly chooseAgain: () => void;
}

function drawBar({ phase, job, sentBytes }: CreateSession): TemplateResult {
  const size = job.file?.size ?? 0;
  const isSent = phase === 'starting' || phase === 'checking';
  const share = size && !isSent ? sentBytes / size : null;
  return drawProgressBar(
    job.file?.name ?? job.body.name,
    share,
    phase === 'waiting' ? null : share,
  );
}

/** Draws the progress of an upload, or the reason why it waits. */
function drawProgress(page: PageController, session: CreateSession): TemplateResult | null {
  const { phase, job, sentBytes, msLeft } = session;
  const language = page.textLanguage('create-sent');
  let text = '';
  if (phase === 'sending' && job.file) {
    text = page
      .text('create-sent', '{0} of {1}', formatBytes(sentBytes, language))
      .replace('{1}', () => formatBytes(job.file!.size, language));
    const left =
      msLeft === null
        ? ''
        : page.text('time-left', 'About {0} left', formatDuration(msLeft, language));
    if (session.isStalled) {
      text = page.text('stalled', 'The connection is interrupted. Still trying.');
    } else if (left) text += ` · ${left}`;
  } else if (phase === 'waiting') text = page.text('create-waiting', 'Waiting');
  else if (phase === 'paused') text = page.text('create-paused', 'Paused');
  else if (phase === 'starting') text = page.text('starting', 'Starting…');
  else if (phase === 'file' && !session.error) {
    text = page.text('create-file', 'Choose this file again, and it continues where it was.');
  }
  return text ? html`<small part="status" class="time-left">${text}</small>` : null;
}

/** A video that is being sent, or whose task is being started. */
export function drawSessionItem(
  page: PageController,
  session: CreateSession,
  acts: SessionActs,
): TemplateResult {
  const { phase, job, error } = session;
  const name = job.file?.name ?? job.body.name ?? '';
  return html`<li part="item" role="listitem">
    <div class="what wide">
      <bdi part="title">${name}</bdi>
      ${phase === 'error' || phase === 'file' ? null : drawBar(session)}
      ${drawProgress(page, session)}
      ${
        error
          ? html`<p part="error" role="alert">
              <slot name=${isOfLimit(error) ? 'limit' : chooseSlot(error)}
                ><span dir="auto" lang=${getErrorLanguage(page, error)}
                  >${formatError(page, error)}</span
                ></slot
              >
            </p>`
          : null
      }
      ${
        session.mayHaveStarted && phase !== 'starting'
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
      ${
        phase === 'sending' || (phase === 'waiting' && job.file)
          ? html`<button part="secondary" class="plain pause" @click=${() => session.pause()}>
              ${page.text('create-pause', 'Pause')}
            </button>`
          : phase === 'paused'
            ? html`<button part="secondary" class="plain resume" @click=${() => session.resume()}>
                ${page.text('create-resume', 'Continue')}
              </button>`
            : error?.code === 'file-changed'
              ? html`<button
                  part="secondary"
                  class="plain retry"
                  @click=${() => session.startOver()}
                >
                  ${page.text('create-start-over', 'Start over')}
                </button>`
              : phase === 'file'
                ? html`<button part="secondary" class="plain resume" @click=${acts.chooseAgain}>
                    ${page.text('create-resume', 'Continue')}
                  </button>`
                : phase === 'error' && error!.retryable
                  ? html`<button
                      part="secondary"
                      class="plain retry"
                      @click=${() => session.retry()}
                    >
                      ${page.text('retry', 'Try again')}
                    </button>`
                  : null
      }${
        phase === 'starting'
          ? null
          : html`<button part="secondary" class="plain cancel" @click=${acts.cancel}>
              ${page.text('create-cancel', 'Cancel')}
            </button>`
      }
    </div>
  </li>`;
}

/** A chosen video whose upload has not begun. */
export interface Chosen {
  readonly source: File | string;
  readonly handle?: FileSystemFileHandle | undefined;
  /** Null until they are read. */
  facts: VideoFacts | null;
  subtitles?: File | undefined;
  /** The part of it to use; undefined for all. */
  range?: SourceRange | undefined;
}

/** A chosen video, and what will not work with it. */
export function drawChosenItem(
  page: PageController,
  one: Chosen,
  fault: ClipError | null,
  acts: { readonly remove: () => void; readonly openRange: () => void },
  range: TemplateResult | null,
): TemplateResult {
  const { source, facts, subtitles } = one;
  const name = typeof source === 'string' ? source : source.name;
  const language = page.textLanguage('create-start');
  const details =
    typeof source === 'string'
      ? []
      : [
          formatBytes(source.size, language),
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
        : html`<button part="secondary" class="plain open-range" @click=${acts.openRange}>
            ${page.text('create-range', 'Use only a part')}
          </button>`)
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

/** The language of an error's text; nothing if it is not known. */
export const getErrorLanguage = (
  page: PageController,
  { code }: ClipError,
): string | typeof nothing => (ofService.includes(code) ? nothing : page.textLanguage(code));

/** The text of an error, with the time to wait that the host asks for. */
export function formatError(page: PageController, error: ClipError): string {
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

/** The facts that a page reads from a video without sending it. */
export interface VideoFacts {
  /** Length in seconds; null if this browser cannot play the file. */
  readonly seconds: number | null;
  /** A first picture; null if there is none. */
  readonly picture: HTMLCanvasElement | null;
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
