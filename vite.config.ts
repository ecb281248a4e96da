import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { defineConfig, type Plugin } from 'vite';
import { shortCss } from './scripts/short-css.ts';

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
  'host/index': 'src/host/index.ts',
  'host/adapters/node': 'src/host/adapters/node.ts',
  'host/adapters/next': 'src/host/adapters/next.ts',
  'contract/index': 'src/contract/index.ts',
  'host-check/cli': 'src/host-check/cli.ts',
  'upgrade/index': 'src/upgrade/index.ts',
  'react/index': 'src/react/index.ts',
  ...entriesIn('define'),
  ...entriesIn('react/client'),
};

const dependency = /^(?:zod(?:\/|$)|react$|node:)/;

interface TaggedTemplate {
  readonly type: 'TaggedTemplateExpression';
  readonly start: number;
  readonly end: number;
  readonly tag: { readonly name?: string };
  readonly quasi: { readonly quasis: readonly { readonly value: { readonly raw: string } }[] };
}

function taggedTemplates(node: unknown): TaggedTemplate[] {
  if (typeof node !== 'object' || node === null) return [];
  const inner = Object.values(node).flatMap(taggedTemplates);
  return (node as TaggedTemplate).type === 'TaggedTemplateExpression'
    ? [node as TaggedTemplate, ...inner]
    : inner;
}

/** Makes plain, short texts of `css` templates. */
const shortTemplates = (): Plugin => ({
  name: 'short-templates',
  enforce: 'post',
  apply: 'build',
  transform(code, id) {
    if (!/\/src\/elements\/[^/]+$/.test(id) || !code.includes('css`')) return null;
    const found = taggedTemplates(this.parse(code)).filter(({ tag }) => tag.name === 'css');
    let short = code;
    for (const { start, end, quasi } of found.toSorted((a, b) => b.start - a.start)) {
      const text = shortCss(quasi.quasis.map(({ value }) => value.raw).join(''));
      // Every other line keeps its number, for the source map.
      const lines = code.slice(start, end).split('\n').length;
      short =
        short.slice(0, start) + JSON.stringify(text) + '\n'.repeat(lines - 1) + short.slice(end);
    }
    return { code: short, map: null };
  },
});

/** Writes the style sheet for pages whose script has not run yet. */
const placeholderCss = (): Plugin => ({
  name: 'placeholder-css',
  generateBundle() {
    const source = shortCss(readFileSync('src/elements/placeholder.css', 'utf8'));
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

const locale = /^\.\/([a-z]{2,3}(?:-[a-z]+)?)\.ts$/i;

/**
 * Leaves the locales other than English out of the single file: they are loaded from `locales/`
 * beside it.
 */
const localesBeside = (): Plugin => ({
  name: 'locales-beside',
  enforce: 'pre',
  resolveId(source, importer) {
    const name = importer?.endsWith('/src/locales/loaders.ts') && locale.exec(source)?.[1];
    return name ? { id: `./locales/${name}.js`, external: true } : null;
  },
  closeBundle() {
    // Built before, with the modules.
    for (const file of readdirSync('src/locales')) {
      const name = locale.exec(`./${file}`)?.[1];
      if (name) cpSync(`dist/locales/${name}.js`, `dist/cdn/locales/${name}.js`);
    }
  },
});

export default defineConfig(({ mode }) =>
  mode === 'cdn'
    ? {
        publicDir: false,
        plugins: [shortTemplates(), localesBeside()],
        build: {
          target: 'es2022',
          outDir: 'dist/cdn',
          emptyOutDir: true,
          sourcemap: true,
          lib: { entry: 'src/cdn.ts', formats: ['es'], fileName: () => 'clip-kit.js' },
          rolldownOptions: { output: { minify: true, codeSplitting: false } },
        },
      }
    : {
        publicDir: false,
        plugins: [shortTemplates(), placeholderCss(), clientIndex()],
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
      },
);
