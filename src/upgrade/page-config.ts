import { ClipError } from '../client/clip-error.ts';
import { type ClipSettings, settingAttributes } from '../elements/settings/settings.ts';
import { nameAttribute } from '../elements/attribute-properties.ts';

/** The attribute of each setting, and its property. */
export const settingNames: ReadonlyMap<string, keyof ClipSettings> = new Map(
  ([...Object.keys(settingAttributes), 'csrfToken'] as (keyof ClipSettings)[]).map((name) => [
    nameAttribute(name),
    name,
  ]),
);

function refuse(what: string): never {
  throw new ClipError(
    'invalid-config',
    `The page's <meta name="clip-config"> cannot be read: ${what}`,
  );
}

/** The settings in a text such as `endpoint=/clips, player-url=https://clips.example`. */
export function parseConfig(text: string): ClipSettings {
  const settings: ClipSettings = {};
  // Another comma belongs to the value.
  for (const part of text.split(/,(?=\s*[\w-]+\s*=|\s*$)/)) {
    if (!part.trim()) continue;
    const [, attribute = '', value = ''] = /^\s*([\w-]+)\s*=\s*(\S+)\s*$/.exec(part) ?? [];
    if (!value) refuse(`"${part.trim().split('=')[0]}" needs the form name=value, without spaces.`);
    const name = settingNames.get(attribute);
    if (!name)
      refuse(`there is no "${attribute}". There are: ${[...settingNames.keys()].join(', ')}.`);
    Object.assign(settings, { [name]: value });
  }
  return settings;
}

let texts: readonly string[] = [];
let settings: ClipSettings | null = null;

/**
 * The settings of the page's `<meta name="clip-config">`, as they were last looked up; a later one
 * wins.
 */
export const readPageConfig = (): ClipSettings =>
  (settings ??= Object.assign({}, ...texts.map(parseConfig)) as ClipSettings);

/**
 * Looks the settings up; false if they have not changed. Only in the head, which the site writes:
 * the body may have content of others.
 */
export function lookUpConfig(): boolean {
  const found = Array.from(
    document.head?.querySelectorAll<HTMLMetaElement>('meta[name="clip-config"]') ?? [],
    ({ content }) => content,
  );
  if (found.length === texts.length && found.every((text, at) => text === texts[at])) return false;
  texts = found;
  settings = null;
  return true;
}
