import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { changeFaults } from '../../src/editing/changes.ts';
import { editOf } from '../../src/editing/edit-of.ts';
import { render } from '../../src/render/render.ts';
import { dice } from '../support/media-analysis.ts';
import { ffmpeg, temporaryDirectory } from '../support/media-footage.ts';
import { anyBasis, anyChanges, anyLook } from '../support/random-edits.ts';

test('ffmpeg renders whatever a person may change', async () => {
  const directory = await temporaryDirectory();
  try {
    const source = join(directory.path, 'source.mp4');
    // prettier-ignore
    await ffmpeg([
      '-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25:d=30', '-f', 'lavfi', '-i', 'sine=d=30',
      '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', source,
    ]);
    const random = dice(17);
    let made = 0;
    while (made < 60) {
      const basis = anyBasis(random, { width: 160, height: 90, frameRate: 25, hasAudio: true });
      const changes = anyChanges(random, basis);
      if (basis.span.end > 28 || changeFaults(basis, changes).length > 0) continue;
      const look = anyLook(random, editOf(basis, changes));
      const edit = editOf(basis, changes, { look });
      const output = join(directory.path, `${made}.mp4`);
      const { signal } = new AbortController();
      await render(edit, { source, output, quality: 'preview', signal }).catch((error: unknown) => {
        throw new Error(JSON.stringify({ basis, changes, edit }), { cause: error });
      });
      assert.ok((await stat(output)).size > 0);
      made += 1;
    }
  } finally {
    await directory.remove();
  }
});
