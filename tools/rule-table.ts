import type { Need, Rule } from '../packages/host/src/check/rules.ts';

const needs: Readonly<Record<Need, string>> = {
  clip: '`--project` or an export',
  cookie: '`--cookie`',
  export: 'an export',
  folder: '`--folder`',
  moving: 'an export that is processing',
  other: '`--other-cookie`',
  project: '`--project`',
  ready: 'an export that is ready',
  start: '`--start`',
};

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** The table of the rules in Markdown. */
export const ruleTable = (rules: readonly Rule[]): string =>
  [
    '| rule | what must hold | needs |',
    '|---|---|---|',
    ...rules.map(({ id, title, optional, needs: wanted }) => {
      const asked = wanted.map((one) => needs[one]).join(', ');
      return `| \`${id}\` | ${cell(title)}${optional ? ' (optional)' : ''} | ${asked} |`;
    }),
  ].join('\n');

const start = '<!-- Generated from the rules by `npm run docs`: -->';
const end = '<!-- End of what is generated. -->';

/** Replaces the table between the markers of a page. Throws if the markers are missing. */
export function withRuleTable(page: string, rules: readonly Rule[]): string {
  const from = page.indexOf(start);
  const to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`The page needs the lines "${start}" and "${end}".`);
  return `${page.slice(0, from)}${start}\n\n${ruleTable(rules)}\n\n${page.slice(to)}`;
}
