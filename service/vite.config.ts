import { defineConfig } from 'vite';

/** The script of the player page and the embed page. Loads its languages when they are needed. */
export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  build: {
    target: 'es2022',
    outDir: 'dist/pages',
    emptyOutDir: true,
    modulePreload: false,
    lib: { entry: 'src/pages/browser/page.ts', formats: ['es'], fileName: () => 'page.js' },
    rolldownOptions: { output: { minify: true, chunkFileNames: '[name].js' } },
  },
});
