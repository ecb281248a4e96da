import { readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zipSync } from 'fflate';

const folder = 'clip-kit';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * The plugin as a zip archive, with the script in a directory, by default the one that was built
 * here.
 */
export async function buildWordpressPlugin(script = join(root, 'dist/cdn')): Promise<Uint8Array> {
  const files: Record<string, Uint8Array> = {
    [`${folder}/LICENSE`]: await readFile(join(root, 'LICENSE')),
    [`${folder}/placeholder.css`]: await readFile(join(root, 'src/elements/placeholder.css')),
  };
  const sources = { from: 'integrations/wordpress', to: '', only: /\.(php|js|json|css|txt)$/ };
  for (const { from, to, only } of [sources, { from: script, to: 'script', only: /\.(js|md)$/ }]) {
    const directory = resolve(root, from);
    const found = await readdir(directory, { recursive: true, withFileTypes: true });
    for (const entry of found.filter((one) => one.isFile())) {
      const file = join(entry.parentPath, entry.name);
      const path = relative(directory, file).split(sep).join('/');
      if (only.test(path))
        files[[folder, to, path].filter(Boolean).join('/')] = await readFile(file);
    }
  }
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  for (const [name, line] of [
    ['clip-kit.php', ` * Version:           ${version}\n`],
    ['readme.txt', `Stable tag: ${version}\n`],
  ] as const) {
    if (!Buffer.from(files[`${folder}/${name}`]!).includes(line)) {
      throw new Error(`${name} has no line "${line.trim()}".`);
    }
  }
  // Always the same time: the same files make the same archive.
  return zipSync(Object.fromEntries(Object.entries(files).sort()), {
    level: 9,
    mtime: '1980-01-01',
  });
}
