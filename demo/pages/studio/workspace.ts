import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type {
  ClipListChangeEvent,
  ClipListItemEvent,
  ClipListProgressEvent,
} from 'clip-kit/clip-list';
import type { Project } from 'clip-kit/contract';
import { keyed } from 'lit/directives/keyed.js';
import type { LibraryView, Video } from './library.ts';
import { hintsOf } from './task-notes.ts';
import { percent, stageWords, stepsOf, timeLeft } from './stage-words.ts';
import type { Watermarks } from './watermarks.ts';

const when = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

function progress(video: Video): TemplateResult | typeof nothing {
  const { task } = video;
  if (!task || task.status !== 'processing') return nothing;
  const share = percent(task);
  const steps = stepsOf(task);
  const left = timeLeft(task);
  return html`<section class="card progress" slot="progress" aria-label="Progress">
    <div class="line">
      <strong>${stageWords(task)}</strong><span>${share === null ? '' : `${share} %`}</span>
    </div>
    <progress max="100" value=${share ?? nothing} aria-label=${stageWords(task)}></progress>
    ${
      steps.length
        ? html`<ol class="steps">
            ${steps.map(
              ({ name, state }) =>
                html`<li class=${state} aria-current=${state === 'now' ? 'step' : nothing}>
                  ${name}
                </li>`,
            )}
          </ol>`
        : nothing
    }
    <p class="soft small">
      ${left ? html`<span class="left">${left}.</span> ` : nothing}
      ${
        video.clips?.length
          ? 'You can already export each clip below.'
          : 'Clips appear below as soon as they are chosen. You can leave this page: the work continues.'
      }
    </p>
  </section>`;
}

/** What the video is missing, and what helps. */
const hints = (video: Video): TemplateResult[] =>
  hintsOf(video.task ?? {}).map(
    ({ text, command, after }) =>
      html`<section class="card note">
        <p>${text}</p>
        ${command ? html`<pre><code>${command}</code></pre>` : nothing}
        ${after ? html`<p class="soft small">${after}</p>` : nothing}
      </section>`,
  );

export interface WorkspaceParts {
  serviceUrl: string;
  watermarks: Watermarks;
  open: (clip: Project) => void;
}

/** What the studio adds to each clip. */
const clipActions = (clip: Project, { watermarks, open }: WorkspaceParts): TemplateResult =>
  html`<div class="act" slot="actions-${clip.id}">
    <label
      ><input
        type="checkbox"
        .checked=${watermarks.has(clip.id)}
        @change=${(event: Event) =>
          watermarks.set(clip.id, (event.target as HTMLInputElement).checked)}
      />Watermark</label
    >
    <button class="button quiet" @click=${() => open(clip)}>
      Edit<span class="unseen"> ${clip.name}</span>
    </button>
  </div>`;

function clipList(video: Video, library: LibraryView, parts: WorkspaceParts): TemplateResult {
  const { outputType, outputId, taskId } = video.entry;
  return html`<clip-list
    folder=${outputType === 'folder' ? outputId : nothing}
    project=${outputType === 'project' ? outputId : nothing}
    task=${taskId}
    endpoint="/clips"
    player-url=${parts.serviceUrl}
    handshake="clip-ready"
    heading-level="2"
    @clip-list-item=${({ clip, exportButton }: ClipListItemEvent) =>
      parts.watermarks.add(clip.id, exportButton)}
    @clip-list-change=${({ clips }: ClipListChangeEvent) => library.update(video, { clips })}
    @clip-list-progress=${({ task }: ClipListProgressEvent) => library.update(video, { task })}
  >
    ${progress(video)}
    <div slot="empty">
      <h2>No clip was found</h2>
      <p>The video has no stretch that fits the length asked for. Try a shorter one.</p>
    </div>
    ${repeat(
      video.clips ?? [],
      ({ id }) => id,
      (clip) => clipActions(clip, parts),
    )}
  </clip-list>`;
}

/** The selected video: its progress and its clips. */
export function workspace(library: LibraryView, parts: WorkspaceParts): TemplateResult {
  const video = library.selected;
  if (!library.loaded) return html`<div class="work" aria-busy="true"></div>`;
  if (!video) {
    return html`<div class="work">
      <section class="card empty">
        <h2>Your first clips are a minute away</h2>
        <p>
          Start with the sample: a two-minute show with four topics. You will see how far the work
          is, then each short with its score and the reason for it.
        </p>
      </section>
    </div>`;
  }
  const count = video.clips?.length ?? 0;
  return html`<div class="work">
    <header>
      <div>
        <h1>${video.entry.name}</h1>
        <p class="soft small">
          ${video.entry.type === 'video-to-shorts' ? 'Shorts' : 'One edited video'} ·
          ${when.format(new Date(video.entry.createdAt))}
          ${video.clips && video.entry.type === 'video-to-shorts' ? html`· ${count} ${count === 1 ? 'clip' : 'clips'}` : nothing}
        </p>
      </div>
    </header>
    ${hints(video)} ${keyed(video.entry.taskId, clipList(video, library, parts))}
  </div>`;
}

/** The list of videos next to it. */
export const videoList = (library: LibraryView): TemplateResult | typeof nothing =>
  library.videos.length
    ? html`<nav aria-label="Your videos">
        <ul class="videos">
          ${repeat(
            library.videos,
            ({ entry }) => entry.taskId,
            (video) =>
              html`<li>
                <button
                  class="video"
                  aria-current=${video === library.selected ? 'true' : 'false'}
                  @click=${() => library.select(video)}
                >
                  <span class="line"
                    ><strong>${video.entry.name}</strong
                    ><span class="small">${video.task ? stageWords(video.task) : ''}</span></span
                  >
                  ${
                    video.task?.status === 'processing'
                      ? html`<progress
                          max="100"
                          value=${percent(video.task) ?? nothing}
                          aria-label=${video.entry.name}
                        ></progress>`
                      : nothing
                  }
                </button>
              </li>`,
          )}
        </ul>
      </nav>`
    : nothing;
