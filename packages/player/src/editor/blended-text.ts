/** A mask of letters in one colour, as libass draws it. */
export interface TextMask {
  x: number;
  y: number;
  width: number;
  height: number;
  /** Bytes from one line to the next. */
  stride: number;
  /** How much of each pixel the letters cover, from the first byte of the mask on. */
  cover: Uint8Array;
  /** Red, green, blue and transparency, a byte each. */
  colour: number;
}

/** The masks over each other as one picture, just large enough; null if there is nothing to see. */
export function blendedText(
  masks: readonly TextMask[],
): { x: number; y: number; picture: ImageData } | null {
  const seen = masks.filter(({ width, height }) => width > 0 && height > 0);
  if (seen.length === 0) return null;
  const left = Math.min(...seen.map(({ x }) => x));
  const top = Math.min(...seen.map(({ y }) => y));
  const width = Math.max(...seen.map((mask) => mask.x + mask.width)) - left;
  const height = Math.max(...seen.map((mask) => mask.y + mask.height)) - top;
  const picture = new ImageData(width, height);
  const pixels = picture.data;
  for (const mask of seen) {
    const [red, green, blue, clear] = [24, 16, 8, 0].map(
      (bits) => (mask.colour >>> bits) & 255,
    ) as [number, number, number, number];
    for (let row = 0; row < mask.height; row++) {
      let from = row * mask.stride;
      let to = 4 * ((mask.y - top + row) * width + mask.x - left);
      for (let column = 0; column < mask.width; column++, from++, to += 4) {
        const over = (mask.cover[from]! * (255 - clear)) / 65025;
        if (over === 0) continue;
        const under = (pixels[to + 3]! / 255) * (1 - over);
        const both = over + under;
        pixels[to] = (red * over + pixels[to]! * under) / both;
        pixels[to + 1] = (green * over + pixels[to + 1]! * under) / both;
        pixels[to + 2] = (blue * over + pixels[to + 2]! * under) / both;
        pixels[to + 3] = both * 255;
      }
    }
  }
  return { x: left, y: top, picture };
}
