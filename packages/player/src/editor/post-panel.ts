import { html, nothing, type TemplateResult } from 'lit';
import { copyText } from './copy-text.ts';
import { EditorPart } from './editor-part.ts';
import editorStyles from './editor.css';
import { symbols } from './editor-symbols.ts';
import { joinTexts, formatHashtags, parseTags } from './post-text.ts';
import { formatText } from './texts.ts';
import styles from './post-panel.css';

/** The texts that one press copies. */
type Copied = 'title' | 'description' | 'tags' | 'all';

/** The texts for a post of the clip, and its cover. */
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
    return html`${this.#drawTitle()}${this.#drawTexts()}${this.#drawCover()}
      <section class="section">
        <button type="button" class="button main copy-all" @click=${() => void this.#copy('all')}>
          ${formatText(this.copied === 'all' ? 'copied' : 'copy-all')}
        </button>
        <p class="visually-hidden" role="status">${this.copied ? formatText('copied') : ''}</p>
        ${this.isBlocked ? html`<p class="error" role="alert">${formatText('copy-blocked')}</p>` : nothing}
      </section>`;
  }

  #drawTitle(): TemplateResult | typeof nothing {
    const { model } = this;
    if (!model.mayWrite) return this.#drawWritten('title', 'post-title');
    const { titles } = model;
    const others = titles.filter((title) => title !== model.title);
    return html`<section class="section">
      ${this.#drawHead('title', 'post-title')}
      <input
        id="title"
        class="field"
        dir="auto"
        maxlength="100"
        placeholder=${titles[0] ?? ''}
        .value=${model.title}
        @change=${({ target }: Event) => this.#setTitle((target as HTMLInputElement).value)}
      />
      ${
        others.length > 0
          ? html`<p class="hint" id="suggestions">${formatText('suggestions')}</p>
              <ul class="suggestions" aria-labelledby="suggestions">
                ${others.map(
                  (title) =>
                    html`<li>
                      <button
                        type="button"
                        class="choice suggestion"
                        dir="auto"
                        @click=${() => this.#setTitle(title)}
                      >
                        ${title}
                      </button>
                    </li>`,
                )}
              </ul>`
          : nothing
      }
    </section>`;
  }

  /** Draws a text that can only be copied. */
  #drawWritten(
    name: Exclude<Copied, 'all'>,
    text: Parameters<typeof formatText>[0],
  ): TemplateResult | typeof nothing {
    const written = this.#formatPost(name);
    if (written === '') return nothing;
    return html`<section class="section">
      ${this.#drawHead(name, text)}
      <p class="written" dir="auto">${written}</p>
    </section>`;
  }

  /** Draws the description and the tags. */
  #drawTexts(): TemplateResult {
    const { model } = this;
    if (!model.mayWrite) {
      return html`${this.#drawWritten('description', 'description')}
      ${this.#drawWritten('tags', 'tags')}`;
    }
    return html`<section class="section">
        ${this.#drawHead('description', 'description')}
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
        ${this.#drawRestore('description')}
      </section>
      <section class="section">
        ${this.#drawHead('tags', 'tags')}
        <input
          id="tags"
          class="field"
          dir="auto"
          .value=${model.tags.join(', ')}
          aria-describedby="tags-hint"
          @change=${({ target }: Event) => this.#setTags(target as HTMLInputElement)}
        />
        <p class="hint" id="tags-hint">${formatText('tags-hint')}</p>
        ${this.#drawRestore('tags')}
      </section>`;
  }

  /** The cover as the service has drawn it, and what chooses another one. */
  #drawCover(): TemplateResult {
    const { model, context } = this;
    const { cover } = model;
    const { revision, preview, edit } = model.answer.edit;
    const isReady = preview === 'ready' && context.session.state === 'saved';
    const { width, height } = edit.dimensions;
    return html`<section class="section cover">
      <div class="head"><h2>${formatText('cover')}</h2></div>
      <div class="choose">
        <img
          class=${isReady ? '' : 'stale'}
          style="aspect-ratio: ${width} / ${height}"
          src=${context.api.resolveUrl(`player/${context.clipId}/poster.jpg?${revision}.${preview}`)}
          alt=${formatText('cover')}
        />
        <div class="actions">
          <p class="hint">${formatText(cover ? 'cover-set' : 'cover-hint')}</p>
          <button
            type="button"
            class="button use-frame"
            @click=${() =>
              model.change({ ...model.changes, cover: { ...cover, time: this.#readPosition() } })}
          >
            ${formatText('use-frame')}
          </button>
          ${
            cover
              ? html`<label class="switch">
                    <input
                      type="checkbox"
                      class="titled"
                      .checked=${cover.title ?? false}
                      @change=${({ target }: Event) =>
                        model.change({
                          ...model.changes,
                          cover: { ...cover, title: (target as HTMLInputElement).checked },
                        })}
                    />
                    <span>${formatText('cover-title')}</span>
                  </label>
                  <button type="button" class="button auto" @click=${() => this.#removeCover()}>
                    ${formatText('auto')}
                  </button>`
              : nothing
          }
        </div>
      </div>
    </section>`;
  }

  /** The shown position in source seconds, to the millisecond. */
  #readPosition(): number {
    return Math.round(this.context.player.position * 1000) / 1000;
  }

  #removeCover(): void {
    const { cover: _, ...others } = this.model.changes;
    this.model.change(others);
  }

  #drawHead(name: Exclude<Copied, 'all'>, text: Parameters<typeof formatText>[0]): TemplateResult {
    const isCopied = this.copied === name;
    const label = formatText('copy', formatText(text));
    return html`<div class="head">
      <h2>
        ${this.model.mayWrite ? html`<label for=${name}>${formatText(text)}</label>` : formatText(text)}
      </h2>
      <button
        type="button"
        class="icon copy ${isCopied ? 'done' : ''}"
        data-copy=${name}
        aria-label=${label}
        title=${label}
        ?disabled=${this.#formatPost(name) === ''}
        @click=${() => void this.#copy(name)}
      >
        ${isCopied ? symbols.check : symbols.copy}
      </button>
    </div>`;
  }

  /** Draws the button that restores the generated text after the user has written another one. */
  #drawRestore(name: 'description' | 'tags'): TemplateResult | typeof nothing {
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
      ${formatText('use-suggestion')}
    </button>`;
  }

  #setTitle(title: string): void {
    const { model } = this;
    const { title: _, ...others } = model.changes;
    model.change(title === model.inputs.title ? others : { ...others, title });
  }

  #setTags(field: HTMLInputElement): void {
    const { model } = this;
    const tags = parseTags(field.value);
    model.change({ ...model.changes, tags });
    // What is left out, or written otherwise, is not drawn again if the tags are the same.
    field.value = model.tags.join(', ');
  }

  #formatPost(what: Copied): string {
    const { post } = this.model;
    if (what === 'all') return joinTexts(post);
    return what === 'tags' ? formatHashtags(post.tags) : post[what];
  }

  async #copy(what: Copied): Promise<void> {
    const isDone = await copyText(this.#formatPost(what));
    this.copied = isDone ? what : null;
    this.isBlocked = !isDone;
  }
}

customElements.define('clip-post', PostPanel);
