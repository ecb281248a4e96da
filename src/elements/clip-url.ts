import { pathId, settingOf, settingUrl } from './settings.ts';

const bases = new Map<string, readonly [path: string, search: string]>();

/**
 * `{app_url}/embed/{project}` or `{player_url}/player/{project}` by the element's settings. Throws a `ClipError` where one
 * is missing or no good. A base is read once: a page may have a thousand previews of it.
 */
export const clipUrl = (
  element: Element & { project: string | null },
  name: 'appUrl' | 'playerUrl',
): string => {
  const key = `${name} ${settingOf(element, name)} ${document.baseURI}`;
  let base = bases.get(key);
  if (!base) {
    const { origin, pathname, search } = settingUrl(element, name);
    const kind = name === 'appUrl' ? 'embed' : 'player';
    bases.set(key, (base = [`${origin + pathname.replace(/\/+$/, '')}/${kind}/`, search]));
  }
  return base[0] + pathId(element.project) + base[1];
};
