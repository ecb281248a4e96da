import { html, nothing, svg, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import type { EntryAnswer } from '../../server/gallery/gallery-routes.ts';
import { score } from './score.ts';
import type { Reel } from './reel.ts';

export interface EntryCardParts {
  reel: Reel;
  retry: (id: string) => void;
  copy: (button: HTMLButtonElement, text: string) => void;
}

const stages: Readonly<Record<string, string>> = {
  source: 'Drawing the source',
  queued: 'Waiting for its turn',
  ingest: 'Fetching the video',
  scan: 'Listening and looking for cuts',
  transcript: 'Reading the transcript',
  candidates: 'Choosing the moment',
  preview: 'Framing and preview',
  render: 'Rendering the clip',
};

function clock(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

const tenths = (seconds: number): string => `${seconds.toFixed(1)} s`;

const symbols = {
  play: svg`<path d="M8 5.5v13l11-6.5z" fill="currentColor"/>`,
  pause: svg`<path d="M7 5h4v14H7zM13 5h4v14h-4z" fill="currentColor"/>`,
};

/** Shown while there is no clip: its progress, or why it failed. */
function waiting(entry: EntryAnswer, retry: (id: string) => void): TemplateResult {
  const { state } = entry;
  if (state.status === 'error') {
    return html`<div class="pending" role="alert">
      <strong>This clip could not be made</strong>
      <p class="small">${state.message}</p>
      <button class="button quiet" @click=${() => retry(entry.id)}>
        Try again<span class="visually-hidden">: ${entry.title}</span>
      </button>
    </div>`;
  }
  const working = state.status === 'working';
  const words = working ? (stages[state.stage] ?? 'Working on it') : 'Waiting for its turn';
  const share = working ? state.share : null;
  return html`<div class="pending">
    <p class="small">${words}</p>
    <progress
      max="100"
      value=${share === null ? nothing : Math.round(share * 100)}
      aria-label="${entry.title}: ${words}"
    ></progress>
  </div>`;
}

function sourceFigure({ source, title, state }: EntryAnswer): TemplateResult {
  const there = source.poster !== null;
  return html`<figure class="before">
    ${
      there
        ? html`<video
            data-part="source"
            src=${source.url}
            poster=${source.poster ?? nothing}
            aria-label="${title}: the source"
            preload="none"
            playsinline
            .muted=${true}
          >
            <track kind="captions" src=${source.url.replace(/mp4$/, 'vtt')} label="As it is said" />
          </video>`
        : html`<div class="pending wide">
            <p class="small">${state.status === 'working' ? 'Being drawn' : 'Not drawn yet'}</p>
          </div>`
    }
    <figcaption>
      <b>Source</b
      >${source.duration === null ? nothing : html`<span>${tenths(source.duration)}</span>`}
    </figcaption>
  </figure>`;
}

const clipFigure = (
  entry: EntryAnswer,
  clip: EntryAnswer['clips'][number],
  reel: Reel,
): TemplateResult =>
  html`<figure class="after">
    <video
      data-part="clip"
      src=${clip.url}
      poster=${clip.poster}
      aria-label="${entry.title}: ${clip.label}"
      preload="none"
      playsinline
      .muted=${true}
      @timeupdate=${(event: Event) => {
        if (event.target === firstClip(event)) reel.follow();
      }}
      @ended=${() => reel.ended()}
    ></video>
    <figcaption><b>${clip.label}</b><span>${tenths(clip.duration)}</span></figcaption>
  </figure>`;

const firstClip = (event: Event): Element | null | undefined =>
  (event.target as Element).closest('.reel')?.querySelector('[data-part=clip]');

function controls(entry: EntryAnswer, reel: Reel): TemplateResult {
  const length = entry.clips[0]?.duration ?? 0;
  return html`<div class="controls">
    <button class="button main" @click=${() => reel.toggle()}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        ${reel.playing ? symbols.pause : symbols.play}</svg
      >${reel.playing ? 'Pause' : entry.clips.length > 1 ? 'Play all' : 'Play both'}<span
        class="visually-hidden"
        >: ${entry.title}</span
      >
    </button>
    <input
      type="range"
      min="0"
      max=${length.toFixed(2)}
      step="0.1"
      .value=${String(reel.time)}
      aria-label="Position in the clip: ${entry.title}"
      aria-valuetext="${clock(reel.time)} of ${clock(length)}"
      @input=${(event: Event) => reel.seek(Number((event.target as HTMLInputElement).value))}
    />
    <span class="small soft time" aria-hidden="true">${clock(reel.time)} / ${clock(length)}</span>
    <button
      class="button quiet"
      aria-pressed=${reel.heard ? 'true' : 'false'}
      @click=${() => reel.toggleSound()}
    >
      Sound<span class="visually-hidden"> of the clip: ${entry.title}</span>
    </button>
  </div>`;
}

const figures = ({ made }: EntryAnswer): TemplateResult | typeof nothing =>
  made
    ? html`<div class="made">
        ${
          made.score === null
            ? nothing
            : html`<div class="scored">
                ${score(made.score)}
                <div>
                  <h3>${made.name}</h3>
                  <p class="soft small">${made.explanation}</p>
                </div>
              </div>`
        }
        <dl>
          <div>
            <dt>Made in</dt>
            <dd>${tenths(made.took)}</dd>
          </div>
          ${
            made.processor === null
              ? nothing
              : html`<div>
                  <dt>Processor time</dt>
                  <dd>${tenths(made.processor)}</dd>
                </div>`
          }
        </dl>
      </div>`
    : nothing;

function request(entry: EntryAnswer, copy: EntryCardParts['copy']): TemplateResult {
  const { path, body, exports } = entry.request;
  const text = JSON.stringify(body, null, 2);
  const sent = exports.filter((options) => Object.keys(options).length);
  return html`<details>
    <summary>The request<span class="visually-hidden">: ${entry.title}</span></summary>
    <div class="markup">
      <pre
        dir="ltr"
        tabindex="0"
        role="region"
        aria-label="Request of ${entry.title}"
      ><code>POST /v2${path}
${text}${sent.map(
        (options) => `

POST /v2/projects/{project_id}/exports
${JSON.stringify(options, null, 2)}`,
      )}</code></pre>
      <button @click=${(event: Event) => copy(event.currentTarget as HTMLButtonElement, text)}>
        Copy JSON
      </button>
    </div>
  </details>`;
}

/**
 * One entry: what the engine did, source and clip side by side, what it cost, and how to request
 * it.
 */
export function entryCard(
  entry: EntryAnswer,
  { reel, retry, copy }: EntryCardParts,
): TemplateResult {
  const ready = entry.clips.length > 0;
  const many = entry.clips.length > 1;
  return html`<article class="card entry" id=${entry.id} data-state=${entry.state.status}>
    <header>
      <h2>${entry.title}</h2>
      <p class="soft">${entry.says}</p>
    </header>
    <div
      class="reel ${many ? 'many' : ''}"
      ${ref((element) => {
        reel.root = element;
      })}
    >
      ${sourceFigure(entry)}
      ${
        ready
          ? entry.clips.map((clip) => clipFigure(entry, clip, reel))
          : html`<figure class="after">
              ${waiting(entry, retry)}
              <figcaption><b>Clip</b></figcaption>
            </figure>`
      }
    </div>
    ${ready ? controls(entry, reel) : nothing} ${figures(entry)} ${request(entry, copy)}
  </article>`;
}
