import { cpSync, readdirSync, readFileSync } from 'node:fs';
import MagicString from 'magic-string';
import { minify } from 'terser';
import { defineConfig, type Plugin } from 'vite';
import { bundleLibraries } from './tools/bundled-library.ts';
import { publication } from './tools/publication.ts';
import { shortenCss } from './tools/short-css.ts';
import { shortenHtml } from './tools/short-html.ts';
import { loadStyleSheets } from './tools/style-sheets.ts';

const entriesIn = (directory: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(`src/${directory}`)
      .filter((file) => file.startsWith('clip-'))
      .map((file) => [`${directory}/${file.replace(/\.ts$/, '')}`, `src/${directory}/${file}`]),
  );

/** Every published JavaScript entry of the kit: path below `dist/` without `.js`, to its source. */
const entries: Record<string, string> = {
  index: 'src/index.ts',
  'elements/index': 'src/elements/index.ts',
  'client/index': 'src/client/index.ts',
  'contract/index': 'src/contract/index.ts',
  'upgrade/index': 'src/upgrade/index.ts',
  'react/index': 'src/react/index.ts',
  ...entriesIn('define'),
  ...entriesIn('react/client'),
};

const dependency = /^(?:(?:zod|lit)(?:\/|$)|react$|node:)/;

interface TemplateText {
  readonly start: number;
  readonly end: number;
  readonly value: { readonly raw: string };
}

interface TaggedTemplate {
  readonly type: 'TaggedTemplateExpression';
  readonly tag: { readonly name?: string };
  readonly quasi: { readonly quasis: readonly TemplateText[] };
}

function taggedTemplates(node: unknown): TaggedTemplate[] {
  if (typeof node !== 'object' || node === null) return [];
  const inner = Object.values(node).flatMap(taggedTemplates);
  return (node as TaggedTemplate).type === 'TaggedTemplateExpression'
    ? [node as TaggedTemplate, ...inner]
    : inner;
}

/** Makes the `html` templates short. */
const shortTemplates = (): Plugin => ({
  name: 'short-templates',
  enforce: 'post',
  apply: 'build',
  transform(code, id) {
    if (!id.includes('/src/elements/') || !/\bhtml`/.test(code)) return null;
    const result = new MagicString(code);
    for (const { tag, quasi } of taggedTemplates(this.parse(code))) {
      if (tag.name !== 'html') continue;
      const texts = shortenHtml(quasi.quasis.map(({ value }) => value.raw));
      for (const [at, { start, end }] of quasi.quasis.entries()) {
        if (start < end) result.update(start, end, texts[at]!);
      }
    }
    return { code: `${result}`, map: result.generateMap({ hires: 'boundary' }) };
  },
});

/** Writes the style sheet for pages whose script has not run yet. */
const placeholderCss = (): Plugin => ({
  name: 'placeholder-css',
  generateBundle() {
    const source = shortenCss(readFileSync('src/elements/placeholder.css', 'utf8'));
    this.emitFile({ type: 'asset', fileName: 'placeholder.css', source });
  },
});

/** Its exports must come by the modules with 'use client', which a bundle would leave out. */
const clientIndex = (): Plugin => ({
  name: 'client-index',
  generateBundle() {
    const source = readFileSync('src/react/client/index.ts', 'utf8').replaceAll(".ts'", ".js'");
    this.emitFile({ type: 'asset', fileName: 'react/client/index.js', source });
  },
});

/**
 * Imports at once, in the single file, the modules that the kit loads later: they are in that file
 * anyway, and running each of them later takes code of its own.
 */
const partsInside = (): Plugin => ({
  name: 'parts-inside',
  transform(code, id) {
    if (!id.includes('/src/') || id.endsWith('/loaders.ts')) return null;
    const result = new MagicString(code);
    for (const [at, { 0: call, 1: path, index }] of [
      ...code.matchAll(/\bimport\((['"][^'"]+['"])\)/g),
    ].entries()) {
      result.prepend(`import * as part${at} from ${path};`);
      result.update(index, index + call.length, `Promise.resolve(part${at})`);
    }
    return { code: `${result}`, map: result.generateMap({ hires: 'boundary' }) };
  },
});

/** Minifies the single file again: terser finds 2 % more than the bundler's own minifier. */
const minifyAgain = (): Plugin => ({
  name: 'minify-again',
  async generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      const map = file.type === 'chunk' && bundle[file.sourcemapFileName!];
      if (!map || map.type !== 'asset') continue;
      const { code, map: source } = await minify(file.code, {
        module: true,
        ecma: 2020,
        compress: { passes: 3 },
        sourceMap: {
          content: `${map.source}`,
          includeSources: true,
          filename: file.fileName,
          url: map.fileName,
        },
      });
      Object.assign(file, { code });
      Object.assign(map, { source });
    }
  },
});

const locale = /^([a-z]{2,3}(?:-[a-z]+)?)\.json$/i;

/**
 * Leaves the locales other than English out of the single file: they are loaded from `locales/`
 * beside it.
 */
const localesBeside = (): Plugin => ({
  name: 'locales-beside',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('/src/locales/loaders.ts')) return null;
    return code.replace(
      /import\('\.\/([\w-]+)\.json', \{ with: \{ type: 'json' \} \}\)/g,
      "import('./locales/$1.js')",
    );
  },
  resolveId: (source) => (source.startsWith('./locales/') ? { id: source, external: true } : null),
  closeBundle() {
    // Built before, with the modules.
    for (const file of readdirSync('src/locales')) {
      const name = locale.exec(file)?.[1];
      if (name) cpSync(`dist/locales/${name}.js`, `dist/cdn/locales/${name}.js`);
    }
  },
});

/** The builds of a single file, by their mode: `vite build --mode cdn-clip-kit`. */
const singleFiles: Readonly<Record<string, string>> = {
  'cdn-clip-kit': 'clip-kit',
  'cdn-clip-studio': 'clip-studio',
};

export default defineConfig(({ mode }) => {
  const singleFile = singleFiles[mode];
  // Vite's own modes are for the modules.
  if (!singleFile && !['production', 'development'].includes(mode)) {
    const modes = Object.keys(singleFiles).join(', ');
    throw new Error(`No build has the mode "${mode}". Use ${modes}, or none for the modules.`);
  }
  const define = { DOCS_HOMEPAGE: JSON.stringify(publication.homepage) };
  return singleFile
    ? {
        define,
        publicDir: false,
        json: { namedExports: false },
        plugins: [
          loadStyleSheets(),
          shortTemplates(),
          partsInside(),
          localesBeside(),
          minifyAgain(),
        ],
        build: {
          target: 'es2022',
          outDir: 'dist/cdn',
          emptyOutDir: false,
          sourcemap: true,
          license: { fileName: `${singleFile}.licenses.md` },
          lib: {
            entry: `src/cdn/${singleFile}.ts`,
            formats: ['es'],
            fileName: () => `${singleFile}.js`,
          },
          rolldownOptions: {
            output: { minify: true, codeSplitting: false, comments: { annotation: false } },
          },
        },
      }
    : {
        define,
        publicDir: false,
        json: { namedExports: false },
        plugins: [
          bundleLibraries(),
          loadStyleSheets(),
          shortTemplates(),
          placeholderCss(),
          clientIndex(),
        ],
        build: {
          target: 'es2022',
          outDir: 'dist',
          emptyOutDir: false,
          sourcemap: true,
          minify: false,
          lib: { entry: entries, formats: ['es'] },
          rolldownOptions: {
            external: dependency,
            // 'use client', which stays at the head of each module.
            onwarn: (warning, warn) => {
              if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
            },
            output: {
              preserveModules: true,
              preserveModulesRoot: 'src',
              entryFileNames: '[name].js',
            },
          },
        },
      };
});
