import { build } from 'esbuild';

/** The source that stands for the library of uploads. */
const source = /\/src\/client\/tus-library\.ts$/;

const notice =
  '/*! tus-js-client and what it needs. Licences: dist/cdn/clip-studio.licenses.md of clip-kit */';

/** The library as one module: sites install nothing, and some of it is in CommonJS. */
async function bundle(path: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    banner: { js: notice },
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0]!.text;
}

/** For Vite: loads the library into the module that stands for it. */
export const bundledLibrary = () => ({
  name: 'bundled-library',
  enforce: 'pre' as const,
  async load(id: string) {
    return source.test(id) ? { code: await bundle(id), map: null } : null;
  },
});

const served = '/bundled/tus-library.js';

/** For the server of the element tests. */
export const servedLibrary = (path: string) => ({
  name: 'served-library',
  resolveImport: ({ source: imported }: { source: string }) =>
    imported === './tus-library.ts' ? served : undefined,
  async serve(context: { path: string }) {
    return context.path === served ? { body: await bundle(path), type: 'js' } : undefined;
  },
});
