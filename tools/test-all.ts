/**
 * Runs all test commands, after the setup: `npm test` first, then two of the others at a time; with
 * `--part` what `.ci/run` runs of them. If all pass, notes how long each took, for `--part`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { browserPath } from '../test/support/browser-path.mjs';
import { gateFiles } from './gate.ts';
import { runSteps, type Step } from './run-steps.ts';
import { suites } from './suites.ts';

const step = (name: string, script: readonly string[], files: readonly string[] = []): Step => ({
  name,
  // Without the setup of its npm script, which would build the kit again under the others.
  command: [process.execPath, ...script, ...files],
  runner: 'command',
});

// Here npm test runs the full Chromium too.
process.env['CHROME_PATH'] = browserPath();

const chosen = process.argv.includes('--part') ? gateFiles() : null;
// The whole half hour is for those who run everything.
if (chosen) process.env['SOAK_MINUTES'] ??= '2';
for (const [name, files] of chosen ?? []) console.log(`${name}: ${files.join(' ')}`);

const { results, files } = await runSteps(
  [
    // It keeps both processors busy, and builds the kit, which the others use.
    [step('test', ['tools/test.ts'])],
    [
      ...Object.entries(suites)
        .filter(([name]) => !chosen || chosen.has(name))
        .map(([name, { script = [`tools/test-${name}.ts`] }]) =>
          step(name, script, chosen?.get(name)),
        ),
      step('check', ['tools/test.ts', 'lint', 'types']),
    ],
  ],
  2,
);

if (!process.exitCode) {
  const noted = 'tools/suite-seconds.json';
  const seconds = JSON.parse(readFileSync(noted, 'utf8')) as Record<string, number>;
  for (const { name, ms } of results.filter(({ name }) => name in suites)) {
    const own = files.filter(({ step }) => step === name);
    for (const { file, seconds: taken } of own) seconds[`${name} ${file}`] = Math.ceil(taken);
    // What the command does before its files: servers, packages, builds.
    seconds[name] = Math.max(
      0,
      Math.ceil(ms / 1000 - own.reduce((sum, one) => sum + one.seconds, 0)),
    );
  }
  writeFileSync(noted, `${JSON.stringify(seconds, null, 2)}\n`);
}
