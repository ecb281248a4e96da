import { ClipEmbed } from '../elements/clip-embed/clip-embed.ts';

if (globalThis.customElements && !customElements.get('clip-embed')) {
  customElements.define('clip-embed', ClipEmbed);
}

export { ClipEmbed };

declare global {
  interface HTMLElementTagNameMap {
    'clip-embed': ClipEmbed;
  }
}
