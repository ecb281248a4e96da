import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { packedPages } from '../../tools/docs-pages.ts';
import { listLinks } from '../../tools/markdown-links.ts';
import { findDeadLinksIn, packPackages, type PackedPackage } from '../../tools/pack.ts';
import { inLongRun } from 'clip-testkit/long-run';
import { built, entries, packageJson, root } from './package-files.ts';

const run = promisify(execFile);

/** Runs a checker from `node_modules`; returns its output, and fails with it. */
async function check(script: string, ...args: string[]): Promise<string> {
  try {
    return (await run(process.execPath, [join(root, 'node_modules', script), ...args])).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return assert.fail(`${stdout}${stderr}`);
  }
}

/** Types that are right for ES modules. */
const attw = '--profile esm-only --no-color --no-emoji'.split(' ');

/** Addresses that are not the project's, so that a test of them holds wherever it is published. */
const publication = {
  homepage: 'https://docs.example/kit/',
  repository: 'https://code.example/owner/clip-kit',
};

let directory: string;
let kit: PackedPackage;
let host: PackedPackage;
before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'clip-kit-pack-'));
  const packed = await packPackages(directory, publication);
  assert.deepEqual(
    packed.map(({ name }) => name),
    ['clip-kit', 'clip-host'],
  );
  [kit, host] = packed as [PackedPackage, PackedPackage];
});
after(() => rmSync(directory, { recursive: true }));

/** A file of a tarball. */
const readPacked = async ({ tarball }: PackedPackage, path: string): Promise<string> =>
  (await run('tar', ['-xzOf', tarball, `package/${path}`])).stdout;

describe('the tarball of clip-host', () => {
  it('has the built host, its program and its contract, and is taken by publint and attw', async () => {
    const { tarball, files } = host;
    const others = files.filter((file) => !file.startsWith('dist/'));
    assert.deepEqual(others, ['LICENSE', 'README.md', 'openapi.json', 'package.json']);
    for (const file of ['index.js', 'index.d.ts', 'adapters/node.js', 'program/main.js']) {
      assert.ok(files.includes(`dist/${file}`), file);
    }
    await check('publint/src/cli.js', 'run', tarball, '--strict');
    await check('@arethetypeswrong/cli/dist/index.js', tarball, ...attw);
  });
});

describe('each tarball', () => {
  it('has the addresses of the project in its manifest, and nothing of a checkout', async () => {
    for (const [packed, directory] of [
      [kit, {}],
      [host, { directory: 'packages/host' }],
    ] as const) {
      const manifest = JSON.parse(await readPacked(packed, 'package.json'));
      assert.equal(manifest.homepage, publication.homepage);
      const url = `git+${publication.repository}.git`;
      assert.deepEqual(manifest.repository, { type: 'git', url, ...directory });
      for (const key of ['scripts', 'devDependencies', 'workspaces', 'overrides']) {
        assert.ok(!(key in manifest), key);
      }
    }
  });

  it('has a README for those who install it, whose links work in a registry', async () => {
    for (const packed of [kit, host]) {
      const readme = await readPacked(packed, 'README.md');
      assert.match(readme, new RegExp(`^# ${packed.name}\\n[^]*\\nnpm install ${packed.name}\\n`));
      assert.doesNotMatch(readme, /npm (?:start|test|run)/);
      const relative = listLinks(readme).filter((target) => !target.startsWith('https://'));
      assert.deepEqual(relative, []);
      assert.ok(readme.includes(`](${publication.homepage}host-program)`));
    }
  });

  it('has no dead link in a page', () => {
    for (const packed of [kit, host]) {
      for (const path of packed.pages.keys())
        assert.deepEqual(findDeadLinksIn(packed, path), [], path);
    }
    assert.ok(kit.pages.size > 60);
  });

  it('leads from its pages to published pages and files of the repository that exist', () => {
    const targets = [kit, host].flatMap(({ pages }) => [...pages.values()].flatMap(listLinks));
    const published = targets.filter((target) => target.startsWith(publication.homepage));
    assert.ok(published.length > 20);
    for (const target of published) {
      const [page] = target.slice(publication.homepage.length).split('#');
      assert.ok(existsSync(join(root, 'docs', `${page}.md`)), target);
    }
    const files = targets.filter((target) => target.startsWith(publication.repository));
    assert.ok(files.length > 5);
    for (const target of files) {
      const path = /\/(?:blob|raw)\/HEAD\/([^#]+)/.exec(target)?.[1];
      assert.ok(path && existsSync(join(root, path)), target);
    }
  });
});

describe('the published tarball', () => {
  it('has the built files, the manifest, the README and the licence, and no more', () => {
    const others = kit.files.filter((file) => !/^(dist|docs)\//.test(file));
    assert.deepEqual(others, [
      'LICENSE',
      'README.md',
      'custom-elements.json',
      'llms-full.txt',
      'llms.txt',
      'package.json',
      'vscode.html-custom-data.json',
      'web-types.json',
    ]);
    const dist = kit.files.filter((file) => file.startsWith('dist/'));
    assert.deepEqual(dist, [...built].sort());
  });

  it('has the documentation for sites, without that of the engine and of its development', () => {
    assert.deepEqual(
      kit.files.filter((file) => file.startsWith('docs/')),
      ['index', ...Object.values(packedPages).flat()].map((page) => `docs/${page}.md`).sort(),
    );
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

  it('has every file that package.json names', () => {
    const named = [...entries.values()]
      .flatMap((target) => (typeof target === 'string' ? [target] : Object.values(target)))
      .concat(packageJson.types, packageJson.customElements)
      .map((file) => file.replace(/^\.\//, ''));
    assert.deepEqual(
      named.filter((file) => !kit.files.includes(file)),
      [],
    );
  });

  it('is taken by publint, warnings included', inLongRun, async () => {
    await check('publint/src/cli.js', 'run', kit.tarball, '--strict');
  });

  it('has types that are right for ES modules (attw)', inLongRun, async () => {
    // A style sheet has no types that matter.
    const options = [...attw, '--exclude-entrypoints', 'placeholder.css'];
    await check('@arethetypeswrong/cli/dist/index.js', kit.tarball, ...options);
  });
});
