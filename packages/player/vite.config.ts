import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { defineConfig, type Plugin } from 'vite';
import { shortenCss } from '../../tools/short-css.ts';
import { loadStyleSheets } from '../../tools/style-sheets.ts';

const require = createRequire(import.meta.url);

/** libass, as JASSUB compiles it: its licence wants it to stay a file that can be replaced. */
const libass = 'jassub/dist/wasm/jassub-worker';

async function libassLicence(): Promise<string> {
  const text = (path: string) => readFile(require.resolve(`jassub/${path}`), 'utf8');
  const { version, license, repository } = JSON.parse(await text('package.json')) as {
    version: string;
    license: string;
    repository: { url: string };
  };
  return `jassub-worker.js and jassub-worker.wasm are JASSUB ${version}, unchanged, with libass and its libraries.\nLicences: ${license}\nSource: ${repository.url}\n\n${await text('LICENSE')}`;
}

/** Puts libass beside the scripts as it is, with its licence. */
const separateLibass: Plugin = {
  name: 'separate-libass',
  enforce: 'pre',
  resolveId: (source) =>
    source === `${libass}.js` ? { id: './jassub-worker.js', external: true } : null,
  async generateBundle() {
    for (const ending of ['js', 'wasm']) {
      const source = await readFile(require.resolve(`${libass}.${ending}`));
      this.emitFile({ type: 'asset', fileName: `jassub-worker.${ending}`, source });
    }
    const licence = await libassLicence();
    this.emitFile({ type: 'asset', fileName: 'jassub-licence.txt', source: licence });
  },
};

/** Writes the style sheet of the pages, in the order in which later parts override earlier ones. */
const pageStyles: Plugin = {
  name: 'page-styles',
  async generateBundle() {
    const parts = ['page', 'stage', 'controls', 'dialogs', 'notices', 'about', 'share'].map(
      (name) => readFile(new URL(`src/page/${name}.css`, import.meta.url), 'utf8'),
    );
    const source = shortenCss((await Promise.all(parts)).join('\n'));
    this.emitFile({ type: 'asset', fileName: 'player.css', source });
  },
};

/** The scripts of the player page and the embed page, which load what they need later. */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  plugins: [separateLibass, pageStyles, loadStyleSheets()],
  json: { namedExports: false },
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    license: { fileName: 'licenses.md' },
    modulePreload: false,
    lib: {
      entry: {
        page: 'src/page/page.ts',
        missing: 'src/page/missing.ts',
        live: 'src/editor/live.ts',
        'text-worker': 'src/editor/text-worker.ts',
      },
      formats: ['es'],
      fileName: (_, name) => `${name}.js`,
    },
    // What the editor shares with the page stays in the page's script: one file to load.
    rolldownOptions: {
      preserveEntrySignatures: 'allow-extension',
      output: { minify: true, chunkFileNames: '[name].js' },
    },
  },
});
