import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { defineConfig, type DefaultTheme } from 'vitepress';

type Item = DefaultTheme.SidebarItem;

/** The text of an item is HTML. */
const page = (text: string, link: string): Item => ({ text: text.replaceAll('<', '&lt;'), link });

const elements = ['preview', 'embed', 'export-button', 'list', 'config'].map((name) =>
  page(`<clip-${name}>`, `/elements/clip-${name}`),
);

/** In the order of their use. */
const stacks =
  'html react next vue nuxt svelte angular solid preact lit qwik astro cms eleventy hugo alpine turbo htmx import-map strict-csp'.split(
    ' ',
  );
const hosts = 'express next javascript php wordpress django flask fastapi python'.split(' ');

function titleOf(path: string): string {
  const text = readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8');
  return (/^# (.+)$/m.exec(text)?.[1] ?? path).replaceAll('`', '');
}

/** Without what the titles of all pages of hosts begin with. */
const shortTitle = (path: string): string =>
  titleOf(path).replace(/^The (host in|plugin for) /, '');

/** The decisions, by their titles. */
const decisions = readdirSync(new URL('../../docs/decisions/', import.meta.url))
  .filter((file) => file.endsWith('.md'))
  .sort()
  .map((file) => page(titleOf(`decisions/${file}`), `/decisions/${file.slice(0, -3)}`));

const sidebar: Item[] = [
  {
    text: 'Start',
    items: [
      page('Start in one minute', '/start'),
      page('Words', '/words'),
      page('Sites of every kind', '/sites'),
    ],
  },
  {
    text: 'Your stack',
    items: stacks.map((name) => page(titleOf(`start/${name}.md`), `/start/${name}`)),
  },
  { text: 'Elements', items: elements },
  {
    text: 'About the elements',
    items: [
      page('React components', '/react'),
      page('Types, Angular', '/types'),
      page('Without their tags', '/elements/plain-markup'),
      page('Errors', '/elements/errors'),
      page('The player’s interface', '/elements/media'),
      page('Theming', '/elements/theming'),
      page('Placeholders', '/elements/placeholder'),
      page('Languages', '/elements/languages'),
      page('Editors and assistants', '/editors'),
      page('Tests of your site', '/testing'),
    ],
  },
  {
    text: 'The host',
    items: [
      page('The backend of a page', '/host'),
      page('Options', '/host-options'),
      page('Who may export', '/host-policies'),
      page('What it answers', '/host-answers'),
      page('A start is paid for', '/host-by-hand'),
      page('Security', '/host-security'),
      page('Stores', '/host-stores'),
      page('Checking a host', '/host-check'),
      page('Typed clients', '/client'),
    ],
  },
  {
    text: 'The host in',
    items: hosts.map((name) => page(shortTitle(`hosts/${name}.md`), `/hosts/${name}`)),
  },
  {
    text: 'The service',
    items: [
      page('Run it', '/service'),
      page('Operate it', '/operate'),
      page('Its player', '/player'),
      page('Webhooks', '/webhooks'),
      page('How far it goes', '/scale'),
    ],
  },
  {
    text: 'The engine',
    items: [
      page('How it works', '/engine'),
      page('Command line', '/engine-cli'),
      page('Style presets', '/presets'),
    ],
  },
  {
    text: 'Development',
    collapsed: true,
    items: [
      page('Developing', '/develop'),
      page('Architecture', '/architecture'),
      page('Figures', '/bench'),
      { text: 'Decisions', collapsed: true, items: decisions },
    ],
  },
];

export default defineConfig({
  title: 'clip-kit',
  description: 'Short video clips in front of the users of any site.',
  lang: 'en',
  base: '/docs/',
  srcDir: '../docs',
  outDir: 'dist',
  cacheDir: 'node_modules/.cache/vitepress',
  cleanUrls: true,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  markdown: {
    languageAlias: { django: 'html' },
    config(md) {
      // Files beside the documentation are not on the site: of a link to one, its text is.
      md.core.ruler.push('as-on-a-code-host', (state) => {
        const file = (state.env as { relativePath?: string }).relativePath ?? '';
        for (const [index, { content, children }] of state.tokens.entries()) {
          // A line with the name of a file, and nothing else.
          const [opening, block] = [state.tokens[index - 1], state.tokens[index + 2]];
          if (
            /^(At the end of )?`[^`\s]+`:?$/.test(content) &&
            opening?.type === 'paragraph_open' &&
            block?.type === 'fence'
          ) {
            opening.attrJoin('class', 'file-name');
          }
          let outside = false;
          for (const token of children ?? []) {
            // Templates in code are not Vue's.
            if (token.type === 'code_inline') token.attrSet('v-pre', '');
            const href = token.attrGet('href');
            if (token.type === 'link_open') {
              outside =
                !!href &&
                !/^([a-z]+:|#)/.test(href) &&
                posix.join(posix.dirname(file), href).startsWith('../');
            }
            if (outside && token.type.startsWith('link_')) {
              token.tag = 'span';
              token.attrs = null;
              if (token.type === 'link_close') outside = false;
            }
          }
        }
      });
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    sidebar,
    outline: 'deep',
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Elements', link: '/elements/clip-preview' },
      { text: 'Host', link: '/host' },
      { text: 'Service', link: '/service' },
    ],
  },
});
