import { fileURLToPath } from 'node:url';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { defaultReporter } from '@web/test-runner';
import { chromeLauncher } from '@web/test-runner-chrome';
import * as puppeteer from 'puppeteer-core';
import { serveLibrary } from './tools/bundled-library.ts';
import { serveStyleSheets } from './tools/style-sheets.ts';
import { reportTest } from './tools/test-report.ts';
import { browserPath, firefoxPath } from 'clip-testkit/browser-path';
import { answerFrame } from './test/support/fake-frames.ts';
import { lostPart } from './test/support/lost-parts.ts';
import { PageHosts } from './test/support/page-hosts.ts';
import { stallMs } from 'clip-testkit/stall-ms';
import { webdriverLauncher } from './test/support/webdriver-launcher.ts';

const hosts = new PageHosts();

const isLocale = ({ path }) => /^\/src\/locales\/[\w-]+\.json$/.test(path);

/** Serves texts as modules: the TypeScript plugin drops what an import says of their type. */
const servedLocales = () => ({
  name: 'served-locales',
  resolveMimeType: (context) => (isLocale(context) ? 'js' : undefined),
  transform: (context) => (isLocale(context) ? `export default ${context.body}` : undefined),
});

/** Reports each test to `tools/test.ts`. */
const ownReporter = () => ({
  stop({ sessions }) {
    const report = ({ testFile }, { suites, tests }) => {
      for (const { name, passed, skipped, error } of tests) {
        if (!skipped) reportTest(testFile, name, passed ? null : (error?.message ?? 'no error'));
      }
      for (const inner of suites) report({ testFile }, inner);
    };
    for (const session of sessions) {
      if (session.testResults) report(session, session.testResults);
      // A file that could not be run at all is a failure, too.
      else reportTest(session.testFile, 'the file', session.errors[0] ?? 'it could not be run');
    }
  },
});

/**
 * A page of its own context: in a shared one, a page in the background gets no animation frames.
 */
const createPage = async ({ browser }) => (await browser.createBrowserContext()).newPage();

const engines = {
  chromium: () =>
    chromeLauncher({
      launchOptions: {
        timeout: stallMs,
        executablePath: browserPath(),
        args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
      },
      createPage,
    }),
  firefox: () =>
    chromeLauncher({
      // The launcher calls a browser by its own name only when it is handed its driver.
      puppeteer,
      launchOptions: { timeout: stallMs, browser: 'firefox', executablePath: firefoxPath() },
      createPage,
      // One after the other: a page in the background is told of no intersection, and one without
      // focus of no key.
      concurrency: 1,
    }),
  // Started by `npm run test:webkit`.
  webkit: () => webdriverLauncher('WebKit', process.env.WEBDRIVER_URL),
};
const engine = engines[process.env.TEST_BROWSER || 'chromium'];
if (!engine) throw new Error(`TEST_BROWSER must be one of: ${Object.keys(engines).join(', ')}.`);

export default {
  files: ['test/elements/**/*.test.ts', 'test/define/**/*.browser.test.ts'],
  nodeResolve: true,
  concurrency: 2,
  // Pages at 127.0.0.1, frames at localhost: two origins of one server.
  hostname: '127.0.0.1',
  plugins: [
    serveLibrary(fileURLToPath(new URL('./src/client/tus-library.ts', import.meta.url))),
    serveStyleSheets(),
    servedLocales(),
    esbuildPlugin({
      ts: true,
      target: 'es2022',
      tsconfig: fileURLToPath(new URL('./tsconfig.json', import.meta.url)),
    }),
  ],
  middleware: [
    async (context, next) => {
      const part = lostPart(context.path);
      if (part) context.path = part.path;
      if (part?.lost) {
        // Straight: the server would have every answer cached.
        context.res.writeHead(503, { 'Cache-Control': 'no-store' }).end();
        context.respond = false;
        return;
      }
      if (answerFrame(context.req, context.res) || (await hosts.answer(context.req, context.res))) {
        context.respond = false;
        return;
      }
      await next();
    },
  ],
  browsers: [engine()],
  // The runner clones the result of a page. With an element in a failed comparison that throws, and
  // the page would never end.
  testRunnerHtml: (framework) => `<!doctype html><html><head></head><body>
    <script>
      Node.prototype.toJSON = function () { return this.outerHTML ?? this.nodeName; };
      const { structuredClone: clone } = window;
      window.structuredClone = (value, options) => {
        try { return clone(value, options); } catch { return JSON.parse(JSON.stringify(value)); }
      };
    </script>
    <script type="module" src="${framework}"></script>
  </body></html>`,
  reporters: [defaultReporter({ reportTestProgress: false }), ownReporter()],
  browserStartTimeout: stallMs,
  testsStartTimeout: stallMs,
  // Longer than a test’s own waits, whose errors say what they waited for.
  testFramework: { config: { timeout: 2 * stallMs } },
  // For one file, whose tests all have a timeout: only a page that has crashed gets here.
  testsFinishTimeout: 60 * 60_000,
};
