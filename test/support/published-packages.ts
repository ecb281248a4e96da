/** The packages as they are published: the manifests lead to what is built, not to the sources. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  rewriteManifest,
  publishedPackages,
  type PackageFolder,
} from '../../tools/packed-package.ts';
import { publication } from '../../tools/publication.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Returns the manifest of a package as it is published. */
export function readPublished(of: PackageFolder): Record<string, unknown> & { name: string } {
  const manifest = JSON.parse(readFileSync(join(root, of.folder, 'package.json'), 'utf8'));
  return { name: manifest.name, ...rewriteManifest(manifest, of, publication) };
}

/** Makes the published packages, and all others of the repository, importable in a directory. */
export function linkPublished(directory: string): void {
  const packages = join(directory, 'node_modules');
  mkdirSync(packages);
  const published = publishedPackages.map((one) => ({ ...one, manifest: readPublished(one) }));
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (published.some(({ manifest }) => manifest.name === name)) continue;
    symlinkSync(join(root, 'node_modules', name), join(packages, name));
  }
  for (const { folder, manifest } of published) {
    const place = join(packages, manifest.name);
    mkdirSync(place);
    for (const name of readdirSync(join(root, folder))) {
      if (name !== 'dist' && !name.endsWith('.json')) continue;
      if (name !== 'package.json') symlinkSync(join(root, folder, name), join(place, name));
    }
    writeFileSync(join(place, 'package.json'), JSON.stringify(manifest));
  }
}
