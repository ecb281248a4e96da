import { html, raw } from 'hono/html';
import { makeLook } from './appearance.ts';
import type { PageLook, PageSettings } from './page-headers.ts';
import { makeRobotsRule } from './link-metadata.ts';
import { locales } from './locales/all.ts';
import type { Texts } from './locales/all.ts';
import { getDirection, type Language } from './locales/languages.ts';

export type Html = ReturnType<typeof html>;

/** For whom a page is written. */
export interface PageOptions {
  readonly language: Language;
  readonly settings: PageSettings;
  /** The look of the clip's organization; if omitted, the default one. */
  readonly look?: PageLook | undefined;
  /**
   * The part of the head that other sites and search engines read. Without it, the page is not
   * indexed.
   */
  readonly head?: Html;
}

/** The texts of a page. The script finds them by their keys when it changes the language. */
export function getTexts(language: Language) {
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
export type PageTexts = ReturnType<typeof getTexts>;

/** English is part of the script. */
const makeLanguageScript = (language: Language): Html | '' =>
  language === 'en' ? '' : html`<link rel="modulepreload" href="../assets/${language}.js" />`;

/** Names and ids were checked when they were stored: nothing in them ends a string. */
const makeFontFaces = ({ fonts }: PageLook): Html =>
  html`<style>
    ${raw(
      fonts
        .map(
          ({ id, family, weight }) =>
            `@font-face{font-family:"${family}";font-weight:${weight === 'bold' ? 700 : 400};font-display:swap;src:url("../assets/fonts/${id}")}`,
        )
        .join('\n'),
    )}
  </style>`;

/** A page. `style`: custom properties that are known before any script runs. */
export function makePage(
  { language, settings, look, head }: PageOptions,
  page: { title: string; script: 'page' | 'missing' | null; body: Html; style?: string },
): Html {
  const accent = settings.accent === undefined ? '' : `--accent: ${settings.accent};`;
  const own = look ? [...makeLook(look.appearance).properties] : [];
  const ownLook = own.map(([name, value]) => `${name}: ${value};`).join('');
  return html`<!doctype html>
    <html
      lang="${language}"
      dir="${getDirection(language)}"
      style="${accent}${ownLook}${page.style ?? ''}"
      ${settings.accent === undefined ? '' : 'data-accent'}
      ${look ? html`data-appearance="${JSON.stringify(look.appearance)}"` : ''}
    >
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        ${head ?? makeRobotsRule(false)}
        <title>${page.title}</title>
        <link rel="icon" href="${settings.logoUrl ?? 'data:,'}" />
        <link rel="stylesheet" href="../assets/player.css" />
        ${look ? makeFontFaces(look) : ''}
        ${page.script && html`<script type="module" src="../assets/${page.script}.js"></script>`}
        ${page.script === 'page' ? makeLanguageScript(language) : ''}
      </head>
      ${page.body}
    </html>`;
}
