/** Fails on words that are never right here, in texts and in the parts of identifiers. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Each pattern with what to write instead. Identifiers are split into their words before. */
const rules: readonly (readonly [pattern: string, instead: string])[] = [
  ['films?(?! grain)', '“proxy” for the copy that the editor plays, else “video” or “source”'],
  // `align-items: stretch` is CSS.
  ['(?<!: )stretch(?:es|ed)?', '“segment” or “span”'],
  ['unseen', '“not analysed”, or “hidden” for an element'],
  ['seen edits?', '“framed edit”'],
  ['front doors?', '“HTTP server”'],
  ['setbacks?', '“provider failure”'],
  ['arrivals', '“incoming files”, “uploads” or “parts”'],
  ['whoever', '“the caller”, “another user”, or a relative clause'],
  ['by (?:itself|themselves)', '“automatically”, “alone”'],
  [
    '(?:for|after|in|of|by|about|most|least|[({]) so (?:long|many|much)(?! as)',
    'the number’s name',
  ],
  ['(?:are|is) so (?:long|many|much) at most', 'the limit’s name'],
  ['is no \\w+ of', '“is not a … of”'],
  ['not any ?more', '“no longer”'],
  // `'code' in error` is JavaScript.
  ['(?<![\'"`)] )in error', '“failed”'],
  ['(?:give|gives|gave|given|giving) back', '“release”, “return”, “restore”'],
];

const patterns = rules.map(([pattern, instead]) => ({
  pattern: new RegExp(`(?<![a-z])${pattern.replaceAll(' ', '\\s+')}(?![a-z])`, 'gi'),
  instead,
}));

/** Generated, applied once, in another language, or the words of somebody else. */
const excluded =
  /^(?:CHANGELOG\.md|llms-full\.txt|custom-elements\.json|package-lock\.json|docs\/decisions\/|src\/locales\/[a-z-]+\.json|(?:test\/)?tools\/check-words|packages\/engine\/src\/\w+\/[\w-]+\.json)/;
const isText = /\.(?:[cm]?[jt]sx?|css|html|md|json|ya?ml|php|py|swift|kt|env|conf|sh)$/;

/** The wrong words of a file: `path:line: word: write …`. The file's name is line 0. */
export function wrongWords(path: string, text: string): string[] {
  const words = `${path}\n${text}`
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/\/\*\*/g, '(')
    .replace(/[_*-]|\/(?=[/*])|(?<=\/)\//g, ' ');
  return patterns.flatMap(({ pattern, instead }) =>
    [...words.matchAll(pattern)].map(({ 0: word, index }) => {
      const line = words.slice(0, index).split('\n').length - 1;
      return `${path}:${line}: “${word.replace(/\s+/g, ' ')}”: write ${instead}`;
    }),
  );
}

if (import.meta.main) {
  const paths = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).trim().split('\n');
  const checked = paths.filter(
    (path) => isText.test(path) && !excluded.test(path) && existsSync(path),
  );
  const found = checked.flatMap((path) => wrongWords(path, readFileSync(path, 'utf8')));
  if (found.length > 0) {
    console.error(found.join('\n'));
    process.exitCode = 1;
  }
}
