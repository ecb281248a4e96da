import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { answerFrame } from './fake-frames.ts';
import { PageHosts } from './page-hosts.ts';
import { serve } from 'clip-testkit/serve';

export const frameworks = ['react', 'vue'] as const;
export type Framework = (typeof frameworks)[number];

const directory = new URL('../e2e/frameworks/', import.meta.url);

/**
 * The browser's side of the applications, in development mode, because frameworks warn only there.
 */
async function bundle(): Promise<Map<string, string>> {
  const built = await build({
    root: fileURLToPath(directory),
    configFile: false,
    logLevel: 'silent',
    mode: 'development',
    define: {
      'process.env.NODE_ENV': '"development"',
      __VUE_OPTIONS_API__: 'true',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'true',
    },
    build: {
      write: false,
      minify: false,
      target: 'es2022',
      modulePreload: false,
      rolldownOptions: {
        input: fileURLToPath(new URL('client.js', directory)),
        output: { entryFileNames: 'client.js' },
      },
    },
  });
  if (!('output' in built)) throw new Error('One bundle was expected.');
  return new Map(
    built.output.flatMap((one) => (one.type === 'chunk' ? [[`/${one.fileName}`, one.code]] : [])),
  );
}

export interface FrameworkPages {
  /**
   * `define`: whether the elements are defined before or after the framework has drawn or hydrated
   * them.
   */
  url(
    framework: Framework,
    drawn: 'server' | 'browser',
    define: 'first' | 'last',
    world: string,
    more?: Readonly<Record<string, string>>,
  ): string;
  /** The host endpoint of a world. */
  endpoint(world: string): string;
  close(): Promise<void>;
}

export async function startFrameworkPages(): Promise<FrameworkPages> {
  const files = await bundle();
  const host = new PageHosts();
  const served = await serve(async (request, response) => {
    if (answerFrame(request, response) || (await host.answer(request, response))) return;
    const url = new URL(request.url ?? '/', 'http://pages');
    const code = files.get(url.pathname);
    if (code !== undefined) {
      response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(code);
      return;
    }
    const { framework, drawn, define: _define, ...props } = Object.fromEntries(url.searchParams);
    if (!frameworks.includes(framework as Framework)) {
      response.writeHead(404).end();
      return;
    }
    const { render } = await import(new URL(`${framework}-server.js`, directory).href);
    const markup = drawn === 'server' ? await render(props) : '';
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end(
      `<!doctype html><html lang="en"><title>${framework}</title><link rel="icon" href="data:,"><body><div id="root">${markup}</div><script type="module" src="/client.js"></script></body></html>`,
    );
  });
  const { origin, port } = served;
  const endpoint = (world: string) => `${origin}/host/${world}`;
  return {
    endpoint,
    url: (framework, drawn, define, world, more = {}) =>
      `${origin}/?${new URLSearchParams({
        framework,
        drawn,
        define,
        endpoint: endpoint(world),
        frames: `http://localhost:${port}/frames`,
        ...more,
      })}`,
    async close() {
      await served.close();
      await host.close();
    },
  };
}
