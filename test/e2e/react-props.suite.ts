import { fileURLToPath } from 'node:url';
import { it } from 'node:test';
import { build } from 'vite';
import { launchBrowser, openPage } from 'clip-testkit/browser';
import { checkProps } from '../support/react-props.ts';
import { serve } from 'clip-testkit/serve';

/** The page of the React site, drawn in the browser with the project's own React. */
async function bundle(): Promise<string> {
  const file = fileURLToPath(new URL('../sites/react-19/app/src/props.tsx', import.meta.url));
  const entry = '\0entry';
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"development"' },
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' ? entry : null),
        load: (id) =>
          id === entry
            ? `import { createElement } from 'react';
               import { createRoot } from 'react-dom/client';
               import { Props } from ${JSON.stringify(file)};
               createRoot(document.body).render(createElement(Props));`
            : null,
      },
    ],
    build: {
      write: false,
      minify: false,
      modulePreload: false,
      rolldownOptions: { input: 'entry', output: { codeSplitting: false } },
    },
  });
  if (!('output' in built)) throw new Error('One bundle was expected.');
  const [chunk] = built.output;
  return chunk.code;
}

it('React 19: every prop is set, changed and removed', async () => {
  const code = await bundle();
  const { origin, close } = await serve(({ url }, response) => {
    const isScript = url === '/page.js';
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
    response.end(
      isScript
        ? code
        : '<!doctype html><html lang="en"><title>React</title><link rel="icon" href="data:,"><body><script type="module" src="/page.js"></script></body></html>',
    );
  });
  const browser = await launchBrowser();
  try {
    const { page } = await openPage(browser);
    await page.goto(origin);
    await checkProps(page);
  } finally {
    await browser.close();
    await close();
  }
});
