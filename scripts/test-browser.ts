/**
 * The element tests, then the real player pages and the editor, in an engine other than Chromium:
 * `node scripts/test-browser.ts firefox|webkit [file...]`. With files, only these element tests;
 * with `--differences`, only those of what browsers do differently, and the pages. WebKit gets its
 * own display and driver for this run. Prints `N passed, M failed` at the end.
 */
import { countedRun, runSuite, runTests } from './counted-run.ts';
import { engineDifferences } from './engine-differences.ts';
import { startWebKit } from './webkit.ts';

const engine = process.argv[2] ?? '';
if (engine !== 'firefox' && engine !== 'webkit') {
  console.error('usage: node scripts/test-browser.ts firefox|webkit');
  process.exit(1);
}

const pageSuites = ['one-click', 'editor/other-engines'].map(
  (name) => `service/test/pages/${name}.suite.ts`,
);

await countedRun(async (signal) => {
  // Not through npm, because npm would not pass signals to the runner.
  const runner = 'node_modules/@web/test-runner/dist/bin.js';
  const named = process.argv.slice(3);
  const differences = named[0] === '--differences';
  const chosen = differences
    ? Object.keys(engineDifferences).map((name) => `test/elements/${name}.test.ts`)
    : named;
  const files = chosen.flatMap((file) => ['--files', file]);
  const run = async (more: Record<string, string>) => {
    const env = { ...more, TEST_BROWSER: engine };
    const elements = await runTests({ runner: 'elements', args: [runner, ...files], env, signal });
    if (named.length && !differences) return elements;
    const pages = await runSuite(pageSuites, env, signal);
    return {
      passed: elements.passed + pages.passed,
      failed: elements.failed + pages.failed,
    };
  };
  if (engine === 'firefox') return run({});
  await using webkit = await startWebKit(signal);
  return await run({ WEBDRIVER_URL: webkit.url });
});
