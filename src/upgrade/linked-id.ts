import { clipUrl } from '../elements/settings/clip-url.ts';

/**
 * The id of the clip that a link leads to: its address must be that of a page of clips by the
 * settings around it. Throws if it is not.
 */
export function linkedId(link: HTMLAnchorElement): string {
  const { origin, pathname, search } = link;
  const ids = [
    ...pathname.split('/').filter(Boolean).map(decodeURIComponent),
    ...new URLSearchParams(search).values(),
  ];
  let cause: unknown;
  for (const setting of ['playerUrl', 'appUrl'] as const) {
    for (const id of ids) {
      try {
        const address = clipUrl(link, setting, id);
        if (origin + pathname === address || origin + pathname + search === address) return id;
      } catch (error) {
        cause ??= error;
      }
    }
  }
  throw cause ?? new Error('its address is not that of a clip by player-url or app-url.');
}
