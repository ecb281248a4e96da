import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';

const warning = 'Lit is in dev mode';

it('a page with the import map of the docs gets the production build of Lit', () => {
  const page = readFileSync('docs/start/import-map.md', 'utf8');
  const maps = [...page.matchAll(/<script type="importmap">(.*?)<\/script>/gs)];
  assert.equal(maps.length, 2);
  for (const [, map] of maps) {
    const { imports } = JSON.parse(map!) as { imports: Record<string, string> };
    const files = Object.entries(imports)
      .filter(([name, path]) => /^(@?lit)/.test(name) && path.endsWith('.js'))
      .map(([, path]) => path);
    assert.equal(files.length, 3);
    for (const file of files) {
      assert.ok(!readFileSync(join('node_modules', file), 'utf8').includes(warning), file);
    }
  }
});

it('the ready-made files have the production build of Lit', () => {
  for (const file of ['clip-kit.js', 'clip-studio.js']) {
    const text = readFileSync(join('dist/cdn', file), 'utf8');
    assert.ok(text.includes('litHtmlVersions') && !text.includes(warning), file);
  }
});
