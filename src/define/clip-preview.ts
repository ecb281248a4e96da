import { ClipPreview } from '../elements/clip-preview/clip-preview.ts';

if (globalThis.customElements && !customElements.get('clip-preview')) {
  customElements.define('clip-preview', ClipPreview);
}

export { ClipPreview };

declare global {
  interface HTMLElementTagNameMap {
    'clip-preview': ClipPreview;
  }
}
