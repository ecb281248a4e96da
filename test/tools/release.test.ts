import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { rewriteManifest, rewritePage } from '../../tools/packed-package.ts';
import { checkHelp, checkPages, checkSources, type Problem } from '../../tools/release-checks.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

const publication = {
  homepage: 'https://clip-kit.example/docs/',
  repository: 'https://code.example/owner/clip-kit',
};
const kit = { name: 'clip-kit', version: '1.2.0' };
const host = { name: 'clip-host', version: '1.2.0', dependencies: { 'clip-kit': '^1.2.0' } };
const ready: Parameters<typeof checkSources>[0] = {
  publication,
  changes: '',
  changelog: '# Changelog\n\n## 1.2.0 (2027-02-01)\n\n- A thing.\n',
  manifests: [kit, host],
};
const whats = (problems: readonly Problem[]): string[] => problems.map(({ what }) => what);

describe('the sources of a release', () => {
  it('have no problem when all is ready', () => assert.deepEqual(checkSources(ready), []));

  const cases: readonly [string, Partial<typeof ready>, RegExp][] = [
    ['no homepage', { publication: { ...publication, homepage: null } }, /homepage .* is null/],
    [
      'a homepage that pages cannot be added to',
      { publication: { ...publication, homepage: 'https://clip-kit.example/docs' } },
      /homepage/,
    ],
    [
      'no repository',
      { publication: { ...publication, repository: null } },
      /repository .* is null/,
    ],
    [
      'a repository with .git',
      { publication: { ...publication, repository: `${publication.repository}.git` } },
      /repository/,
    ],
    ['files that are not committed', { changes: ' M src/index.ts\n' }, /src\/index\.ts/],
    [
      'no section of the changelog',
      { changelog: '## 1.2.00 (2027-02-01)\n' },
      /no section "1\.2\.0"/,
    ],
    [
      'a section without a date',
      { changelog: '## 1.2.0 (unreleased)\n' },
      /says "1\.2\.0 \(unreleased\)"/,
    ],
    [
      'a package of another version',
      { manifests: [kit, { ...host, version: '1.1.0' }] },
      /clip-host is 1\.1\.0/,
    ],
    [
      'a package that needs another version',
      { manifests: [kit, { ...host, dependencies: { 'clip-kit': '^1.1.0' } }] },
      /depends on clip-kit \^1\.1\.0/,
    ],
  ];
  for (const [name, change, what] of cases) {
    it(`are refused with ${name}`, () => {
      const problems = checkSources({ ...ready, ...change });
      assert.equal(problems.length, 1);
      assert.match(problems[0]!.what, what);
    });
  }
});

describe('the pages of a package', () => {
  it('are refused with a dead link, and while they deny what is published', () => {
    const pages = new Map([
      ['README.md', 'All is well.'],
      ['docs/start.md', 'It is not published\nyet.'],
    ]);
    assert.deepEqual(whats(checkPages('clip-kit', pages, () => [])), [
      'docs/start.md of clip-kit say "not published yet".',
    ]);
    const dead = checkPages('clip-kit', new Map([['README.md', '']]), () => ['gone.md']);
    assert.match(whats(dead).join(), /README\.md: gone\.md/);
  });

  const files = new Set(['README.md', 'docs/start.md', 'docs/start/html.md']);
  const packed = (text: string, path: string, where: typeof publication | null = publication) =>
    rewritePage(
      text,
      { source: path === 'README.md' ? 'src/README.md' : path, path },
      '.',
      files,
      where ?? { homepage: null, repository: null },
    );

  it('link to each other, and by address to what the package does not have', () => {
    assert.equal(
      packed(
        '[a](../start.md#b) [c](#d) [e](../engine.md#f) [g](../../examples)',
        'docs/start/html.md',
      ),
      '[a](../start.md#b) [c](#d) [e](https://clip-kit.example/docs/engine#f) ' +
        '[g](https://code.example/owner/clip-kit/blob/HEAD/examples)',
    );
    assert.equal(
      packed('![a](images/b.png)', 'docs/start.md'),
      '![a](https://code.example/owner/clip-kit/raw/HEAD/docs/images/b.png)',
    );
  });

  it('link by address only from a README', () => {
    assert.equal(
      packed('[a](../docs/start.md) [b](../docs/index.md)', 'README.md'),
      '[a](https://clip-kit.example/docs/start) [b](https://clip-kit.example/docs/)',
    );
  });

  it('link to the pages of clip-kit beside another package until there are addresses', () => {
    const page = rewritePage(
      '[a](../../docs/host.md#b) [c](../../docs/engine.md) [d](openapi.json)',
      { source: 'packages/host/README.md', path: 'README.md' },
      'packages/host',
      new Set(['README.md', 'openapi.json']),
      { homepage: null, repository: null },
      new Set(['docs/host.md']),
    );
    assert.equal(page, '[a](../clip-kit/docs/host.md#b) c [d](openapi.json)');
  });

  it('have text for what is not published, and links to what is in the package', () => {
    assert.equal(
      packed('[a](../docs/start.md) ![b](../c.png)', 'README.md', null),
      '[a](docs/start.md) b',
    );
  });

  it('have their code unchanged', () => {
    const text = '```md\n[a](../gone.md)\n```\n';
    assert.equal(packed(text, 'docs/start.md'), text);
  });
});

describe('the manifest of a package', () => {
  it('has addresses only when they are set', () => {
    const folder = { folder: 'packages/host', readme: 'packages/host/README.md' };
    const exports = { './package.json': './package.json' };
    const manifest = { name: 'clip-host', scripts: {}, devDependencies: {}, exports };
    const unset = { homepage: null, repository: null };
    assert.deepEqual(rewriteManifest(manifest, folder, unset), { name: 'clip-host', exports });
    assert.deepEqual(rewriteManifest(manifest, folder, publication), {
      name: 'clip-host',
      exports,
      homepage: publication.homepage,
      repository: {
        type: 'git',
        url: 'git+https://code.example/owner/clip-kit.git',
        directory: 'packages/host',
      },
    });
  });
});

describe('the exports of a package', () => {
  it('lead to what is built, and those of a checkout to the sources', () => {
    const exports = {
      '.': { types: './src/index.ts', default: './dist/index.js' },
      './react': {
        types: './src/react/index.ts',
        'react-server': './dist/react/client/index.js',
        default: './dist/react/index.js',
      },
      './client': './src/client/index.ts',
      './types/*': { types: './dist/types/*.d.ts' },
      './web-types.json': './web-types.json',
    };
    const folder = { folder: '.', readme: 'src/README.md' };
    assert.deepEqual(rewriteManifest({ exports }, folder, publication)['exports'], {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './react': { ...exports['./react'], types: './dist/react/index.d.ts' },
      './client': { types: './dist/client/index.d.ts', default: './dist/client/index.js' },
      './types/*': exports['./types/*'],
      './web-types.json': './web-types.json',
    });
  });
});

describe('the published documentation', () => {
  const address = 'https://clip-kit.example/docs/elements/errors';

  it('has each section that errors lead to', () => {
    const html = '<h2 id="network">network</h2><h2 id="timeout">timeout</h2>';
    assert.deepEqual(checkHelp(address, html, ['network', 'timeout']), []);
    assert.match(
      whats(checkHelp(address, html, ['network', 'new-code'])).join(),
      /no section new-code/,
    );
    assert.match(whats(checkHelp(address, null, ['network'])).join(), /cannot be loaded/);
    assert.equal(checkHelp(address, html, []).length, 1);
  });
});

describe('npm run release', () => {
  it('stops before the build, with all problems of the sources at once', () => {
    const copy = mkdtempSync(join(tmpdir(), 'clip-kit-release-'));
    try {
      mkdirSync(join(copy, 'packages/host'), { recursive: true });
      for (const path of ['package.json', 'packages/host/package.json', 'tools']) {
        cpSync(join(root, path), join(copy, path), {
          recursive: true,
          filter: (source) => !source.startsWith(join(root, 'tools/site')),
        });
      }
      const unset = 'export const publication = { homepage: null, repository: null };\n';
      writeFileSync(join(copy, 'tools/publication.ts'), unset);
      writeFileSync(join(copy, 'CHANGELOG.md'), '# Changelog\n');
      spawnSync('git', ['init', '--quiet'], { cwd: copy });
      const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/release.ts'], {
        cwd: copy,
        encoding: 'utf8',
      });
      assert.equal(status, 1);
      assert.equal(stderr.match(/^✗ /gm)?.length, 4, stderr);
      assert.match(stderr, /Nothing was published\.\n$/);
      assert.doesNotMatch(stdout, /Building/);
    } finally {
      rmSync(copy, { recursive: true });
    }
  });
});
