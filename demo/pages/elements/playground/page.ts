import 'clip-kit';
import 'clip-kit/clip-feed';
import 'clip-kit/clip-list';
import manifest from 'clip-kit/custom-elements.json' with { type: 'json' };
import { html, nothing, render, type TemplateResult } from 'lit';
import { drawHead } from '../../head.ts';
import { askHost, readSession } from '../../session.ts';
import type { Task } from 'clip-kit/contract';
import { copy } from '../copy.ts';
import { buildMarkup, type Markup } from '../markup.ts';
import { findNewestClip, type PageContext } from '../state-page.ts';
import { writeTrial, readTrial, type Trial } from './address.ts';
import { addLogLine, describeEvent, type LogLine } from './event-log.ts';
import {
  chooseControl,
  listElements,
  formatFlag,
  type AttributeInfo,
  type Manifest,
} from './manifest.ts';
import { createPreset } from './presets.ts';
import { frameworks, writeSnippet, type Framework } from './snippets.ts';

const elements = listElements(manifest as Manifest);
const findElement = (tag: string) => elements.find(({ tagName }) => tagName === tag)!;

/** Beside those of the manifest: the language of the element's texts, and with it the direction. */
const language: AttributeInfo = {
  name: 'lang',
  description: 'Language of the texts.',
  type: { text: "'en' | 'de' | 'fr' | 'es' | 'pt' | 'ja' | 'zh' | 'ar'" },
};
const listAttributes = (tag: string): readonly AttributeInfo[] => [
  ...findElement(tag).attributes,
  language,
];

class Playground {
  readonly #context: PageContext;
  readonly #video: Task | null;
  readonly #main: HTMLElement;
  #trial: Trial;
  #element!: HTMLElement;
  #lines: readonly LogLine[] = [];
  #framework: Framework = 'HTML';

  constructor(context: PageContext, video: Task | null, main: HTMLElement) {
    this.#context = context;
    this.#video = video;
    this.#main = main;
    this.#trial = this.#read();
    this.#build();
    addEventListener('popstate', () => {
      this.#trial = this.#read();
      this.#build();
    });
  }

  #read(): Trial {
    return readTrial(
      new URLSearchParams(location.search),
      elements.map(({ tagName }) => tagName),
      (tag) => listAttributes(tag).map(({ name }) => name),
    );
  }

  /** The element as it is tried now. */
  get #markup(): Markup {
    const { tag, changes } = this.#trial;
    const preset = createPreset(tag, this.#context, this.#video);
    const rtl = changes.get('lang') === 'ar' ? { dir: 'rtl' } : {};
    const attributes = { ...preset.attributes, ...Object.fromEntries(changes), ...rtl };
    const shown = Object.entries(attributes).map(([name, value]) => [
      name,
      value === '' ? true : value,
    ]);
    return {
      ...preset,
      attributes: Object.fromEntries(shown) as NonNullable<Markup['attributes']>,
    };
  }

  #build(): void {
    this.#element = buildMarkup(this.#markup);
    this.#lines = [];
    for (const { name } of findElement(this.#trial.tag).events ?? []) {
      this.#element.addEventListener(name, (event) => {
        this.#lines = addLogLine(this.#lines, name, describeEvent(event));
        this.#draw();
      });
    }
    this.#draw();
  }

  #select(tag: string): void {
    this.#trial = { tag, changes: new Map() };
    history.pushState(null, '', `?${writeTrial(this.#trial)}`);
    this.#build();
  }

  #change(name: string, value: string | null): void {
    const changes = new Map(this.#trial.changes).set(name, value);
    this.#trial = { ...this.#trial, changes };
    history.replaceState(null, '', `?${writeTrial(this.#trial)}`);
    // The element changes while it lives, as in an application.
    const { attributes = {} } = this.#markup;
    for (const one of [name, 'dir']) {
      const next = attributes[one] ?? null;
      if (next === null) this.#element.removeAttribute(one);
      else this.#element.setAttribute(one, next === true ? '' : next);
    }
    this.#draw();
  }

  #control(attribute: AttributeInfo): TemplateResult {
    const { name, description = '' } = attribute;
    const control = chooseControl(attribute);
    const value = this.#markup.attributes?.[name] ?? null;
    const text = value === true ? '' : (value ?? '');
    const input = ({ target }: Event) => (target as HTMLInputElement).value || null;
    if (control.kind === 'flag') {
      const on = value === null ? control.preset : value !== 'false';
      return html`<label class="check" title=${description}
        ><input
          type="checkbox"
          name=${name}
          .checked=${on}
          @change=${({ target }: Event) =>
            this.#change(name, formatFlag((target as HTMLInputElement).checked, control.preset))}
        />${name}</label
      >`;
    }
    return html`<label class="field" title=${description}
      ><span>${name}</span>${
        control.kind === 'words'
          ? html`<select name=${name} @change=${(event: Event) => this.#change(name, input(event))}>
              <option value="" ?selected=${value === null}>
                ${attribute.default?.replaceAll("'", '') ?? '–'}
              </option>
              ${control.words.map(
                (word) => html`<option value=${word} ?selected=${word === value}>${word}</option>`,
              )}
            </select>`
          : html`<input
              type=${control.kind}
              name=${name}
              .value=${text}
              placeholder=${attribute.default ?? nothing}
              @change=${(event: Event) => this.#change(name, input(event))}
            />`
      }</label
    >`;
  }

  #draw(): void {
    const { tag } = this.#trial;
    const code = writeSnippet(this.#framework, this.#markup, findElement(tag).events?.[0]?.name);
    render(
      html`<header class="intro">
          <h1>Playground</h1>
          <p>Change the attributes of an element, see its events, and copy the code.</p>
          <nav class="chips" aria-label="Elements">
            ${elements.map(
              ({ tagName }) =>
                html`<button aria-pressed=${tagName === tag} @click=${() => this.#select(tagName)}>
                  ${tagName}
                </button>`,
            )}
          </nav>
        </header>
        <div class="playground">
          <form
            class="card controls-of"
            aria-label="Attributes"
            @submit=${(event: Event) => event.preventDefault()}
          >
            ${listAttributes(tag).map((attribute) => this.#control(attribute))}
            <p class="soft small">
              The address of this page has what you have changed, except where the element sends its
              calls. Share it as it is.
            </p>
          </form>
          <div class="tried">
            <div class="card stage ${tag}">${this.#element}</div>
            <section class="card log" aria-labelledby="log">
              <h2 id="log">Events</h2>
              ${
                this.#lines.length
                  ? html`<ol>
                      ${this.#lines.map(
                        ({ name, note, count }) =>
                          html`<li>
                            <code>${name}</code>
                            <span class="soft small">${note}</span>
                            ${count > 1 ? html`<span class="soft small">× ${count}</span>` : nothing}
                          </li>`,
                      )}
                    </ol>`
                  : html`<p class="soft small">None yet.</p>`
              }
            </section>
            <section class="card code" aria-label="Code">
              <div class="choices">
                ${frameworks.map(
                  (framework) =>
                    html`<label
                      ><input
                        type="radio"
                        name="framework"
                        .checked=${framework === this.#framework}
                        @change=${() => {
                          this.#framework = framework;
                          this.#draw();
                        }}
                      />${framework}</label
                    >`,
                )}
              </div>
              <div class="markup">
                <pre dir="ltr" tabindex="0" aria-label="Code"><code>${code}</code></pre>
                <button @click=${(event: Event) => void copy(event, code)}>Copy</button>
              </div>
            </section>
          </div>
        </div>`,
      this.#main,
    );
  }
}

const session = await readSession();
drawHead(session);
const clip = await findNewestClip(session);
const videos = session.person ? await askHost<Task[]>(session, '/tasks') : [];
const video = videos.find(({ output_type: type }) => type === 'folder') ?? null;
const main = document.getElementById('main');
if (main) new Playground({ session, clip }, video, main);
