import { globSync } from 'node:fs';
import { basename } from 'node:path';

/** Where an entry of `exports` is: a file, or its types and its module. */
export type Target = string | { readonly types: string; readonly default?: string };

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
      const { types, default: module } = target;
      return [
        path.replace('*', name),
        {
          types: types.replace('*', name),
          ...(module !== undefined && { default: module.replace('*', name) }),
        },
      ];
    });
  });
