import { html, type TemplateResult } from 'lit';
import { checkUrl } from '../settings/settings.ts';
import type { StylePreset } from './clip-create-events.ts';

/** The part of a preset that its picture shows (docs/presets.md). */
interface Captions {
  readonly font: string;
  readonly weight: string;
  readonly colour: string;
  readonly capitals: boolean;
  readonly outline: { readonly colour: string; readonly width: number };
  readonly box: { readonly colour: string; readonly opacity: number } | null;
  readonly spoken: { readonly mark: string; readonly colour: string };
}

/** The list of `GET /presets`. */
export async function readPresets(address: string): Promise<StylePreset[]> {
  const answer = await fetch(checkUrl(address, 'presets-url'), { credentials: 'omit' });
  const read: unknown = answer.ok ? await answer.json() : [];
  return Array.isArray(read)
    ? (read as Partial<StylePreset>[]).filter(
        (one): one is StylePreset => typeof one?.id === 'string' && typeof one.name === 'string',
      )
    : [];
}

const checkColour = (text: unknown): string =>
  typeof text === 'string' && /^#[0-9a-f]{6}$/i.test(text) ? text : '#ffffff';

/** Two words as the captions of the style are drawn, the second as the spoken one. */
function drawCaptions(captions: Captions): TemplateResult {
  const { outline, box, spoken, weight, capitals } = captions;
  const font = String(captions.font).replace(/[^\p{L}\p{N} -]/gu, '');
  const edge = `${Math.round((Number(outline?.width) || 0) * 200) / 100}em`;
  const line = [
    `color:${checkColour(captions.colour)}`,
    `font-family:"${font}",system-ui,sans-serif`,
    `font-weight:${weight === 'bold' ? 700 : 400}`,
    `-webkit-text-stroke:${edge} ${checkColour(outline?.colour)}`,
    box
      ? `background:color-mix(in srgb, ${checkColour(box.colour)} ${Math.round(Number(box.opacity) * 100) || 0}%, transparent)`
      : '',
  ].join(';');
  const words = capitals ? ['AA', 'BB'] : ['Aa', 'Bb'];
  const colour = checkColour(spoken?.colour);
  const marked =
    spoken?.mark === 'colour'
      ? `color:${colour}`
      : spoken?.mark === 'outline'
        ? `-webkit-text-stroke-color:${colour}`
        : spoken?.mark === 'underline'
          ? `text-decoration:underline ${colour}`
          : '';
  return html`<b .style=${line}>${words[0]} <i .style=${marked}>${words[1]}</i></b>`;
}

export function drawPreset({ picture_url: picture, style }: StylePreset): TemplateResult {
  const captions = (style as { captions?: Captions } | null | undefined)?.captions;
  return html`<span class="sample" aria-hidden="true"
    >${
      picture
        ? html`<img src=${picture} alt="" loading="lazy" />`
        : captions
          ? drawCaptions(captions)
          : null
    }</span
  >`;
}
