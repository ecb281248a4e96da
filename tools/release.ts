/**
 * Prepares a release in `.release/` and prints how to publish it: `npm run release`. Stops at the
 * first step with a problem, and never publishes.
 */
import { mkdir, readFile, rm } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findDeadLinksIn, packPackages } from './pack.ts';
import { publishedPackages } from './packed-package.ts';
import { publication } from './publication.ts';
import {
  checkHelp,
  checkPages,
  checkSources,
  type Manifest,
  type Problem,
} from './release-checks.ts';
import { runProgram, watchInterruption } from './run-program.ts';

process.chdir(fileURLToPath(new URL('../', import.meta.url)));
const destination = '.release';
const signal = watchInterruption();

const read = (path: string): Promise<string> => readFile(path, 'utf8');

/** Ends the program with the problems, if there are any. */
function stopAt(problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  for (const { what, meaning, remedy } of problems) {
    console.error(`\n✗ ${what}\n  ${meaning}\n  ${remedy}`);
  }
  console.error('\nNothing was published.');
  process.exit(1);
}

async function run(command: readonly string[], problem: Omit<Problem, 'what'>): Promise<string> {
  const { code, output } = await runProgram(command, { env: process.env, signal });
  signal.throwIfAborted();
  if (code !== 0)
    stopAt([{ what: `${command.join(' ')} failed:\n${output.trimEnd()}`, ...problem }]);
  return output;
}

const runChecker = (script: string, ...args: string[]): Promise<string> =>
  run([process.execPath, `node_modules/${script}`, ...args], {
    meaning: 'The package does not work for everybody who installs it.',
    remedy: 'Correct the manifest or the build that it names.',
  });

const manifests = (await Promise.all(
  publishedPackages.map(async ({ folder }) => JSON.parse(await read(`${folder}/package.json`))),
)) as [Manifest, ...Manifest[]];
const { version } = manifests[0];

console.log(`Checking the sources of ${version} ...`);
const changes = await run(['git', 'status', '--porcelain'], {
  meaning: 'It is not known whether all files are committed.',
  remedy: 'Run this in a checkout, with git installed.',
});
stopAt(checkSources({ publication, changes, changelog: await read('CHANGELOG.md'), manifests }));

console.log('Building ...');
await rm('dist', { recursive: true, force: true });
await rm('packages/host/dist', { recursive: true, force: true });
await run(['npm', 'run', '--silent', 'build'], {
  meaning: 'There is nothing to publish.',
  remedy: 'Correct what the build reports.',
});
await run(['npm', 'run', '--silent', 'size'], {
  meaning: 'Pages would load more than docs/performance.md promises.',
  remedy: 'Make the entry smaller, or raise its limit in .size-limit.json and on that page.',
});

console.log('Packing ...');
await rm(destination, { recursive: true, force: true });
await mkdir(destination);
const packages = (await packPackages(destination)).map((packed) => ({
  ...packed,
  tarball: relative('.', packed.tarball),
}));
stopAt(
  packages.flatMap((packed) =>
    checkPages(packed.name, packed.pages, (path) => findDeadLinksIn(packed, path)),
  ),
);
for (const { name, tarball } of packages) {
  console.log(`Checking ${name} ...`);
  await runChecker('publint/src/cli.js', 'run', tarball, '--strict');
  // A style sheet has no types that matter.
  const attw = ['--profile', 'esm-only', '--exclude-entrypoints', 'placeholder.css'];
  await runChecker('@arethetypeswrong/cli/dist/index.js', tarball, '--no-color', ...attw);
}

console.log('Checking the published documentation ...');
const help = `${publication.homepage}elements/errors`;
const answer = await fetch(help).catch(() => null);
const codes = [...(await read('docs/elements/errors.md')).matchAll(/^## (\S+)$/gm)];
stopAt(
  checkHelp(
    help,
    answer?.ok ? await answer.text() : null,
    codes.map(([, code]) => code!),
  ),
);

console.log(`
${packages.map(({ name, tarball, size }) => `${name} ${version}: ${tarball}, ${Math.round(size / 1000)} kB`).join('\n')}

Nothing is published yet. To publish:

${packages.map(({ tarball }) => `  npm publish ./${tarball} --access public`).join('\n')}
  git tag v${version} && git push origin v${version}
  npm run release-notes
`);
