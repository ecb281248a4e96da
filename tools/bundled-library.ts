import { build } from 'esbuild';

/** The sources that bring a library, of uploads or of ZIP files. */
const source = /\/src\/(client\/tus-library|elements\/clip-list\/zip-files)\.ts$/;

const notice = '/*! Licences of what is in it: dist/cdn/clip-studio.licenses.md of clip-kit */';

/** A source with its library as one module: sites install nothing, and some is in CommonJS. */
async function bundleModule(path: string): Promise<string> {
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

/** For Vite: loads each library into the module that brings it. */
export const bundleLibraries = () => ({
  name: 'bundled-library',
  enforce: 'pre' as const,
  async load(id: string) {
    return source.test(id) ? { code: await bundleModule(id), map: null } : null;
  },
});

const served = '/bundled/tus-library.js';

/** For the server of the element tests. */
export const serveLibrary = (path: string) => ({
  name: 'served-library',
  resolveImport: ({ source: imported }: { source: string }) =>
    imported === './tus-library.ts' ? served : undefined,
  async serve(context: { path: string }) {
    return context.path === served ? { body: await bundleModule(path), type: 'js' } : undefined;
  },
});
