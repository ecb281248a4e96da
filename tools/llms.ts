import { posix } from 'node:path';
import { packedPages } from './docs-pages.ts';
import { isRelative, replaceLinks } from './markdown-links.ts';

/**
 * The documentation for assistants: `llms.txt` lists the pages of the package, and `llms-full.txt`
 * has them all.
 */
export interface Page {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
}

const readTitle = ({ text }: Page): string => /^# (.+)$/m.exec(text)![1]!.replaceAll('`', '');

/** The first sentence after the title. */
function readSummary({ text }: Page): string {
  const paragraph = /^# .+\n\n([^\n#|`<](?:.|\n(?!\n))*)/.exec(text)?.[1] ?? '';
  const plain = paragraph.replaceAll('\n', ' ').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return /^.*?[.:](?=\s|$)/.exec(plain)?.[0].replace(/:$/, '.') ?? plain;
}

/** `llms.txt`: https://llmstxt.org */
export function writeLlmsIndex(summary: string, pages: ReadonlyMap<string, Page>): string {
  const sections = Object.entries(packedPages).map(
    ([title, names]) =>
      `## ${title}\n\n${names
        .map((name) => pages.get(name)!)
        .map((page) => {
          const about = readSummary(page);
          return `- [${readTitle(page)}](${page.path})${about && `: ${about}`}`;
        })
        .join('\n')}`,
  );
  return [
    '# clip-kit',
    `> ${summary}`,
    'The pages are in the npm package, and all of them in llms-full.txt beside this file.',
    ...sections,
  ]
    .join('\n\n')
    .concat('\n');
}

/** The text with links from the root, because all pages are in one file. */
const withRootLinks = ({ path, text }: Page): string =>
  replaceLinks(text, (target) =>
    isRelative(target) ? posix.join(posix.dirname(path), target) : target,
  );

/** `llms-full.txt`. */
export function writeLlmsFull(summary: string, pages: ReadonlyMap<string, Page>): string {
  const all = Object.values(packedPages).flatMap((names) => names.map((name) => pages.get(name)!));
  const texts = all.map(
    (page) =>
      `<!-- ${page.path} -->\n\n${withRootLinks(page)
        .replaceAll(/^<!-- (Generated|End).*-->\n\n?/gm, '')
        .trim()}`,
  );
  return `# clip-kit\n\n> ${summary}\n\n${texts.join('\n\n')}\n`;
}
