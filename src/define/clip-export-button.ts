import { ClipExportButton } from '../elements/clip-export-button/clip-export-button.ts';

if (globalThis.customElements && !customElements.get('clip-export-button')) {
  customElements.define('clip-export-button', ClipExportButton);
}

export { ClipExportButton };

declare global {
  interface HTMLElementTagNameMap {
    'clip-export-button': ClipExportButton;
  }
}
