import './clip-preview.ts';
import { ClipFeed } from '../elements/clip-feed/clip-feed.ts';

if (globalThis.customElements && !customElements.get('clip-feed')) {
  customElements.define('clip-feed', ClipFeed);
}

export { ClipFeed };
export {
  ClipChangeEvent,
  ClipEndEvent,
  ClipFeedErrorEvent,
  ClipFeedItemEvent,
} from '../elements/clip-feed/clip-feed-events.ts';
export type { FeedStatus } from '../elements/clip-feed/feed-clips.ts';

declare global {
  interface HTMLElementTagNameMap {
    'clip-feed': ClipFeed;
  }
}
