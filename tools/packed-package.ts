/** Rewrites the manifest and the pages of the repository for a published package. */
import { posix } from 'node:path';
import { isRelative, replaceLinks } from './markdown-links.ts';
import type { publication } from './publication.ts';

export type Publication = typeof publication;

/** A folder of the repository that is published as a package. */
export interface PackageFolder {
  /** From the root of the repository; the root itself is `.`. */
  readonly folder: string;
  /** The README of the package, from the root of the repository. */
  readonly readme: string;
}

/** The published packages, in the order in which they are published. */
export const publishedPackages: readonly PackageFolder[] = [
  { folder: '.', readme: 'src/README.md' },
  { folder: 'packages/host', readme: 'packages/host/README.md' },
];

type Entry = string | { readonly [condition: string]: string };

const resolveBuiltTypes = (path: string): string =>
  path.replace(/^\.\/src\/(.*)\.ts$/, './dist/$1.d.ts');

/** Returns an entry of `exports` that leads to what is built, where it leads to a source. */
function resolveBuiltEntry(entry: Entry): Entry {
  if (typeof entry !== 'string') return { ...entry, types: resolveBuiltTypes(entry['types']!) };
  const types = resolveBuiltTypes(entry);
  return types === entry ? entry : { types, default: types.replace(/\.d\.ts$/, '.js') };
}

/**
 * Returns the manifest without what only a checkout uses, with the built files in place of the
 * sources, and with the addresses of the project.
 */
export function rewriteManifest(
  manifest: Readonly<Record<string, unknown>> & {
    readonly exports: Readonly<Record<string, Entry>>;
  },
  { folder }: PackageFolder,
  { homepage, repository }: Publication,
): Record<string, unknown> {
  const { scripts, workspaces, devDependencies, overrides, ...rest } = manifest;
  const packed: Record<string, unknown> = rest;
  const entries = Object.entries(manifest.exports);
  packed['exports'] = Object.fromEntries(
    entries.map(([path, to]) => [path, resolveBuiltEntry(to)]),
  );
  if (homepage !== null) packed['homepage'] = homepage;
  if (repository !== null) {
    const directory = folder === '.' ? {} : { directory: folder };
    packed['repository'] = { type: 'git', url: `git+${repository}.git`, ...directory };
  }
  return packed;
}

/** Returns the address of a file of the repository; null if the owner has not set where it is. */
function resolveAddress(path: string, isImage: boolean, publication: Publication): string | null {
  const page = /^docs\/(.+)\.md$/.exec(path)?.[1];
  if (page !== undefined) {
    const { homepage } = publication;
    return homepage && `${homepage}${page.replace(/(^|\/)index$/, '$1')}`;
  }
  const { repository } = publication;
  return repository && `${repository}/${isImage ? 'raw' : 'blob'}/HEAD/${path}`;
}

/**
 * Returns a page with links that work in the package. Links to other files lead to the published
 * documentation and repository. Until these are set, they lead to the pages of `clip-kit` beside
 * the package, or become text. All links of a README do, because registries show it without the
 * files beside it.
 */
export function rewritePage(
  text: string,
  /** Where the page is, in the repository and in the package. */
  { source, path }: { readonly source: string; readonly path: string },
  folder: string,
  packedFiles: ReadonlySet<string>,
  publication: Publication,
  /** Files of `clip-kit`, which is installed beside the package. */
  kitFiles: ReadonlySet<string> = new Set(),
): string {
  return replaceLinks(text, (target, isImage) => {
    if (!isRelative(target)) return target;
    const [file, anchor] = target.split('#') as [string, string?];
    const inRepository = posix.join(posix.dirname(source), file);
    const inPackage = posix.relative(folder, inRepository);
    const address = resolveAddress(inRepository, isImage, publication);
    const stays = packedFiles.has(inPackage) && !(path === 'README.md' && address);
    const beside = kitFiles.has(inRepository) ? `../clip-kit/${inRepository}` : null;
    const other = stays ? posix.relative(posix.dirname(path), inPackage) : (address ?? beside);
    return other === null || anchor === undefined ? other : `${other}#${anchor}`;
  });
}
