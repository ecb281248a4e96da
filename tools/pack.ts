/**
 * Packs the published packages as a registry gets them, as `clip-kit.tgz` and `clip-host.tgz`:
 * `npm run package -- FOLDER`, by default the current one. Needs a build. Their pages and manifests
 * differ from those of the repository.
 */
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findDeadLinks } from './markdown-links.ts';
import {
  rewriteManifest,
  rewritePage,
  publishedPackages,
  type PackageFolder,
  type Publication,
} from './packed-package.ts';
import { publication } from './publication.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

export interface PackedPackage {
  readonly name: string;
  readonly tarball: string;
  /** Bytes of the tarball. */
  readonly size: number;
  /** Paths of its files, sorted. */
  readonly files: readonly string[];
  /** The pages in it, by their paths. */
  readonly pages: ReadonlyMap<string, string>;
}

interface NpmPack {
  filename: string;
  size: number;
  files: { path: string }[];
}

async function runNpmPack(folder: string, ...args: string[]): Promise<NpmPack> {
  const { stdout } = await promisify(execFile)(
    'npm',
    ['pack', '--json', '--ignore-scripts', ...args],
    { cwd: folder, maxBuffer: 16 * 2 ** 20 },
  );
  const answer = JSON.parse(stdout) as NpmPack[] | Record<string, NpmPack>;
  return Object.values(answer)[0]!;
}

async function packPackage(
  { folder, readme }: PackageFolder,
  place: string,
  destination: string,
  where: Publication,
  kitFiles: ReadonlySet<string>,
): Promise<PackedPackage> {
  const listed = await runNpmPack(join(root, folder), '--dry-run');
  const sources = new Map(listed.files.map(({ path }) => [path, join(folder, path)]));
  sources.set('README.md', readme).set('LICENSE', 'LICENSE');
  const files = new Set(sources.keys());
  const pages = new Map<string, string>();
  for (const [path, source] of sources) {
    const to = join(place, path);
    await mkdir(dirname(to), { recursive: true });
    if (/^(?!dist\/).+\.md$|^llms.*\.txt$/.test(path)) {
      const text = await readFile(join(root, source), 'utf8');
      pages.set(path, rewritePage(text, { source, path }, folder, files, where, kitFiles));
      await writeFile(to, pages.get(path)!);
    } else await copyFile(join(root, source), to);
  }
  const manifest = JSON.parse(await readFile(join(place, 'package.json'), 'utf8'));
  const packed = rewriteManifest(manifest, { folder, readme }, where);
  await writeFile(join(place, 'package.json'), `${JSON.stringify(packed, null, 2)}\n`);
  const { filename, size } = await runNpmPack(place, '--pack-destination', destination);
  // Without the version: the documentation names the file.
  const tarball = join(destination, `${manifest.name}.tgz`);
  await rename(join(destination, filename), tarball);
  return {
    name: manifest.name,
    tarball,
    size,
    files: [...files].sort(),
    pages,
  };
}

/** Packs each published package into a folder, in the order in which they are published. */
export async function packPackages(
  destination: string,
  where: Publication = publication,
): Promise<PackedPackage[]> {
  const place = await mkdtemp(join(tmpdir(), 'clip-kit-package-'));
  try {
    const packed: PackedPackage[] = [];
    for (const [at, folder] of publishedPackages.entries()) {
      const kitFiles = new Set(packed[0]?.files);
      packed.push(
        await packPackage(folder, join(place, `${at}`), resolve(destination), where, kitFiles),
      );
    }
    return packed;
  } finally {
    await rm(place, { recursive: true });
  }
}

/** Lists the links of a page of a package to files or anchors that the package does not have. */
export const findDeadLinksIn = ({ files, pages }: PackedPackage, path: string): string[] =>
  findDeadLinks(path, (other) => pages.get(other) ?? (files.includes(other) ? '' : undefined));

if (import.meta.main) {
  const packed = await packPackages(process.argv[2] ?? '.');
  console.log(
    `Install them in your site: npm install ${packed.map((one) => one.tarball).join(' ')}`,
  );
}
