/** The matrix of the sites as a table of Markdown. */
import type { SiteResult } from './run-site.ts';

const columns = [
  'stack',
  'types',
  'build',
  'server rendering',
  'hydration',
  'walk',
  'bytes added',
] as const;

const outside = ['install', 'types', 'build', 'server rendering'];

export function matrix(results: readonly SiteResult[]): string {
  // What has only tests of its own is no site.
  const sites = results.filter(({ steps }) => !steps.some(({ step }) => step === 'tests'));
  const rows = sites.map(({ title, steps, rendered, added, without }) => {
    const cell = (name: string): string => {
      const found = steps.find(({ step }) => step === name);
      if (!found) return '–';
      return found.error ? '**failed**' : 'yes';
    };
    const failed = steps.find(({ step, error }) => error && !outside.includes(step));
    const walked = steps.filter(({ step }) => !outside.includes(step)).length;
    const left = Object.keys(without);
    const passed = walked ? `yes${left.length ? ` (without ${left.join(', ')})` : ''}` : '–';
    return [
      title,
      cell('types'),
      cell('build'),
      cell('server rendering'),
      rendered === 'hydrated' ? cell('preview') : '–',
      failed ? `**failed: ${failed.step}**` : passed,
      added === null ? '–' : `${(added / 1000).toFixed(1)} kB`,
    ];
  });
  return [columns, columns.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

const start = '<!-- Written by `npm run test:sites`: -->';
const end = '<!-- End of what is written. -->';

/** Replaces the table between the markers of a page. */
export function withMatrix(page: string, table: string): string {
  const from = page.indexOf(start);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`The page has no "${start}" and "${end}".`);
  return `${page.slice(0, from)}${start}\n\n${table}\n\n${page.slice(to)}`;
}
