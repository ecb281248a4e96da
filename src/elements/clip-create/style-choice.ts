import { html, type LitElement, type ReactiveController, type TemplateResult } from 'lit';
import { loadPart } from '../load-part.ts';
import type { PageController } from '../settings/page-controller.ts';
import type { CreateHost, StylePreset } from './create-host.ts';

type Host = CreateHost & LitElement & { presetId: string | null };

/** The styles of captions, each with its picture. What draws them is loaded with the first list. */
export class StyleChoice implements ReactiveController {
  readonly #host: Host;
  readonly #page: PageController;
  #read: readonly StylePreset[] = [];
  #address: string | null = null;
  #picture: ((preset: StylePreset) => TemplateResult) | null = null;

  constructor(host: Host, page: PageController) {
    this.#host = host;
    this.#page = page;
    host.addController(this);
  }

  hostUpdate(): void {
    const { presets, presetsUrl } = this.#host;
    const address = presets ? '' : presetsUrl;
    if (!this.#page.connected || address === this.#address) return;
    this.#address = address;
    if (address !== null) void this.#load(address);
  }

  async #load(address: string): Promise<void> {
    try {
      const { presetPicture, readPresets } = await loadPart(import('./preset-pictures.ts'));
      if (address) this.#read = await readPresets(address);
      this.#picture = presetPicture;
      this.#host.requestUpdate();
    } catch {
      // A task needs no choice of style.
    }
  }

  render(): TemplateResult | null {
    const host = this.#host;
    const presets = host.presets ?? this.#read;
    const picture = this.#picture;
    if (!presets.length || !picture) return null;
    return html`<fieldset part="styles">
      <legend>${this.#page.text('create-style', 'Style')}</legend>
      ${presets.map(
        (preset) =>
          html`<label part="style"
            ><input
              type="radio"
              name="style"
              class="visually-hidden"
              .checked=${preset.id === host.presetId}
              @change=${() => (host.presetId = preset.id)}
            />${picture(preset)}<span>${preset.name}</span></label
          >`,
      )}
    </fieldset>`;
  }
}
