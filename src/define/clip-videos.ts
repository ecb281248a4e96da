import './clip-config.ts';
import { ClipVideos } from '../elements/clip-videos/clip-videos.ts';

if (globalThis.customElements && !customElements.get('clip-videos')) {
  customElements.define('clip-videos', ClipVideos);
}

export { ClipVideos };
export {
  ClipVideoEvent,
  ClipVideosChangeEvent,
  ClipVideosErrorEvent,
  type VideosStatus,
} from '../elements/clip-videos/videos-controller.ts';

declare global {
  interface HTMLElementTagNameMap {
    'clip-videos': ClipVideos;
  }
}
