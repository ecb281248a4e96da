import type { Step } from './run-steps.ts';

const command = (name: string, script: string, ...args: string[]): Step => ({
  name,
  // Without the setup of its npm script, which would build the kit again under the others.
  command: [process.execPath, `scripts/${script}.ts`, ...args],
  runner: 'command',
});

/**
 * All test commands, in rounds. `part`: what `.ci/run` runs, which is less of three of them
 * (docs/develop.md says what).
 */
export function suites(part: boolean): Step[][] {
  const browser = (engine: 'firefox' | 'webkit'): Step =>
    command(engine, 'test-browser', engine, ...(part ? ['--differences'] : []));
  const suite = (name: string, ...args: string[]): Step => command(name, `test-${name}`, ...args);
  return [
    // It keeps both processors busy by itself, and builds the kit, which the others use.
    [command('test', 'test')],
    [
      suite('long'),
      suite('sites', ...(part ? ['--third'] : [])),
      suite('cluster'),
      suite('sample'),
      suite('postgres'),
      suite('safety'),
      browser('firefox'),
      suite('frameworks'),
      suite('docs'),
      command('check', 'test', 'lint', 'types'),
      browser('webkit'),
      suite('stores'),
      suite('s3'),
      suite('runtimes'),
      suite('wordpress'),
      suite('hosts'),
    ],
  ];
}
