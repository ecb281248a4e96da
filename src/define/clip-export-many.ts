import { ClipExportMany } from '../elements/clip-export-many/clip-export-many.ts';

if (globalThis.customElements && !customElements.get('clip-export-many')) {
  customElements.define('clip-export-many', ClipExportMany);
}

export { ClipExportMany };
export { ClipSelectEvent } from '../elements/clip-export-many/clip-export-many.ts';

declare global {
  interface HTMLElementTagNameMap {
    'clip-export-many': ClipExportMany;
  }
}
