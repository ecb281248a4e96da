import './clip-config.ts';
import './clip-export-button.ts';
import './clip-preview.ts';
import { ClipList } from '../elements/clip-list/clip-list.ts';

if (globalThis.customElements && !customElements.get('clip-list')) {
  customElements.define('clip-list', ClipList);
}

export { ClipList };
export {
  ClipListChangeEvent,
  ClipListErrorEvent,
  ClipListItemEvent,
  ClipListProgressEvent,
  ClipListReadyEvent,
  type ClipListStatus,
} from '../elements/clip-list/clips-controller.ts';

declare global {
  interface HTMLElementTagNameMap {
    'clip-list': ClipList;
  }
}
