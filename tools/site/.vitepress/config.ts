import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { defineConfig, type DefaultTheme, type HeadConfig } from 'vitepress';
import { developmentPages, docsPages } from '../../docs-pages.ts';
import { createAnchor } from '../../markdown-links.ts';
import { publication } from '../../publication.ts';

type Item = DefaultTheme.SidebarItem;

/** Readers of a link need the whole address of its picture. */
const linkCardPicture = (homepage: string): HeadConfig => [
  'meta',
  { property: 'og:image', content: new URL('clip/sleep.jpg', homepage).href },
];

/** The text of an item is HTML. */
const linkPage = (text: string, link: string): Item => ({
  text: text.replaceAll('<', '&lt;'),
  link,
});

const root = new URL('../../../', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  version: string;
};
const { homepage, repository } = publication;
const base = homepage === null ? '/docs/' : new URL(homepage).pathname.replace(/\/?$/, '/');

const readText = (path: string): string => readFileSync(new URL(`docs/${path}`, root), 'utf8');

/** The first sentences of a page, for search engines. */
function readDescription(path: string): string {
  // Not a table, a block of code, an image, or the state of a decision.
  const paragraph =
    /^(?!#|```|\||<\w+ |Accepted|Replaced).+(\n(?!\n).+)*/m.exec(readText(path))?.[0] ?? '';
  const plain = paragraph
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/[`*_]/g, '')
    // VitePress does not escape a quotation mark, which would end the attribute.
    .replace(/"([^"]*)"/g, '“$1”')
    .replace(/\s+/g, ' ')
    .trim();
  const [first = '', ...others] = plain.split(/(?<=[.:]) (?=[A-Z<])/);
  let description = first;
  for (const sentence of others) {
    if (description.length + sentence.length > 160 || sentence.endsWith(':')) break;
    description += ` ${sentence}`;
  }
  if (description.length > 160) {
    description = `${description.slice(0, description.lastIndexOf(' ', 158))}…`;
  }
  return description.replace(/:$/, '.');
}

/** Files beside the documentation that its pages link to, copied as plain text. */
const linkedFiles = new Set<string>();

function readTitle(path: string): string {
  const text = readText(`${path}.md`);
  return (/^# (.+)$/m.exec(text)?.[1] ?? path).replaceAll('`', '');
}

const linkTitledPage = (path: string): Item => linkPage(readTitle(path), `/${path}`);

/** In the section of hosts, without what all of their titles begin with. */
const linkHost = (path: string): Item =>
  linkPage(readTitle(path).replace(/^The (host in|plugin for) /, ''), `/${path}`);

/** The decisions, by their numbers. */
const decisions = readdirSync(new URL('../../../docs/decisions/', import.meta.url))
  .filter((file) => file.endsWith('.md'))
  .sort()
  .map((file) => linkTitledPage(`decisions/${file.slice(0, -3)}`));

const sidebar: Item[] = [
  ...Object.entries(docsPages).map(([text, paths]) => ({
    text,
    items: paths.map(text === 'The host in' ? linkHost : linkTitledPage),
  })),
  {
    text: 'Development',
    collapsed: true,
    items: [
      ...developmentPages.map(linkTitledPage),
      { text: 'Decisions', collapsed: true, items: decisions },
    ],
  },
];

export default defineConfig({
  title: 'clip-kit',
  description: 'Short video clips in front of the users of any site.',
  lang: 'en',
  base,
  srcDir: '../../docs',
  outDir: 'dist',
  cacheDir: 'node_modules/.cache/vitepress',
  cleanUrls: true,
  ...(homepage !== null && { sitemap: { hostname: homepage } }),
  transformPageData: ({ filePath }) => ({ description: readDescription(filePath) }),
  buildEnd({ outDir }) {
    for (const path of linkedFiles) {
      const target = posix.join(outDir, 'files', `${path}.txt`);
      mkdirSync(posix.dirname(target), { recursive: true });
      cpSync(new URL(path, root), target);
    }
  },
  vue: {
    template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('clip-') } },
  },
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}icon.svg` }]],
  // What a link to a page shows in a message or a feed.
  transformHead: ({ title, description }) => [
    ['meta', { property: 'og:type', content: 'website' }],
    ['meta', { property: 'og:title', content: title }],
    ['meta', { property: 'og:description', content: description }],
    ...(homepage === null ? [] : [linkCardPicture(homepage)]),
  ],
  markdown: {
    // A link works here and on a code host.
    anchor: { slugify: createAnchor },
    languageAlias: { django: 'html' },
    config(md) {
      const { fence } = md.renderer.rules;
      // `html live`: readers can change it, and see what it shows.
      md.renderer.rules.fence = (...given) => {
        const [tokens, at] = given;
        const { info, content } = tokens[at]!;
        return info === 'html live'
          ? `<LiveExample code="${md.utils.escapeHtml(content)}" />\n`
          : fence!(...given);
      };
      // On a phone, the cells of a row are below each other, each with the heading of its column.
      md.core.ruler.push('name-cells', ({ tokens }) => {
        let headings: string[] = [];
        let column = 0;
        for (const [index, token] of tokens.entries()) {
          if (token.type === 'thead_open') headings = [];
          if (token.type === 'tr_open') column = 0;
          if (token.type === 'th_open') headings.push(tokens[index + 1]!.content);
          if (token.type !== 'td_open') continue;
          const heading = headings[column++];
          if (heading && column > 1 && tokens[index + 1]!.content) {
            token.attrSet('data-column', heading.replaceAll('`', ''));
          }
        }
      });
      // A link to a file beside the documentation leads to its text.
      md.core.ruler.push('as-on-a-code-host', (state) => {
        const file = (state.env as { relativePath?: string }).relativePath ?? '';
        for (const [index, token] of state.tokens.entries()) {
          const { content, children } = token;
          // The files in `public/` are at the root of the site.
          if (token.type === 'html_block') {
            token.content = content.replaceAll('href="./public/', `href="${base}`);
          }
          // A line with the name of a file, and nothing else.
          const [opening, block] = [state.tokens[index - 1], state.tokens[index + 2]];
          if (
            /^(At the end of )?`[^`\s]+`:?$/.test(content) &&
            opening?.type === 'paragraph_open' &&
            block?.type === 'fence'
          ) {
            opening.attrJoin('class', 'file-name');
          }
          for (const child of children ?? []) {
            // Templates in code are not Vue's.
            if (child.type === 'code_inline') child.attrSet('v-pre', '');
            if (child.type !== 'link_open') continue;
            const href = child.attrGet('href') ?? '';
            const path = posix.join(posix.dirname(file), href);
            if (/^([a-z]+:|#|$)/.test(href) || !path.startsWith('../')) continue;
            const inRepository = path.slice('../'.length);
            if (repository !== null) {
              child.attrSet('href', `${repository}/blob/main/${inRepository}`);
            } else {
              linkedFiles.add(inRepository);
              child.attrSet('href', `${base}files/${inRepository}.txt`);
              child.attrSet('target', '_self');
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
    ...(repository !== null && { editLink: { pattern: `${repository}/edit/main/docs/:path` } }),
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Elements', link: '/elements/clip-preview' },
      { text: 'Host', link: '/host' },
      { text: 'Service', link: '/service' },
      { text: `v${version}`, link: '/versioning' },
    ],
  },
});
