/** The documentation for assistants: `llms.txt` lists pages, and `llms-full.txt` has them all. */
export interface Page {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
}

/** The pages for those who use the kit, in the order of their importance. */
export const kitPages: Readonly<Record<string, readonly string[]>> = {
  Elements: [
    'elements/clip-preview',
    'elements/clip-embed',
    'elements/clip-export-button',
    'elements/clip-list',
    'elements/clip-config',
    'elements/plain-markup',
    'elements/media',
    'elements/theming',
    'elements/placeholder',
    'elements/languages',
    'elements/errors',
  ],
  'The host: the backend of a page': ['host', 'host-stores', 'host-check', 'client'],
  'The service': ['service', 'player', 'webhooks'],
};

const titleOf = ({ text }: Page): string => /^# (.+)$/m.exec(text)![1]!.replaceAll('`', '');

/** The first sentence after the title. */
function summaryOf({ text }: Page): string {
  const paragraph = /^# .+\n\n([^\n#|`<](?:.|\n(?!\n))*)/.exec(text)?.[1] ?? '';
  const plain = paragraph.replaceAll('\n', ' ').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return /^.*?[.:](?=\s|$)/.exec(plain)?.[0].replace(/:$/, '.') ?? plain;
}

/** `llms.txt`: https://llmstxt.org */
export function llmsIndex(summary: string, pages: ReadonlyMap<string, Page>): string {
  const sections = Object.entries(kitPages).map(
    ([title, names]) =>
      `## ${title}\n\n${names
        .map((name) => pages.get(name)!)
        .map((page) => {
          const about = summaryOf(page);
          return `- [${titleOf(page)}](${page.path})${about && `: ${about}`}`;
        })
        .join('\n')}`,
  );
  return [
    '# clip-kit',
    `> ${summary}`,
    'All of these pages are in llms-full.txt, which is beside this file in the npm package.',
    ...sections,
  ]
    .join('\n\n')
    .concat('\n');
}

/** `llms-full.txt`. */
export function llmsFull(summary: string, pages: ReadonlyMap<string, Page>): string {
  const all = Object.values(kitPages).flatMap((names) => names.map((name) => pages.get(name)!));
  const texts = all.map(
    ({ path, text }) =>
      `<!-- ${path} -->\n\n${text.replaceAll(/^<!-- (Generated|End).*-->\n\n?/gm, '').trim()}`,
  );
  return `# clip-kit\n\n> ${summary}\n\n${texts.join('\n\n')}\n`;
}
