/**
 * The element tests in another engine than Chromium: `node scripts/test-browser.ts firefox|webkit [file...]`. WebKit gets a
 * display and a driver of its own for the time of the run. Closes with `N passed, M failed`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { countTests } from './test-count.ts';
import { startWebKit } from './webkit.ts';

const engine = process.argv[2] ?? '';
if (engine !== 'firefox' && engine !== 'webkit') {
  console.error('usage: node scripts/test-browser.ts firefox|webkit');
  process.exit(1);
}

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());

const runTests = async (env: NodeJS.ProcessEnv) => {
  // Not by npm, which would stand between a signal and the runner.
  const files = process.argv.slice(3).flatMap((file) => ['--files', file]);
  const runner = 'node_modules/@web/test-runner/dist/bin.js';
  const child = spawn(process.execPath, [runner, ...files], {
    env: { ...process.env, ...env, TEST_BROWSER: engine },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const end = (): unknown => child.kill('SIGINT');
  stopping.signal.addEventListener('abort', end);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    process.stdout.write(text);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return countTests('elements', code ?? 1, output);
};

let count = { passed: 0, failed: 1 };
try {
  if (engine === 'webkit') {
    await using webkit = await startWebKit(stopping.signal);
    count = await runTests({ WEBDRIVER_URL: webkit.url });
  } else {
    count = await runTests({});
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
}
console.log(`\n${count.passed} passed, ${count.failed} failed`);
process.exitCode = count.failed ? 1 : 0;
