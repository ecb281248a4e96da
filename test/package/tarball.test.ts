import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { inLongRun } from '../support/long-run.ts';
import { built, entries, packageJson, root } from './package-files.ts';

const run = promisify(execFile);

interface Packed {
  filename: string;
  files: { path: string }[];
}

/** Runs a checker from `node_modules`; returns its output, and fails with it. */
async function check(script: string, ...args: string[]): Promise<string> {
  try {
    return (await run(process.execPath, [join(root, 'node_modules', script), ...args])).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return assert.fail(`${stdout}${stderr}`);
  }
}

/** The package in a folder, as npm publishes it. */
async function pack(folder: string, destination: string) {
  const { stdout } = await run(
    'npm',
    ['pack', '--json', '--ignore-scripts', '--pack-destination', destination],
    { cwd: join(root, folder) },
  );
  const answer = JSON.parse(stdout) as Packed[] | Record<string, Packed>;
  const { filename, files } = Object.values(answer)[0]!;
  return { tarball: join(destination, filename), files: files.map(({ path }) => path) };
}

/** Types that are right for ES modules. */
const attw = '--profile esm-only --no-color --no-emoji'.split(' ');

let directory: string;
before(() => {
  directory = mkdtempSync(join(tmpdir(), 'clip-kit-pack-'));
});
after(() => rmSync(directory, { recursive: true }));

describe('the tarball of clip-host', () => {
  it('has the built host, its program and its contract, and is taken by publint and attw', async () => {
    const { tarball, files } = await pack('packages/host', directory);
    const others = files.filter((file) => !file.startsWith('dist/'));
    assert.deepEqual(others.sort(), ['README.md', 'openapi.json', 'package.json']);
    for (const file of ['index.js', 'index.d.ts', 'adapters/node.js', 'check/cli.js']) {
      assert.ok(files.includes(`dist/${file}`), file);
    }
    await check('publint/src/cli.js', 'run', tarball, '--strict');
    await check('@arethetypeswrong/cli/dist/index.js', tarball, ...attw);
  });
});

describe('the published tarball', () => {
  let tarball: string;
  let files: string[];

  before(async () => {
    ({ tarball, files } = await pack('.', directory));
  });

  it('has the built files, the manifest, the README and the licence, and no more', () => {
    const others = files.filter((file) => !/^(dist|docs)\//.test(file));
    assert.deepEqual(others.sort(), [
      'LICENSE',
      'README.md',
      'custom-elements.json',
      'llms-full.txt',
      'llms.txt',
      'package.json',
      'vscode.html-custom-data.json',
      'web-types.json',
    ]);
    assert.deepEqual(files.filter((file) => file.startsWith('dist/')).sort(), [...built].sort());
  });

  for (const name of ['clip-kit', 'clip-studio']) {
    it(`has the licences of the libraries that are in ${name}.js`, () => {
      const map = readFileSync(join(root, `dist/cdn/${name}.js.map`), 'utf8');
      const { sources } = JSON.parse(map) as { sources: string[] };
      const inside = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules\/)/;
      const libraries = new Set(sources.flatMap((source) => inside.exec(source)?.[1] ?? []));
      assert.ok(libraries.has('lit-html'), [...libraries].join());
      const text = readFileSync(join(root, `dist/cdn/${name}.licenses.md`), 'utf8');
      for (const library of libraries) {
        assert.match(text, new RegExp(`^## ${library} - [\\d.]+ \\((?:BSD-3-Clause|MIT)\\)$`, 'm'));
      }
    });
  }

  it('has what the README links to, and each page of the documentation', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    const links = [...readme.matchAll(/(?<!!\[[^\]]*)\]\(([\w./-]+)/g)].map(([, path]) => path!);
    assert.ok(links.length > 20);
    const missing = links.filter((path) => !files.some((file) => file.startsWith(path)));
    assert.deepEqual(missing, []);
    assert.deepEqual(
      files.filter((file) => file.startsWith('docs/')).toSorted(),
      readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.md'))
        .map((path) => `docs/${path}`)
        .toSorted(),
    );
  });

  it('has every file that package.json names', () => {
    const named = [...entries.values()]
      .flatMap((target) => (typeof target === 'string' ? [target] : Object.values(target)))
      .concat(packageJson.types, packageJson.customElements)
      .map((file) => file.replace(/^\.\//, ''));
    assert.deepEqual(
      named.filter((file) => !files.includes(file)),
      [],
    );
  });

  it('is taken by publint, warnings included', inLongRun, async () => {
    await check('publint/src/cli.js', 'run', tarball, '--strict');
  });

  it('has types that are right for ES modules (attw)', inLongRun, async () => {
    // A style sheet has no types that matter.
    const options = [...attw, '--exclude-entrypoints', 'placeholder.css'];
    await check('@arethetypeswrong/cli/dist/index.js', tarball, ...options);
  });
});
