import type { Messages } from '../../locales/messages.ts';
import { registerLocale as registerHere } from '../../locales/registry.ts';
import type { ClipConfig } from '../clip-config/clip-config.ts';
import {
  configure as configureHere,
  readMarkup as readMarkupHere,
  type ClipSettings,
} from './settings.ts';

/*
 * A page may have several copies of the kit: a script tag of the site, a bundle of an application.
 * The first one defines the elements. The others pass settings on to it by its `<clip-config>`.
 */
const findFirstCopy = () =>
  globalThis.customElements?.get('clip-config') as Partial<typeof ClipConfig> | undefined;

/** Settings for the whole page. Attributes and `<clip-config>` win over them; null removes one. */
export function configure(settings: ClipSettings): void {
  configureHere(settings);
  findFirstCopy()?.configure?.(settings);
}

/**
 * Registers texts for a language (BCP 47, such as `nl` or `pt-BR`). They win over the kit's own.
 * Missing keys stay English.
 */
export function registerLocale(language: string, messages: Partial<Messages>): void {
  registerHere(language, messages);
  findFirstCopy()?.registerLocale?.(language, messages);
}

/** Sets what reads the settings in the page's markup, for the copy that defines the elements. */
export function readMarkup(read: () => ClipSettings): void {
  readMarkupHere(read);
  findFirstCopy()?.readMarkup?.(read);
}
