/**
 * Runs tests, after the setup: without arguments `npm test`, with names of groups these (`all` for
 * all of them), with files only these (of the group that is named before them), with `--ci` what
 * `.ci/run` runs. A failed file runs once more at the end, alone. Prints `N passed, M failed`.
 */
import { spawn } from 'node:child_process';
import { globSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join, resolve } from 'node:path';
import { watchInterruption } from './run-program.ts';
import { builds, checks, quick, suites, type Group } from './test-groups.ts';
import type { ReportedTest } from './test-report.ts';

interface Run {
  readonly name: string;
  readonly group: Group;
}

interface Result extends Run {
  readonly tests: readonly ReportedTest[];
  readonly output: string;
}

/** More failed files than this are a real fault, and none of them runs again. */
const mostFilesAgain = 5;

const groups: Readonly<Record<string, Group>> = { ...builds, ...quick, ...checks, ...suites };
const stopping = watchInterruption();

const isFailed = ({ error }: ReportedTest): boolean => error !== null;

const isElementTest = (file: string): boolean =>
  /^test\/elements\/|\.browser\.test\.ts$/.test(file);

/** Returns the group with only those of its files that have one of the names or paths. */
function narrow(name: string, group: Group, names: readonly string[]): Group {
  const isNamed = (file: string, one: string): boolean =>
    file === one || basename(file).split('.')[0] === one;
  const choose = (globs: readonly string[] = []): string[] =>
    globSync([...globs]).filter((file) => names.some((one) => isNamed(file, one)));
  const [files, elements] = [choose(group.files), choose(group.elements)];
  for (const one of names) {
    if ([...files, ...elements].some((file) => isNamed(file, one))) continue;
    throw new Error(`The group "${name}" has no file "${one}".`);
  }
  return { ...group, files, elements };
}

/** Returns the rounds of groups that the arguments ask for; those of a round run side by side. */
function chooseRuns(args: readonly string[]): Run[][] {
  const run = (all: Readonly<Record<string, Group>>): Run[] =>
    Object.entries(all).map(([name, group]) => ({ name, group }));
  const first = run(builds).map((build) => [build]);
  if (!args.length) return [...first, run(quick)];
  if (args[0] === 'all') return [...first, run(quick), run({ ...checks, ...suites })];
  if (args[0] === '--ci') {
    const inCi = run(suites).flatMap(({ name, group }) =>
      group.inCi ? [{ name, group: narrow(name, group, group.inCi) }] : [],
    );
    return [...first, run(quick), [...run(checks), ...inCi]];
  }
  const names = [...new Set(args.filter((arg) => Object.hasOwn(groups, arg)))];
  const files = args.filter((arg) => !names.includes(arg));
  const runs = names.map((name) => {
    const group = groups[name]!;
    return { name, group: files.length ? narrow(name, group, files) : group };
  });
  if (names.length) {
    const isBuild = ({ name }: Run): boolean => Object.hasOwn(builds, name);
    return [...runs.filter(isBuild).map((build) => [build]), runs.filter((one) => !isBuild(one))];
  }
  for (const file of files) if (!existsSync(file)) throw new Error(`There is no test "${file}".`);
  const elements = files.filter(isElementTest);
  return [
    [{ name: 'files', group: { files: files.filter((one) => !elements.includes(one)), elements } }],
  ];
}

/** Returns the commands that run a group; the first arguments are those of Node. */
function makeCommands({ command, files, elements, inOneProcess, minutes = 20 }: Group): string[][] {
  const commands: string[][] = command ? [[...command]] : [];
  if (elements?.length) {
    const runner = 'node_modules/@web/test-runner/dist/bin.js';
    commands.push([process.execPath, runner, ...elements.flatMap((file) => ['--files', file])]);
  }
  if (files?.length) {
    commands.push([
      process.execPath,
      '--test',
      `--test-timeout=${minutes * 60_000}`,
      ...(inOneProcess ? ['--test-isolation=none', '--test-force-exit'] : []),
      ...['spec', './tools/test-report.ts'].flatMap((reporter) => [
        `--test-reporter=${reporter}`,
        '--test-reporter-destination=stdout',
      ]),
      ...files,
    ]);
  }
  return commands;
}

/** Runs a command to its end. Returns its exit code and, unless it was shown, its output. */
function runCommand(
  [command = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
  isShown: boolean,
): Promise<{ code: number; output: string }> {
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: [
      'ignore',
      ...(isShown ? (['inherit', 'inherit'] as const) : (['pipe', 'pipe'] as const)),
    ],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const stop = (): unknown => child.kill('SIGINT');
  stopping.addEventListener('abort', stop);
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (code) => {
      stopping.removeEventListener('abort', stop);
      done({ code: code ?? 1, output });
    });
  });
}

/** Runs a group on servers of its own. What fails without a test counts as a failed test. */
async function runGroup({ name, group }: Run, isShown: boolean): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), 'clip-tests-'));
  const directories = [directory];
  const report = join(directory, 'report.jsonl');
  const tests: ReportedTest[] = [];
  const servers: Awaited<ReturnType<NonNullable<Group['servers']>[number]>>[] = [];
  let output = '';
  try {
    for (const start of group.servers ?? []) {
      // Not below the other one, which only this user may open.
      const own = mkdtempSync(join(tmpdir(), 'clip-server-'));
      directories.push(own);
      servers.push(await start(own, stopping));
    }
    const env = Object.assign(
      // The compile cache of Node is shared by all processes.
      { NODE_COMPILE_CACHE: resolve('node_modules/.cache/node'), TEST_REPORT: report },
      group.env,
      ...servers.map((server) => server.env),
    );
    for (const command of makeCommands(group)) {
      const ended = await runCommand(command, env, isShown);
      output += ended.output;
      const lines = existsSync(report) ? readFileSync(report, 'utf8').split('\n') : [];
      rmSync(report, { force: true });
      const ran = lines.filter(Boolean).map((line) => JSON.parse(line) as ReportedTest);
      if (group.command && !ended.code) ran.push({ file: name, test: name, error: null });
      tests.push(...ran);
      const error = ended.code ? `it ended with ${ended.code}` : 'it ran no test';
      if (!ran.length || (ended.code && !ran.some(isFailed))) {
        tests.push({ file: name, test: command.join(' '), error });
      }
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    output += `${message}\n`;
    if (isShown) console.error(message);
    tests.push({ file: name, test: 'what it needs', error: message });
  } finally {
    for (const server of servers) await server.stop();
    for (const one of directories) rmSync(one, { recursive: true, force: true });
  }
  return { name, group, tests, output };
}

/** Runs each failed file once more, alone. Returns the result without those that passed then. */
async function runAgain(results: readonly Result[]): Promise<Result[]> {
  const failed = results.flatMap((result) =>
    [...new Set(result.tests.filter(isFailed).map(({ file }) => file))]
      // A check, and tests of a shared module that does not name the file that runs them.
      .filter((file) => /\.(test|suite)\.ts$/.test(file))
      .map((file) => ({ result, file })),
  );
  if (!failed.length || failed.length > mostFilesAgain) return [...results];
  const after = new Map(results.map((result) => [result, result.tests]));
  for (const { result, file } of failed) {
    if (stopping.aborted) break;
    console.log(`\nAgain, alone: ${file}`);
    const { elements, ...group } = result.group;
    const one = isElementTest(file)
      ? { ...group, files: [], elements: [file] }
      : { ...group, files: [file] };
    const { tests } = await runGroup({ name: result.name, group: one }, true);
    if (tests.some(isFailed)) continue;
    const before = result.tests.find((test) => test.file === file && isFailed(test))!;
    console.log(`flaky: ${file}: ${before.test}: ${before.error}`);
    after.set(
      result,
      after.get(result)!.map((test) => (test.file === file ? { ...test, error: null } : test)),
    );
  }
  return results.map((result) => ({ ...result, tests: after.get(result)! }));
}

function countTests(tests: readonly ReportedTest[]): string {
  const failed = tests.filter(isFailed).length;
  return `${tests.length - failed} passed, ${failed} failed`;
}

async function runTests(args: readonly string[]): Promise<boolean> {
  const rounds = chooseRuns(args).filter((round) => round.length);
  const all = rounds.flat();
  const onlyQuick = all.every(({ name }) => !Object.hasOwn(suites, name));
  if (onlyQuick) {
    // A page of the smaller browser takes a third less processor time.
    process.env['CHROME_PATH'] ||=
      (process.env['PATH'] ?? '')
        .split(delimiter)
        .map((directory) => join(directory, 'chromium-headless-shell'))
        .find(existsSync) ?? '';
  }
  const began = performance.now();
  const minutes = (from: number): string =>
    `${((performance.now() - from) / 60_000).toFixed(1)} min`;
  const results: Result[] = [];
  for (const round of rounds) {
    const waiting = [...round];
    // Node's runner leaves one processor free, and tests wait now and then for what a browser
    // draws: five groups of npm test keep two processors busy.
    const slots = round.some(({ name }) => Object.hasOwn(suites, name)) ? 2 : 5;
    const work = async (): Promise<void> => {
      for (let run = waiting.shift(); run && !stopping.aborted; run = waiting.shift()) {
        const from = performance.now();
        if (all.length > 1) console.log(`${run.name} ...`);
        const result = await runGroup(run, all.length === 1);
        results.push(result);
        if (all.length === 1) continue;
        if (result.tests.some(isFailed)) {
          const from = Math.max(0, result.output.lastIndexOf('✖ failing tests:'));
          console.log(`\n== ${run.name}\n${result.output.slice(from)}`);
        }
        console.log(`${run.name}: ${countTests(result.tests)} (${minutes(from)})`);
      }
    };
    await Promise.all(Array.from({ length: slots }, work));
  }
  const tests = (await runAgain(results)).flatMap((result) => result.tests);
  if (stopping.aborted) tests.push({ file: '', test: '', error: 'interrupted' });
  for (const { file, test, error } of tests.filter(isFailed)) {
    console.log(`failed: ${file}: ${test}: ${error}`);
  }
  console.log(`\nin ${minutes(began)}\n${countTests(tests)}`);
  return !tests.some(isFailed);
}

process.exitCode = await runTests(process.argv.slice(2)).then(
  (hasPassed) => (hasPassed ? 0 : 1),
  (error: Error) => {
    console.error(`${error.message}\n0 passed, 1 failed`);
    return 1;
  },
);
