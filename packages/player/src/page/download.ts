import type { EmbedView } from '../clip-view.ts';
import { find } from './dom.ts';
import { root } from './service-root.ts';

/** Shows the link to the exported file, if there is one. */
export function offerDownload({ name, download_url: url }: EmbedView): void {
  const link = find<HTMLAnchorElement>('.download');
  link.hidden = url === null;
  if (url !== null) link.href = new URL(url, root).href;
  link.download = `${name}.mp4`;
}
