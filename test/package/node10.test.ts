/** TypeScript finds the types of each entry, also in projects that do not read `exports`. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import ts from 'typescript';
import { entries, packageJson, root } from './package-files.ts';

describe('with moduleResolution node10', () => {
  for (const [path, target] of entries) {
    if (typeof target === 'string') continue;
    it(`${packageJson.name}${path.slice(1)} has its types`, (t) => {
      const directory = mkdtempSync(join(realpathSync(tmpdir()), 'clip-node10-'));
      t.after(() => rmSync(directory, { recursive: true }));
      mkdirSync(join(directory, 'node_modules'));
      symlinkSync(root, join(directory, 'node_modules', packageJson.name));
      const { resolvedModule } = ts.resolveModuleName(
        packageJson.name + path.slice(1),
        join(directory, 'page.ts'),
        { moduleResolution: ts.ModuleResolutionKind.Node10 },
        ts.sys,
      );
      const file = resolvedModule?.resolvedFileName ?? '';
      assert.equal(file, realpathSync(join(root, target.types)));
      assert.ok(existsSync(file));
    });
  }
});
