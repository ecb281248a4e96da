import type { ClipCreateStartEvent } from 'clip-kit/clip-create';
import type {
  ClipListChangeEvent,
  ClipListItemEvent,
  ClipListProgressEvent,
} from 'clip-kit/clip-list';
import type { ClipVideoEvent, ClipVideosChangeEvent } from 'clip-kit/clip-videos';
import type { Project, Task } from 'clip-kit/contract';
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Session } from '../session.ts';
import { EditDialog } from './edit-dialog.ts';
import { Watermarks } from './watermarks.ts';

/** Draws what could not be done for the video, and what helps. */
const drawNotes = ({ notes = [] }: Task): TemplateResult[] =>
  notes.map(
    ({ message }) =>
      html`<section class="card note">
        <p>${message}</p>
      </section>`,
  );

const drawWelcomeCard = (giveSample: () => void): TemplateResult =>
  html`<section class="card empty">
    <h2>Your first clips are a minute away</h2>
    <p>
      Start with the sample, a two-minute show with four topics. You will see each short as soon as
      it is chosen, with its score and the reason for it.
    </p>
    <button class="button" @click=${giveSample}>Use the sample</button>
  </section>`;

/** Three elements, a name above the clips, and what this site adds to each clip. */
export class Studio {
  readonly #session: Session;
  readonly #draw: () => void;
  readonly #dialog: EditDialog;
  readonly #watermarks: Watermarks;
  /** The video whose clips are shown. */
  #video: Task | null = null;
  #clips: readonly Project[] = [];
  #isEmpty = false;

  constructor(session: Session, draw: () => void) {
    this.#session = session;
    this.#draw = draw;
    this.#dialog = new EditDialog(session, draw);
    this.#watermarks = new Watermarks(new URL('/watermark.png', session.sampleUrl).href);
  }

  #choose({ task }: ClipVideoEvent | ClipListProgressEvent): void {
    if (task.id !== this.#video?.id) this.#clips = [];
    this.#video = task;
    this.#draw();
  }

  #actions(clip: Project): TemplateResult {
    return html`<div class="act" slot="actions-${clip.id}">
      <label
        ><input
          type="checkbox"
          .checked=${this.#watermarks.has(clip.id)}
          @change=${({ target }: Event) =>
            this.#watermarks.set(clip.id, (target as HTMLInputElement).checked)}
        />Watermark</label
      >
      <button class="button quiet" @click=${() => this.#dialog.open(clip)}>
        Edit<span class="visually-hidden"> ${clip.name}</span>
      </button>
    </div>`;
  }

  #work(): TemplateResult {
    const video = this.#video;
    return html`<div class="work" ?hidden=${!video}>
      <h1>${video?.name}</h1>
      ${video ? drawNotes(video) : nothing}
      <clip-list
        id="clips"
        heading-level="2"
        @clip-list-item=${({ clip, exportButton }: ClipListItemEvent) =>
          this.#watermarks.add(clip.id, exportButton)}
        @clip-list-change=${({ clips }: ClipListChangeEvent) => {
          this.#clips = clips;
          this.#draw();
        }}
        @clip-list-progress=${(event: ClipListProgressEvent) => this.#choose(event)}
      >
        <div slot="empty">
          <h2>No clip was found</h2>
          <p>The video has no segment of the requested length. Try a shorter length.</p>
        </div>
        ${repeat(
          this.#clips,
          ({ id }) => id,
          (clip) => this.#actions(clip),
        )}
      </clip-list>
      <clip-export-many for="clips"></clip-export-many>
    </div>`;
  }

  render(): TemplateResult {
    const { serviceUrl, endpoint, sampleUrl } = this.#session;
    const giveSample = () => void document.querySelector('clip-create')?.chooseLink(sampleUrl);
    return html`<clip-config
        endpoint=${endpoint}
        session="/clip-session"
        app-url=${serviceUrl}
        player-url=${serviceUrl}
        handshake="clip-ready"
      >
        <div class="studio">
          <div class="side">
            <section class="card give" aria-labelledby="give">
              <h2 id="give">New video</h2>
              <clip-create
                for="videos"
                presets-url="${serviceUrl}/presets"
                @clip-create-start=${({ source, body }: ClipCreateStartEvent) => {
                  if (source === sampleUrl) body.name = 'Four small ideas';
                }}
              ></clip-create>
              <p class="soft small">
                No video at hand?
                <button class="link" @click=${giveSample}>Use the sample</button>, a two-minute
                show.
              </p>
            </section>
            <clip-videos
              id="videos"
              for="clips"
              label="Your videos"
              @clip-video=${(event: ClipVideoEvent) => this.#choose(event)}
              @clip-videos-change=${({ videos }: ClipVideosChangeEvent) => {
                this.#isEmpty = !videos.length;
                if (this.#isEmpty) this.#video = null;
                this.#draw();
              }}
            ></clip-videos>
          </div>
          ${this.#isEmpty ? drawWelcomeCard(giveSample) : nothing}${this.#work()}
        </div>
      </clip-config>
      ${this.#dialog.render()}`;
  }
}
