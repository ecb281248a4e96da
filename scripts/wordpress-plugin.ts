import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { ZipEntry } from './zip.ts';

const folder = 'clip-kit';

/** What is put together: a directory, and its place in the plugin. */
const parts = [
  { from: 'integrations/wordpress', to: '', only: /\.(php|js|json|css|txt)$/ },
  { from: 'integrations/php', to: 'lib', only: /^(autoload\.php|src\/.*\.php)$/ },
  { from: 'dist/cdn', to: 'script', only: /\.js$/ },
] as const;

/** The files of the plugin, with the PHP library and the built script. */
export async function wordpressPlugin(root: string): Promise<ZipEntry[]> {
  const entries: ZipEntry[] = [
    { path: `${folder}/LICENSE`, content: await readFile(join(root, 'LICENSE')) },
  ];
  for (const { from, to, only } of parts) {
    const directory = join(root, from);
    const found = await readdir(directory, { recursive: true, withFileTypes: true });
    for (const entry of found.filter((one) => one.isFile())) {
      const file = join(entry.parentPath, entry.name);
      const path = relative(directory, file).split(sep).join('/');
      if (only.test(path)) {
        entries.push({
          path: [folder, to, path].filter(Boolean).join('/'),
          content: await readFile(file),
        });
      }
    }
  }
  entries.sort((a, b) => (a.path < b.path ? -1 : 1));
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  for (const [name, line] of [
    ['clip-kit.php', ` * Version:           ${version}\n`],
    ['readme.txt', `Stable tag: ${version}\n`],
  ] as const) {
    const { content } = entries.find(({ path }) => path === `${folder}/${name}`)!;
    if (!Buffer.from(content).includes(line))
      throw new Error(`${name} has no line "${line.trim()}".`);
  }
  return entries;
}
