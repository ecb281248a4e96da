import { posterSize, renderSize } from 'clip-engine';
import type { ServiceContext } from '../context.ts';
import type { Playable } from './player-queries.ts';
import type { SharedLink } from 'clip-player';
import { fileAddress } from '../storage/public-files.ts';

type Needs = Pick<ServiceContext, 'files' | 'publicUrl' | 'indexPlayerPages'>;

/** What the link of a clip's player page shows where it is shared. */
export function sharedLink(service: Needs, id: string, playable: Playable): SharedLink {
  const base = service.publicUrl();
  const url = `${base}/player/${id}`;
  const { width, height, edit, posterKey, previewKey } = playable;
  const oembed = (format: string): string =>
    `${base}/oembed?format=${format}&url=${encodeURIComponent(url)}`;
  return {
    url,
    title: playable.name,
    siteName: new URL(base).host,
    width,
    height,
    poster: posterKey === null ? null : { url: `${url}/poster.jpg`, ...posterSize(playable) },
    video:
      previewKey !== null && edit
        ? {
            url: fileAddress(service.files, `${base}/`, previewKey),
            ...renderSize(edit, 'preview'),
          }
        : null,
    oembed: { json: oembed('json'), xml: oembed('xml') },
    indexed: service.indexPlayerPages,
  };
}
