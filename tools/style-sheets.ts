/**
 * Turns the `.css` files beside the elements into modules: `import styles from './clip-list.css'`
 * is Lit's `css` of that file, in builds, in the elements' tests and in Node.
 */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { shortenCss } from './short-css.ts';

const ofModule = /\.css$/;

function writeStyleModule(text: string): string {
  const literal = shortenCss(text).replace(/[\\`]|\$\{/g, '\\$&');
  return `import { css } from 'lit';\nexport default css\`${literal}\`;\n`;
}

/** For builds. An id that ends with `.css` would be Vite's own to handle. */
export const loadStyleSheets = (): Plugin => ({
  name: 'style-sheets',
  enforce: 'pre',
  resolveId: (source, importer) =>
    ofModule.test(source) && importer ? `${resolve(dirname(importer), source)}.js` : null,
  async load(id) {
    if (!id.endsWith('.css.js')) return null;
    const path = id.slice(0, -'.js'.length);
    this.addWatchFile(path);
    return writeStyleModule(await readFile(path, 'utf8'));
  },
});

/** For the server of the elements' tests: a page may also have a file as its style sheet. */
export const serveStyleSheets = () => ({
  name: 'served-style-sheets',
  async serve(request: { readonly path: string; get(header: string): string }) {
    if (!ofModule.test(request.path) || request.get('Sec-Fetch-Dest') !== 'script')
      return undefined;
    const body = writeStyleModule(await readFile(`.${request.path}`, 'utf8'));
    return { body, type: 'js' };
  },
});

/** For modules that Node imports after this call. */
export function importStyleSheets(): void {
  registerHooks({
    load(url, context, nextLoad) {
      if (!ofModule.test(url)) return nextLoad(url, context);
      const source = writeStyleModule(readFileSync(fileURLToPath(url), 'utf8'));
      return { format: 'module', source, shortCircuit: true };
    },
  });
}
