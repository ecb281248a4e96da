import type { Messages } from '../locales/messages.ts';
import { registerLocale as registerHere } from '../locales/registry.ts';
import type { ClipConfig } from './clip-config.ts';
import { configure as configureHere, type ClipSettings } from './settings.ts';

/*
 * Where several copies of the kit are on a page (a script tag of the site's, a bundle of an application's), the elements are
 * those of the copy that came first. What is said to another copy is handed on to it, by way of its `<clip-config>`.
 */
const first = () =>
  globalThis.customElements?.get('clip-config') as Partial<typeof ClipConfig> | undefined;

/** Settings for the whole page. An element's own attribute and a `<clip-config>` around it win. Null takes one back. */
export const configure = (settings: ClipSettings): void => {
  configureHere(settings);
  first()?.configure?.(settings);
};

/**
 * Registers texts for a language (BCP 47, such as `nl` or `pt-BR`); keys that are left out stay English. Texts registered
 * by the page win over the kit's own.
 */
export const registerLocale = (language: string, messages: Partial<Messages>): void => {
  registerHere(language, messages);
  first()?.registerLocale?.(language, messages);
};
