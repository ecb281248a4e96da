import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compress } from 'wawoff2';
import { FontError, readFontFile as readFont } from '../../src/captions/font-file.ts';
import { brandFont, fontPath } from 'clip-testkit/brand-font';
import { readFile } from 'node:fs/promises';

const readFontFile = (bytes: Uint8Array) => readFont(bytes, new AbortController().signal);

/** Where a table is in a font. */
function tableAt(font: Buffer, tag: string): { entry: number; offset: number } {
  const entry = font.indexOf(tag, 12, 'latin1');
  return { entry, offset: font.readUInt32BE(entry + 8) };
}

function changed(font: Buffer, change: (copy: Buffer) => void): Buffer {
  const copy = Buffer.from(font);
  change(copy);
  return copy;
}

const refused = (bytes: Uint8Array, message: RegExp): Promise<void> =>
  assert.rejects(readFontFile(bytes), (error: Error) => {
    assert.ok(error instanceof FontError, error.message);
    assert.match(error.message, message);
    return true;
  });

describe('a font file', () => {
  it('says its family and weight itself', async () => {
    const { family, weight, bytes } = await readFontFile(await brandFont());
    assert.deepEqual({ family, weight }, { family: 'Marken Serif', weight: 'regular' });
    assert.equal(bytes.byteLength, (await brandFont()).byteLength);
    const bold = await readFontFile(await readFile(await fontPath('DejaVu Sans:bold')));
    assert.deepEqual([bold.family, bold.weight], ['DejaVu Sans', 'bold']);
  });

  it('may be WOFF2, which is unpacked', async () => {
    const packed = await compress(await brandFont());
    const { family, bytes } = await readFontFile(packed);
    assert.equal(family, 'Marken Serif');
    assert.ok(bytes.byteLength > packed.byteLength);
  });

  it('is refused if it is none, is cut off, or is broken', async () => {
    const font = await brandFont();
    const packed = Buffer.from(await compress(font));
    await refused(Buffer.from('<svg onload="alert(1)"/>'), /send WOFF2, TTF or OTF/);
    await refused(Buffer.alloc(0), /send WOFF2, TTF or OTF/);
    await refused(Buffer.from('ttcf and more'), /several fonts/);
    await refused(font.subarray(0, 8), /no table directory/);
    await refused(font.subarray(0, 40_000), /is cut off/);
    await refused(packed.subarray(0, 4000), /not complete/);
    await refused(
      changed(packed, (copy) => copy.fill(0x5a, 600, 9000)),
      /cannot be unpacked|broken|table/,
    );
    await refused(
      changed(packed, (copy) => copy.writeUInt32BE(1 << 30, 16)),
      /16 MB/,
    );
    const withoutCmap = changed(font, (copy) => copy.write('cmaX', tableAt(font, 'cmap').entry));
    await refused(withoutCmap, /no table cmap/);
    const nameless = changed(font, (copy) =>
      copy.writeUInt16BE(0, tableAt(font, 'name').offset + 2),
    );
    await refused(nameless, /no family name/);
    const far = changed(font, (copy) =>
      copy.writeUInt16BE(60_000, tableAt(font, 'name').offset + 2),
    );
    await refused(far, /broken/);
    await refused(Buffer.alloc(6 * 1024 * 1024), /larger than 5 MB/);
  });

  it('is refused if a name could end a list of names', async () => {
    const font = await brandFont();
    const utf16 = (text: string) => Buffer.from(text, 'utf16le').swap16();
    const [old, bad] = [utf16('Marken Serif'), utf16('Marken{Serif')];
    const named = changed(font, (copy) => {
      for (let at = copy.indexOf(old); at >= 0; at = copy.indexOf(old)) bad.copy(copy, at);
    });
    await refused(named, /The family of the font is/);
  });

  it('is refused if its licence forbids what is done with it', async () => {
    const font = await brandFont();
    const licensed = (bits: number) =>
      changed(font, (copy) => copy.writeUInt16BE(bits, tableAt(font, 'OS/2').offset + 8));
    await refused(licensed(0x2), /not allow embedding/);
    await refused(licensed(0x200), /not allow embedding/);
    await refused(licensed(0x104), /not allow subsetting/);
    for (const bits of [0, 4, 8, 6]) await readFontFile(licensed(bits));
  });
});
