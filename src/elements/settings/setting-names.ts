import { attributeOf } from '../attribute-properties.ts';
import { settingAttributes, type ClipSettings } from './settings.ts';

/** The attribute of each setting, and its property. */
export const settingNames: ReadonlyMap<string, keyof ClipSettings> = new Map(
  ([...Object.keys(settingAttributes), 'csrfToken'] as (keyof ClipSettings)[]).map((name) => [
    attributeOf(name),
    name,
  ]),
);
