/**
 * The element tests, then the real player pages and the editor, in an engine other than Chromium:
 * `node tools/test-browser.ts firefox|webkit [file...]`. With files, only these; with
 * `--differences`, those of what browsers do differently, and the pages. WebKit gets its
 * own display and driver for this run. Prints `N passed, M failed` at the end.
 */
import { countedRun, runSuite, runTests } from './counted-run.ts';
import { suites } from './suites.ts';
import { startWebKit } from './webkit.ts';

const engine = process.argv[2] ?? '';
if (engine !== 'firefox' && engine !== 'webkit') {
  console.error('usage: node tools/test-browser.ts firefox|webkit');
  process.exit(1);
}

const { files: differences } = suites[engine]!;
const args = process.argv.slice(3);
const names = args[0] === '--differences' ? differences : args;
const elements = names.filter((file) => !file.endsWith('.suite.ts'));
const pages = (names.length ? names : differences).filter((file) => file.endsWith('.suite.ts'));

// Not through npm, because npm would not pass signals to the runner.
const runner = [process.execPath, 'node_modules/@web/test-runner/dist/bin.js'];
const none = { passed: 0, failed: 0 };

await countedRun(
  async (signal) => {
    const run = async (more: Record<string, string>) => {
      const env = { ...more, TEST_BROWSER: engine };
      const command = [...runner, ...elements.flatMap((file) => ['--files', file])];
      const isRun = elements.length > 0 || !names.length;
      const first = isRun ? await runTests({ runner: 'elements', command, env, signal }) : none;
      const second = pages.length ? await runSuite(pages, env, signal) : none;
      return { passed: first.passed + second.passed, failed: first.failed + second.failed };
    };
    if (engine === 'firefox') return run({});
    await using webkit = await startWebKit(signal);
    return await run({ WEBDRIVER_URL: webkit.url });
  },
  [engine],
);
