import { readFile } from 'node:fs/promises';

/**
 * Reads colour pictures of emoji from the bytes of an OpenType font with CBDT and CBLC tables, such
 * as Noto Color Emoji in Debian.
 */
export class EmojiFont {
  readonly #view: DataView;
  readonly #tables = new Map<string, number>();

  /** Throws RangeError if the bytes are not a font. */
  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const count = this.#view.getUint16(4);
    for (let index = 0; index < count; index++) {
      const at = 12 + index * 16;
      this.#tables.set(String.fromCharCode(...bytes.subarray(at, at + 4)), this.#u32(at + 8));
    }
  }

  #u16(at: number): number {
    return this.#view.getUint16(at);
  }

  #u32(at: number): number {
    return this.#view.getUint32(at);
  }

  /** The glyph number of a code point, from format 12 of the `cmap` table, or 0. */
  #glyph(codePoint: number): number {
    const cmap = this.#tables.get('cmap');
    if (cmap === undefined) return 0;
    for (let index = 0; index < this.#u16(cmap + 2); index++) {
      const table = cmap + this.#u32(cmap + 4 + index * 8 + 4);
      if (this.#u16(table) !== 12) continue;
      const groups = this.#u32(table + 12);
      for (let group = 0; group < groups; group++) {
        const at = table + 16 + group * 12;
        const first = this.#u32(at);
        if (codePoint >= first && codePoint <= this.#u32(at + 4)) {
          return this.#u32(at + 8) + codePoint - first;
        }
      }
    }
    return 0;
  }

  /** The offset and the format of a glyph's picture in CBDT. */
  #location(glyph: number): { at: number; format: number } | null {
    const cblc = this.#tables.get('CBLC');
    const cbdt = this.#tables.get('CBDT');
    if (cblc === undefined || cbdt === undefined || this.#u32(cblc + 4) === 0) return null;
    // These fonts only have one size.
    const list = cblc + this.#u32(cblc + 8);
    const subtables = this.#u32(cblc + 16);
    for (let index = 0; index < subtables; index++) {
      const entry = list + index * 8;
      const first = this.#u16(entry);
      if (glyph < first || glyph > this.#u16(entry + 2)) continue;
      const table = list + this.#u32(entry + 4);
      const [indexFormat, format] = [this.#u16(table), this.#u16(table + 2)];
      const images = cbdt + this.#u32(table + 4);
      const place = glyph - first;
      if (indexFormat === 1) return { at: images + this.#u32(table + 8 + place * 4), format };
      if (indexFormat === 2) return { at: images + this.#u32(table + 8) * place, format };
      if (indexFormat === 3) return { at: images + this.#u16(table + 8 + place * 2), format };
      return null;
    }
    return null;
  }

  /**
   * The PNG of an emoji with one code point (and perhaps a variation selector); null if there is
   * none.
   */
  png(emoji: string): Uint8Array | null {
    const glyph = this.#glyph(emoji.codePointAt(0) ?? 0);
    const found = glyph > 0 ? this.#location(glyph) : null;
    if (!found) return null;
    // Formats 17 and 18 have small and big metrics before the length, 19 has none.
    const metrics = { 17: 5, 18: 8, 19: 0 }[found.format];
    if (metrics === undefined) return null;
    const length = this.#u32(found.at + metrics);
    const start = this.#view.byteOffset + found.at + metrics + 4;
    const png = new Uint8Array(this.#view.buffer, start, length);
    return png[0] === 0x89 && png[1] === 0x50 ? png : null;
  }
}

/** Where Linux distributions install the font. */
const fontPaths = [
  '/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf',
  '/usr/share/fonts/noto/NotoColorEmoji.ttf',
  '/usr/share/fonts/google-noto-emoji/NotoColorEmoji.ttf',
  '/usr/share/fonts/google-noto-color-emoji-fonts/NotoColorEmoji.ttf',
];

/** Opens the first colour emoji font that is installed and readable, or null. */
export async function openEmojiFont(
  paths: readonly string[] = fontPaths,
): Promise<EmojiFont | null> {
  for (const path of paths) {
    try {
      return new EmojiFont(await readFile(path));
    } catch {
      // Not installed here, or not readable: try the next path.
    }
  }
  return null;
}
