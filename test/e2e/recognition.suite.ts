/**
 * A video without subtitles, as a person brings it to the demo where no speech model is yet: from
 * the first click to a captioned clip. The model is a real one, and comes from a mirror.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { EditDocument, Task } from 'clip-kit/contract';
import { namedModels } from '../../packages/engine/src/transcribers/speech-model.ts';
import { type DemoWorld, openDemoWorld } from '../support/demo-world.ts';
import { waitFor } from 'clip-testkit/wait-for';
import { type Served, serve } from 'clip-testkit/serve';

const real = fileURLToPath(new URL('../../../shared/real', import.meta.url));
const model = join(real, 'models/whisper-base');
const speech = join(real, 'speech/austen.flac');
const skip =
  !(existsSync(model) && existsSync(speech)) && 'needs the speech and the model of ../shared/real';

/** What is sent of the decoder before a person has seen that it is downloaded. */
const heldBytes = 10_000_000;

/** The files of the real model in the place of those that are published, whose weights differ. */
async function useRealModel(): Promise<Map<string, Buffer>> {
  const base = namedModels['base']!;
  const contents = new Map<string, Buffer>();
  for (const { name } of base.files) contents.set(name, await readFile(join(model, name)));
  const files = [...contents].map(([name, content]) => ({
    name,
    bytes: content.length,
    sha256: createHash('sha256').update(content).digest('hex'),
  }));
  Object.assign(base, { files });
  return contents;
}

describe('a video without subtitles', { concurrency: false, skip }, () => {
  let world: DemoWorld;
  let mirror: Served;
  let directory: string;
  const { promise: seen, resolve: goOn } = Promise.withResolvers<void>();
  before(async () => {
    const contents = await useRealModel();
    mirror = await serve(async ({ url = '' }, response) => {
      const name = url.slice(url.lastIndexOf('/') + 1);
      const content = contents.get(name)!;
      response.writeHead(200, { 'content-length': content.length });
      if (name.includes('decoder')) {
        // Piece by piece, as progress is written once a second at most.
        for (let at = 0; at < heldBytes; at += heldBytes / 50) {
          response.write(content.subarray(at, at + heldBytes / 50));
        }
        await seen;
        response.end(content.subarray(heldBytes));
      } else response.end(content);
    });
    directory = await mkdtemp(join(tmpdir(), 'clip-models-'));
    world = await openDemoWorld({ speechModel: { url: mirror.origin, directory } });
  });
  after(async () => {
    goOn();
    await mirror?.close();
    await world?.close();
    await world?.remove();
    await rm(directory, { recursive: true, force: true });
  });

  test('becomes captioned clips, and the page says what they wait for', async () => {
    const source = join(world.dataDir, 'reading.mp4');
    // prettier-ignore
    await promisify(execFile)('ffmpeg', [
      '-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=192x108:r=12', '-i', speech, '-shortest',
      '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac', source,
    ]);
    const { page, problems } = await world.visit('Ada Moreno');
    const input = (await page.waitForSelector('clip-create >>> input[type=file]')) as unknown as {
      uploadFile(path: string): Promise<void>;
    };
    await input.uploadFile(source);
    await page.locator('clip-create >>> .start:not([aria-disabled=true])').click();
    const details = () =>
      page.evaluate(() => {
        const { shadowRoot } = document.querySelector('clip-videos')!;
        return shadowRoot!.querySelector('[part=status]')?.textContent ?? '';
      });
    const shows = (what: RegExp) =>
      waitFor(String(what), async () => what.test(await details()), details);
    await shows(/Downloading the speech model, once: \d+ of 107 MB$/);
    goOn();
    await shows(/Clips: \d+$/);

    const key = (await readFile(join(world.dataDir, 'site/api-key'), 'utf8')).trim();
    const read = async <T>(path: string, as: string): Promise<T> => {
      const headers = { Authorization: `Bearer ${key}`, 'X-On-Behalf-Of': as };
      return (await fetch(`${world.demo.service.url}/v2${path}`, { headers })).json() as Promise<T>;
    };
    const chosen = await page.evaluate(() => document.querySelector('clip-list')!.clips);
    const author = chosen[0]!.author_id;
    const [task] = await read<Task[]>('/tasks', author);
    assert.deepEqual(task?.notes, []);
    const truth = JSON.parse(await readFile(join(real, 'speech/truth.json'), 'utf8'));
    const wordsIn = (text: string) => text.toLowerCase().match(/[a-z']+/g) ?? [];
    const said = new Set(wordsIn(truth.austen.text));
    for (const { id, name } of chosen) {
      const edit = await read<EditDocument>(`/projects/${id}/edit`, author);
      const words = edit.words.flatMap(({ text }) => wordsIn(text));
      const right = words.filter((word) => said.has(word));
      assert.ok(words.length > 10, `${words.length} words in ${name}`);
      assert.ok(right.length / words.length > 0.85, `${right.length} of ${words.join(' ')}`);
      assert.doesNotMatch(name, /^Clip at/);
    }
    assert.deepEqual(problems, []);
  });
});
