import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeText, UnreadableText } from '../../src/words/subtitle-text.ts';

const said = '1\n00:00:01,000 --> 00:00:03,000\nÜber die Brücke ging “niemand”.\n';
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16();

/** Bytes of a text in an encoding of one byte a letter, by the decoder of the platform. */
function bytesIn(encoding: string, text: string): Uint8Array {
  const table = new Map<string, number>();
  for (let byte = 255; byte >= 0; byte--) {
    table.set(new TextDecoder(encoding).decode(Uint8Array.of(byte)), byte);
  }
  return Uint8Array.from(text, (letter) => table.get(letter)!);
}

describe('a text file', () => {
  for (const [name, bytes] of [
    ['UTF-8', Buffer.from(said)],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${said}`)],
    ['UTF-16 with a mark', utf16(`\uFEFF${said}`)],
    ['UTF-16 of the other order', swapped(utf16(`\uFEFF${said}`))],
    ['UTF-16 without a mark', utf16(said)],
    ['UTF-16 of the other order without a mark', swapped(utf16(said))],
    ['windows-1252', bytesIn('windows-1252', said)],
  ] as const) {
    it(`is read in ${name}`, () => assert.equal(decodeText(bytes), said));
  }

  it('of Chinese in UTF-16 without a mark is read by its times and line ends', () => {
    const text = '1\n00:00:01,000 --> 00:00:03,000\n没有人从那座旧桥上走过去，因为它已经关闭了。\n';
    assert.equal(decodeText(utf16(text)), text);
  });

  const russian =
    'Никто не перешёл старый мост весной, потому что он был закрыт. Мой отец построил его.\n';
  for (const encoding of ['windows-1251', 'koi8-r']) {
    it(`is read in ${encoding}`, () => {
      assert.equal(decodeText(bytesIn(encoding, russian)), russian);
    });
  }

  it('whose encoding cannot be told is refused, and never read as wrong letters', () => {
    const noise = Uint8Array.from({ length: 400 }, (_, index) => 128 + ((index * 37) % 128));
    assert.throws(
      () => decodeText(noise),
      (error: Error) => {
        assert.ok(error instanceof UnreadableText);
        assert.match(error.message, /not in UTF-8.*Save the file as UTF-8/);
        return true;
      },
    );
  });

  it('that breaks its own encoding is refused by its name', () => {
    const cut = Buffer.concat([Buffer.from([0xff, 0xfe]), utf16('ab'), Buffer.from([0xd8])]);
    assert.throws(() => decodeText(cut), /UTF-16LE/);
  });
});
