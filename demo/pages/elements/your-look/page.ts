import 'clip-kit';
import { html, nothing, render, type TemplateResult } from 'lit';
import type { Project } from 'clip-kit/contract';
import { computeContrast } from '../../../../packages/player/src/appearance.ts';
import { drawHead } from '../../head.ts';
import { hostSettings, readSession, type Session } from '../../session.ts';
import { copy } from '../copy.ts';
import { findNewestClip } from '../state-page.ts';

type Look = Readonly<Record<'scheme' | 'accent' | 'surface' | 'text' | 'radius' | 'font', string>>;

/** Looks of two sites. */
const sites: Readonly<Record<string, Look>> = {
  Garden: {
    scheme: 'light',
    accent: '#1f7a4d',
    surface: '#fbfaf3',
    text: '#1d2b22',
    radius: '24',
    font: 'Georgia, serif',
  },
  'News desk': {
    scheme: 'dark',
    accent: '#ffd028',
    surface: '#15191f',
    text: '#eef2f6',
    radius: '0',
    font: 'Arial Narrow, Arial, sans-serif',
  },
};

const fonts = [
  'system-ui, sans-serif',
  'Georgia, serif',
  'Arial Narrow, Arial, sans-serif',
  'monospace',
];

/** Black or white, whichever has more contrast on a colour such as `#1f7a4d`. */
function chooseTextColor(colour: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    parseInt(colour.slice(at, at + 2), 16),
  );
  const ground = [red, green, blue] as const;
  return computeContrast([0, 0, 0], ground) > computeContrast([255, 255, 255], ground)
    ? '#000'
    : '#fff';
}

const listProperties = ({ scheme, accent, surface, text, radius, font }: Look) => ({
  'color-scheme': scheme,
  '--clip-accent': accent,
  '--clip-on-accent': chooseTextColor(accent),
  '--clip-surface': surface,
  '--clip-text': text,
  '--clip-radius': `${radius}px`,
  '--clip-font': font,
});

const writeStyleSheet = (look: Look): string =>
  `:root {\n${Object.entries(listProperties(look))
    .map(([name, value]) => `  ${name}: ${value};`)
    .join('\n')}\n}`;

class YourLook {
  #look = sites['Garden']!;
  readonly #session: Session;
  readonly #clip: Project | null;
  readonly #main: HTMLElement;
  #shown: Project | null;
  #failed = false;

  /** `clip` is one of the person. */
  constructor(session: Session, clip: Project | null, main: HTMLElement) {
    [this.#session, this.#clip, this.#main, this.#shown] = [session, clip, main, clip];
    this.#draw();
    if (!clip) void this.#showDemoClip();
  }

  async #showDemoClip(): Promise<void> {
    const answer = await fetch('/sample-clips').catch(() => null);
    if (answer?.ok) [this.#shown = null] = (await answer.json()) as Project[];
    this.#failed = !this.#shown;
    this.#draw();
  }

  #set(change: Partial<Look>): void {
    this.#look = { ...this.#look, ...change };
    this.#draw();
  }

  #field(name: keyof Look, label: string, control: TemplateResult): TemplateResult {
    const input = ({ target }: Event) => this.#set({ [name]: (target as HTMLInputElement).value });
    return html`<label class="field" @input=${input}><span>${label}</span>${control}</label>`;
  }

  #colour(name: 'accent' | 'surface' | 'text', label: string): TemplateResult {
    const control = html`<input type="color" name=${name} .value=${this.#look[name]} />`;
    return this.#field(name, label, control);
  }

  #controls(): TemplateResult {
    const { radius, font, scheme } = this.#look;
    const option = (value: string, current: string) =>
      html`<option value=${value} ?selected=${value === current}>${value}</option>`;
    return html`<form class="card controls-of" aria-label="Your look">
      <div class="chips" role="group" aria-label="Looks of two sites">
        ${Object.entries(sites).map(
          ([name, look]) =>
            html`<button
              type="button"
              aria-pressed=${writeStyleSheet(look) === writeStyleSheet(this.#look)}
              @click=${() => this.#set(look)}
            >
              ${name}
            </button>`,
        )}
      </div>
      <div class="colours">
        ${this.#colour('accent', 'Accent')} ${this.#colour('surface', 'Surface')}
        ${this.#colour('text', 'Text')}
      </div>
      ${this.#field(
        'radius',
        `Corners: ${radius} px`,
        html`<input type="range" name="radius" min="0" max="32" .value=${radius} />`,
      )}
      ${this.#field(
        'font',
        'Typeface',
        html`<select name="font">
          ${fonts.map((one) => option(one, font))}
        </select>`,
      )}
      ${this.#field(
        'scheme',
        'Colour scheme',
        html`<select name="scheme">
          ${['light', 'dark', 'light dark'].map((one) => option(one, scheme))}
        </select>`,
      )}
    </form>`;
  }

  /** The editor and the export are for a user who is logged in. */
  #frames(clip: Project): TemplateResult {
    const { serviceUrl } = this.#session;
    const { endpoint, session } = hostSettings(this.#session);
    return html`<div class="player">
        <clip-preview
          project=${clip.id}
          player-url=${serviceUrl}
          loading="eager"
          label=${clip.name}
        ></clip-preview>
        ${
          this.#clip
            ? html`<clip-export-button
                project=${clip.id}
                endpoint=${endpoint!}
                session=${session ?? nothing}
              ></clip-export-button>`
            : nothing
        }
      </div>
      ${
        this.#clip
          ? html`<clip-embed
              edit
              project=${clip.id}
              app-url=${serviceUrl}
              endpoint=${endpoint!}
              session=${session ?? nothing}
              loading="eager"
              label="Editor"
            ></clip-embed>`
          : html`<div class="card note">
              <p>
                Log in and make a clip in the <a href="/">studio</a>, then come back: this page then
                shows your clip in the editor, too, and the button for its export.
              </p>
            </div>`
      }`;
  }

  #draw(): void {
    const text = writeStyleSheet(this.#look);
    render(
      html`<header class="intro">
          <h1>Your look</h1>
          <p>
            The style sheet of your site also reaches the player and the editor, and they follow
            while they are open. Change something.
          </p>
        </header>
        <div class="playground your-look">
          ${this.#controls()}
          <div class="tried">
            <div class="frames">
              ${
                this.#shown
                  ? this.#frames(this.#shown)
                  : this.#failed
                    ? html`<p class="card note bad" role="alert">
                        The demo could not make a clip of its sample. Reload this page to try again.
                      </p>`
                    : html`<p class="soft">The demo is making its first clip …</p>`
              }
            </div>
            <div class="card markup">
              <pre dir="ltr" tabindex="0" aria-label="Style sheet"><code>${text}</code></pre>
              <button @click=${(event: Event) => void copy(event, text)}>Copy</button>
            </div>
          </div>
        </div>`,
      this.#main,
    );
    const frames = this.#main.querySelector<HTMLElement>('.frames')!;
    for (const [name, value] of Object.entries(listProperties(this.#look))) {
      frames.style.setProperty(name, value);
    }
  }
}

const session = await readSession();
drawHead(session);
new YourLook(session, await findNewestClip(session), document.getElementById('main')!);
