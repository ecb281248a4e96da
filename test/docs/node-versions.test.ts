/** Pages say which Node a program needs, as its package does. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';

const root = new URL('../../', import.meta.url);
const read = (path: string): Promise<string> => readFile(new URL(path, root), 'utf8');

const pages = {
  'docs/service.md': 'packages/service/package.json',
  'docs/start/studio.md': 'packages/service/package.json',
  'packages/service/deploy/README.md': 'packages/service/package.json',
  'docs/engine-cli.md': 'packages/engine/package.json',
  'docs/agents.md': 'packages/mcp/package.json',
  'docs/host-check.md': 'packages/host/package.json',
  'docs/client.md': 'package.json',
};

describe('the version of Node that a program needs', () => {
  for (const [page, manifest] of Object.entries(pages)) {
    it(`${page} has it from ${manifest}`, async () => {
      const { engines } = JSON.parse(await read(manifest)) as { engines: { node: string } };
      const [, version] = /\bNode ([\d.]*\d)/.exec(await read(page)) ?? [];
      assert.equal(`>=${version}`, engines.node);
    });
  }
});
