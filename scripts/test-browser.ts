/**
 * The element tests in another engine than Chromium: `node scripts/test-browser.ts firefox|webkit [file...]`. WebKit gets a
 * display and a driver of its own for the time of the run. Closes with `N passed, M failed`.
 */
import { countedRun, runTests } from './counted-run.ts';
import { startWebKit } from './webkit.ts';

const engine = process.argv[2] ?? '';
if (engine !== 'firefox' && engine !== 'webkit') {
  console.error('usage: node scripts/test-browser.ts firefox|webkit');
  process.exit(1);
}

await countedRun(async (signal) => {
  // Not by npm, which would stand between a signal and the runner.
  const runner = 'node_modules/@web/test-runner/dist/bin.js';
  const files = process.argv.slice(3).flatMap((file) => ['--files', file]);
  const run = (env: Record<string, string>) =>
    runTests({
      runner: 'elements',
      args: [runner, ...files],
      env: { ...env, TEST_BROWSER: engine },
      signal,
    });
  if (engine === 'firefox') return run({});
  await using webkit = await startWebKit(signal);
  return await run({ WEBDRIVER_URL: webkit.url });
});
