import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { saveClip } from '../src/save-clip.ts';

describe('saveClip', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'clip-mcp-'));
  });
  after(() => rm(directory, { recursive: true, force: true }));

  it('never replaces a file, and never leaves the folder', async () => {
    const names: string[] = [];
    for (const text of ['one', 'two']) {
      const path = await saveClip(directory, '../../etc/passwd', new Response(text));
      assert.equal(await readFile(path, 'utf8'), text);
      names.push(basename(path));
    }
    assert.deepEqual(names, ['.._.._etc_passwd.mp4', '.._.._etc_passwd-2.mp4']);
    assert.deepEqual((await readdir(directory)).sort(), names.sort());
  });

  it('leaves nothing of a download that breaks off', async () => {
    const before = await readdir(directory);
    const cut = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(10));
        controller.error(new Error('cut'));
      },
    });
    await assert.rejects(saveClip(directory, 'clip', new Response(cut)), /cut/);
    assert.deepEqual(await readdir(directory), before);
  });
});
