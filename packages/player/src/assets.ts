import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { languages } from './locales/languages.ts';

/** The content coding of a file, as HTTP names it. */
type Encoding = 'br' | 'gzip' | 'identity';

interface Asset {
  bytes: Uint8Array<ArrayBuffer>;
  type: string;
  encoding: Encoding;
  etag: string;
}

/** Written by `npm run build:player`: the style sheet, the scripts, their languages, and libass. */
const built = new URL('../dist/', import.meta.url);

const builtNames = [
  ...['player.css', 'page.js', 'missing.js', 'heat-line.js', 'preview-stream.js'],
  ...['editor.js', 'live.js', 'drawing.js', 'text-worker.js'],
  ...['jassub-worker.js', 'jassub-worker.wasm', 'jassub-licence.txt'],
  ...languages
    .filter((language) => language !== 'en')
    .flatMap((language) => [`${language}.js`, `editor-${language}.js`]),
];

const files: ReadonlyMap<string, URL> = new Map(
  builtNames.map((name) => [name, new URL(name, built)] as const),
);

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
};

/** The highest quality would take 16 seconds for libass, and save an eighth. */
const brotliQuality = 9;

const packed: Readonly<Record<Encoding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality },
    }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
  identity: (bytes) => Promise.resolve(bytes),
};

async function read(path: URL, encoding: Encoding): Promise<Asset> {
  const bytes = new Uint8Array(await packed[encoding](await readFile(path)));
  return {
    bytes,
    type: types[extname(path.pathname)]!,
    encoding,
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
  };
}

/** The first that the browser accepts; `q=0` refuses one. */
const chooseEncoding = (accepted: string): Encoding =>
  (['br', 'gzip'] as const).find((name) =>
    new RegExp(`\\b${name}\\b(?!;q=0(?:\\.0*)?(?:,|$))`).test(accepted),
  ) ?? 'identity';

const cache = new Map<string, Promise<Asset>>();

/**
 * One of the pages' files; null for any other name.
 * @param accepted the encodings that the browser accepts, as in its `Accept-Encoding`
 */
export async function readAsset(name: string, accepted: string): Promise<Asset | null> {
  const path = files.get(name);
  if (!path) return null;
  const encoding = chooseEncoding(accepted);
  const key = `${name} ${encoding}`;
  const known = cache.get(key);
  if (known) return known;
  const fresh = read(path, encoding);
  cache.set(key, fresh);
  fresh.catch(() => cache.delete(key));
  return fresh;
}
