import { ClipConfig } from '../elements/clip-config/clip-config.ts';

if (globalThis.customElements && !customElements.get('clip-config')) {
  customElements.define('clip-config', ClipConfig);
}

export { ClipConfig };

declare global {
  interface HTMLElementTagNameMap {
    'clip-config': ClipConfig;
  }
}
