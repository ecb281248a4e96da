import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** The functions of HarfBuzz that are used, compiled to WebAssembly. Numbers are addresses. */
interface HarfBuzz {
  memory: WebAssembly.Memory;
  malloc(bytes: number): number;
  hb_blob_create(at: number, bytes: number, mode: number, data: number, free: number): number;
  hb_blob_get_data(blob: number, length: number): number;
  hb_blob_get_length(blob: number): number;
  hb_face_create(blob: number, index: number): number;
  hb_face_reference_blob(face: number): number;
  hb_set_add(set: number, point: number): void;
  hb_subset_input_create_or_fail(): number;
  hb_subset_input_unicode_set(input: number): number;
  hb_subset_or_fail(face: number, input: number): number;
}

/** HarfBuzz may write to the bytes of a font. */
const writable = 2;

let compiled: Promise<WebAssembly.Module> | undefined;

async function load(): Promise<HarfBuzz> {
  const path = createRequire(import.meta.url).resolve('harfbuzzjs/dist/harfbuzz-subset.wasm');
  compiled ??= readFile(path).then((bytes) => WebAssembly.compile(bytes));
  const { exports } = await WebAssembly.instantiate(await compiled);
  return exports as unknown as HarfBuzz;
}

/**
 * A font with only these letters, and what they need of it. Their hints stay: they change how
 * letters are drawn.
 * @param index of the font in a file of many
 * @throws Error if the bytes are not a font
 */
export async function makeFontSubset(
  font: Uint8Array,
  index: number,
  letters: Iterable<string>,
): Promise<Uint8Array<ArrayBuffer>> {
  // A new memory each time: that of a large font would stay.
  const hb = await load();
  const at = hb.malloc(font.byteLength);
  new Uint8Array(hb.memory.buffer).set(font, at);
  const blob = hb.hb_blob_create(at, font.byteLength, writable, 0, 0);
  const face = hb.hb_face_create(blob, index);
  const input = hb.hb_subset_input_create_or_fail();
  const points = hb.hb_subset_input_unicode_set(input);
  for (const letter of letters) hb.hb_set_add(points, letter.codePointAt(0)!);
  const subset = hb.hb_subset_or_fail(face, input);
  if (subset === 0) throw new Error('The font cannot be read.');
  const made = hb.hb_face_reference_blob(subset);
  const from = hb.hb_blob_get_data(made, 0);
  return new Uint8Array(hb.memory.buffer).slice(from, from + hb.hb_blob_get_length(made));
}
