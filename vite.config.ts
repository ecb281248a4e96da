import { readdirSync } from 'node:fs';
import { defineConfig } from 'vite';

/** Every published JavaScript entry of the kit: path below `dist/` without `.js`, to its source. */
const entries: Record<string, string> = {
  index: 'src/index.ts',
  'elements/index': 'src/elements/index.ts',
  'client/index': 'src/client/index.ts',
  'host/index': 'src/host/index.ts',
  'contract/index': 'src/contract/index.ts',
  ...Object.fromEntries(
    readdirSync('src/define').map((file) => [
      `define/${file.replace(/\.ts$/, '')}`,
      `src/define/${file}`,
    ]),
  ),
};

const dependency = /^(lit|zod)(\/|$)/;

export default defineConfig(({ mode }) =>
  mode === 'cdn'
    ? {
        publicDir: false,
        build: {
          target: 'es2022',
          outDir: 'dist/cdn',
          emptyOutDir: true,
          lib: { entry: 'src/index.ts', formats: ['es'], fileName: () => 'clip-kit.js' },
          rolldownOptions: { output: { minify: true, codeSplitting: false } },
        },
      }
    : {
        publicDir: false,
        build: {
          target: 'es2022',
          outDir: 'dist',
          emptyOutDir: false,
          minify: false,
          lib: { entry: entries, formats: ['es'] },
          rolldownOptions: {
            external: dependency,
            output: {
              preserveModules: true,
              preserveModulesRoot: 'src',
              entryFileNames: '[name].js',
            },
          },
        },
      },
);
