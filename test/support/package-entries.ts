import { globSync } from 'node:fs';
import { basename } from 'node:path';

/** Where an entry of `exports` is: a file, or its types and its modules. */
export type Target =
  string | { readonly types: string; readonly 'react-server'?: string; readonly default?: string };

/** The entries of a package: one with a pattern stands for each file that fits. */
export const entriesOf = (
  directory: string,
  exports: Readonly<Record<string, Target>>,
): [path: string, target: Target][] =>
  Object.entries(exports).flatMap(([path, target]) => {
    if (typeof target === 'string' || !path.includes('*')) return [[path, target]];
    const [, ending = ''] = target.types.split('*');
    return globSync(target.types, { cwd: directory }).map((file): [string, Target] => {
      const name = basename(file, ending);
      const here = Object.entries(target).map(([key, where]) => [key, where.replace('*', name)]);
      return [path.replace('*', name), Object.fromEntries(here) as Target];
    });
  });
