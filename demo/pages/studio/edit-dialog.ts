import { html, nothing, type TemplateResult } from 'lit';
import { createRef, ref } from 'lit/directives/ref.js';
import type { Project } from 'clip-kit/contract';
import type { Session } from '../session.ts';

/** The dialog that edits a clip in the service's own page, with this person's token. */
export class EditDialog {
  readonly #dialog = createRef<HTMLDialogElement>();
  readonly #changed: () => void;
  readonly #session: Session;
  #project: Project | null = null;

  constructor(session: Session, changed: () => void) {
    this.#session = session;
    this.#changed = changed;
  }

  open(project: Project): void {
    this.#project = project;
    this.#changed();
    this.#dialog.value?.showModal();
  }

  render(): TemplateResult {
    const project = this.#project;
    // Remove the frame when the dialog closes, so that nothing keeps playing.
    const closed = () => {
      this.#project = null;
      this.#changed();
    };
    return html`<dialog ${ref(this.#dialog)} aria-labelledby="opened" @close=${closed}>
      <header>
        <h2 id="opened">${project?.name}</h2>
        <button class="icon" @click=${() => this.#dialog.value?.close()}>
          <svg
            viewBox="0 0 24 24"
            fill="none"
            stroke="currentColor"
            stroke-width="2"
            aria-hidden="true"
          >
            <path d="m6 6 12 12M18 6 6 18" />
          </svg>
          <span class="visually-hidden">Close</span>
        </button>
      </header>
      ${
        project
          ? html`<clip-embed
              project=${project.id}
              edit
              header="none"
              endpoint=${this.#session.endpoint}
              session="/clip-session"
              app-url=${this.#session.serviceUrl}
              handshake="clip-ready"
              label=${project.name}
              loading="eager"
            ></clip-embed>`
          : nothing
      }
    </dialog>`;
  }
}
