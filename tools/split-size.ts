/**
 * The size of the first load, as another bundler splits it: esbuild, with `--splitting --minify`,
 * each chunk compressed separately. The limits are those of `.size-limit.json`. `npm run size` runs
 * this after a build.
 */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';

interface Check {
  readonly name: string;
  readonly path: string;
  /** The chunk names of the static closure, for size-limit. */
  readonly entry?: readonly string[];
  /** The names that a page imports, such as `{ ClipPreview }`; all if omitted. */
  readonly import?: string;
  /** Packages that the site has anyway. */
  readonly ignore?: readonly string[];
  /** Such as `7.5 kB`. */
  readonly limit: string;
}

const root = fileURLToPath(new URL('..', import.meta.url));

/** The entry's static chunks: those that it imports, and their imports. */
async function measureStaticBytes({ path, import: names, ignore = [] }: Check): Promise<number> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    ...(names === undefined
      ? { entryPoints: [path] }
      : { stdin: { contents: `export ${names} from './${path}';`, resolveDir: root } }),
    outdir: 'out',
    format: 'esm',
    bundle: true,
    external: ['react', ...ignore],
    splitting: true,
    minify: true,
    metafile: true,
    write: false,
    logLevel: 'error',
  });
  const { outputs } = metafile;
  const entry = Object.keys(outputs).find(
    (name) => outputs[name]!.entryPoint === (names === undefined ? path : '<stdin>'),
  )!;
  const closure = new Set([entry]);
  for (const name of closure) {
    for (const { kind, path, external } of outputs[name]!.imports) {
      if (kind === 'import-statement' && !external) closure.add(path);
    }
  }
  return outputFiles
    .filter((file) => [...closure].some((name) => basename(name) === basename(file.path)))
    .reduce((sum, { contents }) => sum + brotliCompressSync(contents).length, 0);
}

const checks = (JSON.parse(await readFile(`${root}.size-limit.json`, 'utf8')) as Check[]).filter(
  ({ entry, path }) => entry && !path.includes('/cdn/'),
);
for (const check of checks) {
  const { name, limit } = check;
  const bytes = await measureStaticBytes(check);
  const fits = bytes <= parseFloat(limit) * 1000;
  console.log(`${fits ? 'ok' : 'TOO MUCH'}: ${name}, as esbuild splits it: ${bytes} B of ${limit}`);
  if (!fits) process.exitCode = 1;
}
