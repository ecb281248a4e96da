import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readChanges, releasePage } from '../../tools/release-page.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

const hash = (path: string): string =>
  `sha384-${createHash('sha384')
    .update(readFileSync(root + path))
    .digest('base64')}`;

describe('the notes of a release', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/release-notes.ts'], {
    cwd: root,
    encoding: 'utf8',
  });

  it('have the path of this version with the hash of the built file', () => {
    assert.equal(status, 0, stderr);
    const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
    const script = /<script type="module" crossorigin src="([^"]+)"\s+integrity="([^"]+)">/;
    const [, src = '', integrity] = script.exec(stdout) ?? [];
    assert.ok(src.endsWith(`/clip-kit@${version}/dist/cdn/clip-kit.js`), src);
    assert.equal(integrity, hash('dist/cdn/clip-kit.js'));
  });

  it('have an import map with the hash of every file that is loaded later', () => {
    const map = JSON.parse(/<script type="importmap">\n(.*?)<\/script>/s.exec(stdout)![1]!);
    const hashes = new Map(
      Object.entries<string>(map.integrity).map(([url, value]) => [
        /dist\/cdn\/.*/.exec(url)![0],
        value,
      ]),
    );
    const locales = readdirSync(`${root}dist/cdn/locales`).map((file) => `locales/${file}`);
    assert.ok(locales.length > 0);
    for (const file of ['clip-kit.js', 'clip-studio.js', ...locales]) {
      assert.equal(hashes.get(`dist/cdn/${file}`), hash(`dist/cdn/${file}`), file);
    }
  });

  it('have what is in the version', () => assert.match(stdout, /^- \*\*Elements\*\*/m));
});

describe('a release that is not ready', () => {
  const changelog = '# Changelog\n\n## 1.2.0\n\n### Added\n\n- A thing.\n\n## 1.1.0\n\n- Old.\n';

  it('has only its own section of the changelog', () => {
    assert.equal(readChanges(changelog, '1.2.0'), '### Added\n\n- A thing.');
    assert.throws(() => readChanges(changelog, '1.2'), /has no section "## 1\.2"/);
  });

  it('is refused without the built file', () => {
    assert.throws(() => releasePage('1.2.0', changelog, new Map()), /npm run build/);
  });
});
