import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { exportSchema, type Export } from 'clip-kit/contract';
import { probe } from 'clip-testkit/footage';
import type { World } from 'clip-testkit/world';

/** What only a render can show of exports; `exports.ts` has what their calls answer. */
export function renderSuite(world: () => World): void {
  describe('exports that are rendered', () => {
    const rendered = async (body: object = {}): Promise<{ ready: Export; bytes: Uint8Array }> => {
      const { as, whole } = await world().library();
      const answer = await world().post(`/projects/${whole.id}/exports`, body, { as });
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      const ready = await world().finishExport(exportSchema.parse(answer.body), as);
      assert.equal(ready.status, 'ready', JSON.stringify(ready.failure));
      const response = await fetch(ready.src_url!);
      assert.equal(response.status, 200);
      return { ready, bytes: new Uint8Array(await response.arrayBuffer()) };
    };

    let plain: Uint8Array;

    it('have a public file of the requested size, which nobody can guess', async () => {
      const { ready, bytes } = await rendered();
      plain = bytes;
      assert.deepEqual([ready.watermarked, ready.folder_id], [false, null]);
      assert.equal(ready.estimated_ready_at, ready.finished_at, 'the actual time');
      assert.ok(ready.src_url!.startsWith(`${world().service.url}/files/exports/`));
      assert.match(ready.src_url!, /\/1-[A-Za-z0-9_-]{43}\.mp4$/);
      const file = join(world().directory, `${ready.id}.mp4`);
      await writeFile(file, bytes);
      const { width, height, codecs, seconds } = await probe(file);
      assert.deepEqual([width, height, codecs.sort()], [108, 192, ['aac', 'h264']]);
      assert.ok(Math.abs(seconds - 3) < 0.2, `${seconds} s`);
    });

    it('show a watermark, and another style by preset_id', async () => {
      const src_url = world().sources.at('logo.png');
      const files = await Promise.all([
        rendered({ watermark: { src_url, pos_x: 0.9, pos_y: 0.1 } }),
        rendered({ preset_id: 'card' }),
      ]);
      assert.deepEqual(
        files.map(({ ready }) => ready.watermarked),
        [true, false],
      );
      const all = [plain, ...files.map(({ bytes }) => bytes)];
      assert.equal(new Set(all.map((bytes) => Buffer.from(bytes).toString('hex'))).size, 3);
    });
  });
}
