import { html } from 'hono/html';
import type { PageSettings } from './page-headers.ts';
import { robots } from './link-metadata.ts';
import { locales } from './locales/all.ts';
import type { Texts } from './locales/all.ts';
import { directionOf, type Language } from './locales/languages.ts';

export type Html = ReturnType<typeof html>;

/** For whom a page is written. */
export interface PageOptions {
  readonly language: Language;
  readonly settings: PageSettings;
  /** What other sites and search engines read of the head. Without it, the page is not indexed. */
  readonly head?: Html;
}

/** The texts of a page. The script finds them by their keys when it changes the language. */
export function textsOf(language: Language) {
  const texts = locales[language];
  return {
    plain: (key: keyof Texts): string => texts[key],
    /** Attributes of an element with this text. */
    text: (key: keyof Texts): Html => html`data-text="${key}"`,
    /** Attributes of a region with this name. */
    name: (key: keyof Texts): Html => html`data-label="${key}" aria-label="${texts[key]}"`,
    /** Attributes of a control with this name and tooltip. */
    label: (key: keyof Texts): Html =>
      html`data-label="${key}" aria-label="${texts[key]}" title="${texts[key]}"`,
  };
}
export type PageTexts = ReturnType<typeof textsOf>;

/** English is part of the script. */
const languageScript = (language: Language): Html | '' =>
  language === 'en' ? '' : html`<link rel="modulepreload" href="../assets/${language}.js" />`;

/** A page. `style`: custom properties that are known before any script runs. */
export function shell(
  { language, settings, head }: PageOptions,
  page: { title: string; script: 'page' | 'missing'; body: Html; style?: string },
): Html {
  const accent = settings.accent === undefined ? '' : `--accent: ${settings.accent};`;
  return html`<!doctype html>
    <html
      lang="${language}"
      dir="${directionOf(language)}"
      style="${accent}${page.style ?? ''}"
      ${settings.accent === undefined ? '' : 'data-accent'}
    >
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        ${head ?? robots(false)}
        <title>${page.title}</title>
        <link rel="icon" href="${settings.logoUrl ?? 'data:,'}" />
        <link rel="stylesheet" href="../assets/player.css" />
        <script type="module" src="../assets/${page.script}.js"></script>
        ${page.script === 'page' ? languageScript(language) : ''}
      </head>
      ${page.body}
    </html>`;
}
