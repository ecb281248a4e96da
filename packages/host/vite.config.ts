import { defineConfig } from 'vite';

/** The published JavaScript of the host: path below `dist/` without `.js`, to its source. */
const entry = {
  index: 'src/index.ts',
  'adapters/node': 'src/adapters/node.ts',
  'adapters/next': 'src/adapters/next.ts',
  'stores/d1-store': 'src/stores/d1-store.ts',
  'program/main': 'src/program/main.ts',
};

export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: false,
    sourcemap: true,
    minify: false,
    lib: { entry, formats: ['es'] },
    rolldownOptions: {
      external: /^(?:node:|[^./])/,
      output: { preserveModules: true, preserveModulesRoot: 'src', entryFileNames: '[name].js' },
    },
  },
});
