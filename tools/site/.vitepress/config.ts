import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { defineConfig, type DefaultTheme } from 'vitepress';
import { developmentPages, docsPages } from '../../docs-pages.ts';

type Item = DefaultTheme.SidebarItem;

/** The text of an item is HTML. */
const page = (text: string, link: string): Item => ({ text: text.replaceAll('<', '&lt;'), link });

function titleOf(path: string): string {
  const text = readFileSync(new URL(`../../../docs/${path}.md`, import.meta.url), 'utf8');
  return (/^# (.+)$/m.exec(text)?.[1] ?? path).replaceAll('`', '');
}

const pageOf = (path: string): Item => page(titleOf(path), `/${path}`);

/** In the section of hosts, without what all of their titles begin with. */
const hostOf = (path: string): Item =>
  page(titleOf(path).replace(/^The (host in|plugin for) /, ''), `/${path}`);

/** The decisions, by their numbers. */
const decisions = readdirSync(new URL('../../../docs/decisions/', import.meta.url))
  .filter((file) => file.endsWith('.md'))
  .sort()
  .map((file) => pageOf(`decisions/${file.slice(0, -3)}`));

const sidebar: Item[] = [
  ...Object.entries(docsPages).map(([text, paths]) => ({
    text,
    items: paths.map(text === 'The host in' ? hostOf : pageOf),
  })),
  {
    text: 'Development',
    collapsed: true,
    items: [
      ...developmentPages.map(pageOf),
      { text: 'Decisions', collapsed: true, items: decisions },
    ],
  },
];

export default defineConfig({
  title: 'clip-kit',
  description: 'Short video clips in front of the users of any site.',
  lang: 'en',
  base: '/docs/',
  srcDir: '../../docs',
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
