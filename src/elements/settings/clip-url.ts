import { nameAttribute } from '../attribute-properties.ts';
import { encodeId, checkUrl, getSetting, readSettingUrl, withLanguage } from './settings.ts';

type UrlSetting = 'appUrl' | 'playerUrl';

type Clip = Element & { project?: string | null };

const place = /\{(?:project|id)\}/g;

const withProject = (template: string, project: string | null): string =>
  template.replace(place, () => encodeId(project));

/** The clip's poster by the setting `poster-url`; null without one, or without a valid project. */
export function makePosterUrl(element: Clip, project = element.project ?? null): string | null {
  const setting = withLanguage(element, getSetting(element, 'posterUrl'));
  try {
    return setting && withProject(setting, project);
  } catch {
    return null;
  }
}

let last = '';
let path = '';
let query = '';

/**
 * `{app_url}/embed/{project}` or `{player_url}/player/{project}` by the element's settings. A
 * setting with `{project}` or `{id}` in it is the whole address. Throws a `ClipError` if one is
 * missing or invalid. The base is cached for pages with many previews.
 */
export function makeClipUrl(
  element: Clip,
  name: UrlSetting,
  project = element.project ?? null,
): string {
  const setting = withLanguage(element, getSetting(element, name));
  if (setting && setting.search(place) >= 0) {
    const { origin, pathname, search } = checkUrl(
      withProject(setting, project),
      nameAttribute(name),
    );
    return origin + pathname + search;
  }
  const key = `${name} ${setting} ${document.baseURI}`;
  if (key !== last) {
    const { origin, pathname, search } = readSettingUrl(element, name);
    path = `${origin + pathname.replace(/(?<!\/)\/+$/, '')}/${name === 'appUrl' ? 'embed' : 'player'}/`;
    query = search;
    last = key;
  }
  return path + encodeId(project) + query;
}

/**
 * The fragment of an embed page's address. If the setting has a fragment with `{token}`, that one.
 * A token is never anywhere else in an address.
 */
export function makeTokenFragment(element: Element, token: string): string {
  const [, fragment] = (getSetting(element, 'appUrl') ?? '').split('#');
  const template = fragment?.includes('{token}') ? fragment : 'external_access_token={token}';
  return `#${template.replace('{token}', () => encodeURIComponent(token))}`;
}
