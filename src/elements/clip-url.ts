import { pathId, settingOf, settingUrl } from './settings.ts';

let last = '';
let path = '';
let query = '';

/**
 * `{app_url}/embed/{project}` or `{player_url}/player/{project}` by the element's settings. Throws
 * a `ClipError` if one is missing or invalid. The base is cached for pages with many previews.
 */
export function clipUrl(
  element: Element & { project: string | null },
  name: 'appUrl' | 'playerUrl',
): string {
  const key = `${name} ${settingOf(element, name)} ${document.baseURI}`;
  if (key !== last) {
    const { origin, pathname, search } = settingUrl(element, name);
    path = `${origin + pathname.replace(/\/+$/, '')}/${name === 'appUrl' ? 'embed' : 'player'}/`;
    query = search;
    last = key;
  }
  return path + pathId(element.project) + query;
}
