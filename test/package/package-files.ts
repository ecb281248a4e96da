import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { publishedPackages } from '../../tools/packed-package.ts';
import { entriesOf, type Target } from '../support/package-entries.ts';
import { readPublished } from '../support/published-packages.ts';

export const root = fileURLToPath(new URL('../../', import.meta.url));

interface PackageJson {
  name: string;
  version: string;
  type: string;
  main: string;
  types: string;
  files: string[];
  customElements: string;
  dependencies: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional: boolean }>;
  optionalDependencies?: Record<string, string>;
  exports: Record<string, Target>;
  sideEffects: string[];
}

export const packageJson = readPublished(publishedPackages[0]!) as unknown as PackageJson;

/** Every entry of the package, by the path in `exports`. */
export const entries = new Map(entriesOf(root, packageJson.exports));

/** Every file below `dist`, as a path from the package's root. */
export const built = readdirSync(`${root}dist`, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.length));

/** The modules that a file imports, statically, dynamically or for their types. */
export function importsOf(file: string): string[] {
  // Without comments, because an example in a comment may import anything.
  const source = readFileSync(root + file, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  const pattern = /(?:\bfrom\s*|\bimport\s*\(?\s*)(["'`])([^"'`\s]+)\1/g;
  return [...source.matchAll(pattern)].map(([, , specifier = '']) => specifier);
}
