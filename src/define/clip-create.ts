import './clip-config.ts';
import { ClipCreate } from '../elements/clip-create/clip-create.ts';

if (globalThis.customElements && !customElements.get('clip-create')) {
  customElements.define('clip-create', ClipCreate);
}

export { ClipCreate };
export {
  ClipCreateErrorEvent,
  ClipCreateStartEvent,
  ClipTaskEvent,
  ClipUploadEvent,
  type StylePreset,
} from '../elements/clip-create/clip-create-events.ts';
export type { CreateStatus } from '../elements/clip-create/create-work.ts';

declare global {
  interface HTMLElementTagNameMap {
    'clip-create': ClipCreate;
  }
}
