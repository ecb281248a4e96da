import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { checkHead } from '../../src/source/check-file.ts';
import { openLocal } from '../../src/source/ingest.ts';
import { ffmpeg, makeVideo, temporaryDirectory } from 'clip-testkit/media-footage';

const directory = await temporaryDirectory();
const at = (name: string) => join(directory.path, name);
after(() => directory.remove());

before(async () => {
  await makeVideo(at('plain.mp4'), { seconds: 4, size: '160x90' });
});

const assertEncrypted = (name: string) =>
  assert.rejects(
    openLocal(at(name), {
      directory: directory.path,
      maxSeconds: 60,
      signal: new AbortController().signal,
    }),
    { name: 'SourceError', code: 'source-encrypted', message: /encrypted.*copy without/ },
  );

const key = '00112233445566778899aabbccddeeff';
// prettier-ignore
const encryption = [
  '-encryption_scheme', 'cenc-aes-ctr', '-encryption_key', key, '-encryption_kid', key,
];

for (const [what, flags] of [
  ['with its index at the end', []],
  ['with its index at the front', ['-movflags', '+faststart']],
  ['in fragments', ['-movflags', 'frag_keyframe+empty_moov']],
] as const) {
  test(`MP4 under Common Encryption is called encrypted: ${what}`, async () => {
    await ffmpeg(['-i', at('plain.mp4'), '-c', 'copy', ...encryption, ...flags, at('locked.mp4')]);
    await assertEncrypted('locked.mp4');
  });
}

/** Marks packets of a transport stream, and changes their content, from a share of it on. */
async function scramble(from: number, name: string): Promise<void> {
  await ffmpeg(['-i', at('plain.mp4'), '-c', 'copy', at('clear.ts')]);
  const bytes = await readFile(at('clear.ts'));
  const packets = bytes.length / 188;
  for (let packet = 0; packet < packets; packet++) {
    const start = packet * 188;
    const isTable = (bytes.readUInt16BE(start + 1) & 0x1fff) < 0x100;
    if (isTable || packet < from * packets) continue;
    bytes[start + 3]! |= 0x80;
    const field = bytes[start + 3]! & 0x20 ? 5 + bytes[start + 4]! : 4;
    for (let byte = start + field; byte < start + 188; byte++) bytes[byte]! ^= 0x5a;
  }
  await writeFile(at(name), bytes);
}

test('a scrambled broadcast is called encrypted, and a clear one is not', async () => {
  await scramble(0, 'scrambled.ts');
  await assertEncrypted('scrambled.ts');
  await scramble(0.7, 'mostly.ts');
  await checkHead(at('mostly.ts'));
  await checkHead(at('clear.ts'));
  await checkHead(at('plain.mp4'));
});

test('boxes that are damaged say nothing', async () => {
  const bytes = await readFile(at('plain.mp4'));
  const index = bytes.indexOf('moov') - 4;
  const sizes = [0, 1, 2, 7, 9, 0xffff_ffff];
  for (const place of ['moov', 'trak', 'mdia', 'stsd']) {
    for (const size of sizes) {
      const damaged = Buffer.from(bytes);
      damaged.writeUInt32BE(size, damaged.indexOf(place, index) - 4);
      await writeFile(at('damaged.mp4'), damaged);
      await checkHead(at('damaged.mp4'));
    }
  }
});
