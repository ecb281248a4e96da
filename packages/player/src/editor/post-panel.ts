import { html, nothing, type TemplateResult } from 'lit';
import { copyText } from './copy-text.ts';
import { EditorPart } from './editor-part.ts';
import editorStyles from './editor.css';
import { symbols } from './editor-symbols.ts';
import { allText, hashtags, tagsIn } from './post-text.ts';
import { say } from './texts.ts';
import styles from './post-panel.css';

/** What is copied with one press. */
type Copied = 'title' | 'description' | 'tags' | 'all';

/** What a person writes when posting the clip: title, description and tags. */
class PostPanel extends EditorPart {
  static override properties = {
    ...EditorPart.properties,
    copied: { state: true },
    isBlocked: { state: true },
  };

  static override styles = [editorStyles, styles];

  declare copied: Copied | null;
  declare isBlocked: boolean;

  constructor() {
    super();
    this.copied = null;
    this.isBlocked = false;
  }

  protected override render(): TemplateResult {
    const { model } = this;
    const { titles } = model;
    const others = titles.filter((title) => title !== model.title);
    return html`<section class="section">
        ${this.#head('title', 'post-title')}
        <input
          id="title"
          class="field"
          dir="auto"
          maxlength="100"
          placeholder=${titles[0] ?? ''}
          .value=${model.title}
          @change=${({ target }: Event) => this.#retitle((target as HTMLInputElement).value)}
        />
        ${
          others.length > 0
            ? html`<ul class="suggestions" aria-label=${say('suggestions')}>
                ${others.map(
                  (title) =>
                    html`<li>
                      <button
                        type="button"
                        class="choice suggestion"
                        dir="auto"
                        @click=${() => this.#retitle(title)}
                      >
                        ${title}
                      </button>
                    </li>`,
                )}
              </ul>`
            : nothing
        }
      </section>
      <section class="section">
        ${this.#head('description', 'description')}
        <textarea
          id="description"
          class="field"
          dir="auto"
          rows="5"
          maxlength="2000"
          .value=${model.description}
          @change=${({ target }: Event) =>
            model.change({ ...model.changes, description: (target as HTMLTextAreaElement).value })}
        ></textarea>
        ${this.#restore('description')}
      </section>
      <section class="section">
        ${this.#head('tags', 'tags')}
        <input
          id="tags"
          class="field"
          dir="auto"
          .value=${model.tags.join(', ')}
          aria-describedby="tags-hint"
          @change=${({ target }: Event) => this.#retag(target as HTMLInputElement)}
        />
        <p class="hint" id="tags-hint">${say('tags-hint')}</p>
        ${this.#restore('tags')}
      </section>
      <section class="section">
        <button type="button" class="button main copy-all" @click=${() => void this.#copy('all')}>
          ${say(this.copied === 'all' ? 'copied' : 'copy-all')}
        </button>
        <p class="visually-hidden" role="status">${this.copied ? say('copied') : ''}</p>
        ${this.isBlocked ? html`<p class="error" role="alert">${say('copy-blocked')}</p>` : nothing}
      </section>`;
  }

  #head(name: Exclude<Copied, 'all'>, text: Parameters<typeof say>[0]): TemplateResult {
    const isCopied = this.copied === name;
    const label = say('copy', say(text));
    return html`<div class="head">
      <h2><label for=${name}>${say(text)}</label></h2>
      <button
        type="button"
        class="icon copy ${isCopied ? 'done' : ''}"
        data-copy=${name}
        aria-label=${label}
        title=${label}
        ?disabled=${this.#textOf(name) === ''}
        @click=${() => void this.#copy(name)}
      >
        ${isCopied ? symbols.check : symbols.copy}
      </button>
    </div>`;
  }

  /** Goes back to what was made of the clip's words, if a person has written something else. */
  #restore(name: 'description' | 'tags'): TemplateResult | typeof nothing {
    const { model } = this;
    const made = model.inputs.post?.[name];
    if (model.changes[name] === undefined || !made?.length) return nothing;
    return html`<button
      type="button"
      class="button restore"
      data-restore=${name}
      @click=${() => {
        const { [name]: _, ...others } = model.changes;
        model.change(others);
      }}
    >
      ${say('use-suggestion')}
    </button>`;
  }

  #retitle(title: string): void {
    const { model } = this;
    const { title: _, ...others } = model.changes;
    model.change(title === model.inputs.title ? others : { ...others, title });
  }

  #retag(field: HTMLInputElement): void {
    const { model } = this;
    const tags = tagsIn(field.value);
    model.change({ ...model.changes, tags });
    // What is left out, or written otherwise, is not drawn again if the tags are the same.
    field.value = model.tags.join(', ');
  }

  #textOf(what: Copied): string {
    const { titles, title, description, tags } = this.model;
    const texts = { title: title || (titles[0] ?? ''), description, tags };
    if (what === 'all') return allText(texts);
    return what === 'tags' ? hashtags(tags) : texts[what];
  }

  async #copy(what: Copied): Promise<void> {
    const isDone = await copyText(this.#textOf(what));
    this.copied = isDone ? what : null;
    this.isBlocked = !isDone;
  }
}

customElements.define('clip-post', PostPanel);
