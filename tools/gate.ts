/**
 * What `.ci/run` takes of the test commands beside `npm test`, as long as the time allows: of each
 * the file whose turn it is by the commit, then those that import, or run, what has changed.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suites, type Suite } from './suites.ts';

/** Two suites run side by side, so this is twice the time on the clock. */
const budgetSeconds = 500;

/** A file that nobody has measured yet. */
const usualSeconds = 20;

interface Measured {
  /** Seconds of a `suite`'s own work before its files, and of each `suite file`. */
  readonly [name: string]: number | undefined;
}

export interface Candidate {
  readonly suite: string;
  readonly file: string;
  readonly seconds: number;
  /** Whether the change may have broken it. */
  readonly touched: boolean;
}

const imported = /\b(?:from|import|import\(|new URL\()\s*'([^']+)'/g;

const packages: readonly (readonly [RegExp, string])[] = [
  [/^clip-kit$/, 'src/index.ts'],
  [/^clip-kit\/define\/(.*)\.js$/, 'src/define/$1.ts'],
  [/^clip-host$/, 'packages/host/src/index.ts'],
  [/^clip-host\/(node|next)$/, 'packages/host/src/adapters/$1.ts'],
  [/^clip-kit\/([a-z]+)$/, 'src/$1/index.ts'],
  [/^clip-engine$/, 'packages/engine/src/index.ts'],
  [/^clip-engine\/drawing$/, 'packages/engine/src/drawing.ts'],
  [/^clip-player$/, 'packages/player/src/index.ts'],
];

function targetOf(from: string, name: string): string | null {
  if (name.startsWith('.')) return join(dirname(from), name);
  const [pattern, path] = packages.find(([known]) => known.test(name)) ?? [];
  return pattern ? name.replace(pattern, path!) : null;
}

/** The files that a file needs, itself among them. `read`: a file's text, null if there is none. */
export function reachOf(file: string, read: (path: string) => string | null): Set<string> {
  const reach = new Set<string>();
  const open = [file];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (reach.has(path)) continue;
    const text = read(path);
    if (text === null) continue;
    reach.add(path);
    for (const [, name = ''] of text.matchAll(imported)) {
      const target = targetOf(path, name);
      if (target !== null) open.push(target);
    }
  }
  return reach;
}

/**
 * The files to run while the seconds last: of each suite the one whose turn it is, then one touched
 * file of each suite after the other. Suites that the change may have broken come first, and of
 * those too the one whose turn it is. `before`: seconds of a suite's own work before its files.
 * `turn`: any whole number, not negative.
 */
export function chooseFiles(
  candidates: readonly Candidate[],
  turn: number,
  budget: number,
  before: (suite: string) => number = () => 0,
): Candidate[] {
  const inTurn = <Item>(items: readonly Item[]): Item[] => {
    const first = turn % items.length;
    return [...items.slice(first), ...items.slice(0, first)];
  };
  const touchedFirst = <Item>(items: readonly Item[], isTouched: (one: Item) => boolean): Item[] =>
    items.toSorted((one, other) => Number(isTouched(other)) - Number(isTouched(one)));
  const all = [...Map.groupBy(candidates, ({ suite }) => suite).values()];
  const ordered = touchedFirst(
    inTurn(all).map((files) => touchedFirst(inTurn(files), ({ touched }) => touched)),
    ([first]) => first!.touched,
  );
  const chosen: Candidate[] = [];
  const begun = new Set<string>();
  let left = budget;
  const longest = Math.max(...ordered.map((files) => files.length));
  for (let at = 0; at < longest; at++) {
    for (const files of ordered) {
      const next = files[at];
      if (!next || (at > 0 && !next.touched)) continue;
      const seconds = next.seconds + (begun.has(next.suite) ? 0 : before(next.suite));
      if (seconds > left) continue;
      chosen.push(next);
      begun.add(next.suite);
      left -= seconds;
    }
  }
  return chosen;
}

const git = (...args: string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim();

/** The files changed since the last release, or 30 commits back; null if that cannot be told. */
function changedFiles(): string[] | null {
  try {
    const releases = git('tag', '--list', 'v*', '--sort=-v:refname', '--merged');
    return git('diff', '--name-only', releases.split('\n')[0] || 'HEAD~30', 'HEAD').split('\n');
  } catch {
    return null;
  }
}

/** The files that `.ci/run` runs, by suite. `changed` as {@link changedFiles}. */
export function gateFiles(changed = changedFiles()): ReadonlyMap<string, readonly string[]> {
  const texts = new Map<string, string | null>();
  const read = (path: string): string | null => {
    // A file may name a directory too.
    const isFile = () => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
    if (!texts.has(path)) texts.set(path, isFile() ? readFileSync(path, 'utf8') : null);
    return texts.get(path)!;
  };
  const measured = JSON.parse(readFileSync('tools/suite-seconds.json', 'utf8')) as Measured;
  const all = !changed || changed.some((path) => /^(package|package-lock)\.json$/.test(path));
  const isTouched = (file: string, { runs }: Suite): boolean => {
    if (all || changed.some((path) => runs.some((start) => path.startsWith(start)))) return true;
    const reach = reachOf(file, read);
    return changed.some((path) => reach.has(path));
  };
  const candidates = Object.entries(suites).flatMap(([name, suite]) =>
    suite.files.map((file) => ({
      suite: name,
      file,
      seconds: measured[`${name} ${file}`] ?? usualSeconds,
      touched: isTouched(file, suite),
    })),
  );
  const turn = parseInt(git('rev-parse', 'HEAD').slice(0, 8), 16);
  const chosen = chooseFiles(candidates, turn, budgetSeconds, (name) => measured[name] ?? 0);
  return new Map(
    [...Map.groupBy(chosen, ({ suite }) => suite)].map(([name, files]) => [
      name,
      files.map(({ file }) => file),
    ]),
  );
}
