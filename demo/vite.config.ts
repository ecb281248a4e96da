import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const resolvePage = (path: string): string =>
  fileURLToPath(new URL(`pages/${path}`, import.meta.url));

export default defineConfig({
  root: resolvePage(''),
  base: '/',
  publicDir: resolvePage('public'),
  build: {
    target: 'es2022',
    outDir: fileURLToPath(new URL('dist', import.meta.url)),
    emptyOutDir: true,
    // Inline data: scripts and styles would be refused by the site's policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: [
        'index.html',
        '404.html',
        'elements/clip-config/index.html',
        'elements/clip-embed/index.html',
        'elements/clip-export-button/index.html',
        'elements/clip-feed/index.html',
        'elements/clip-list/index.html',
        'elements/clip-preview/index.html',
        'elements/playground/index.html',
        'elements/your-look/index.html',
      ].map(resolvePage),
    },
  },
});
