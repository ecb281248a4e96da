import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  /** Its path in the archive, with `/`. */
  readonly path: string;
  readonly content: Uint8Array;
}

/** 1 January 1980: the same files make the same archive. */
const date = 0x21;
const utf8Names = 0x800;
const deflated = 8;

function numbers(fields: readonly (readonly [value: number, bytes: 2 | 4])[]): Buffer {
  return Buffer.concat(
    fields.map(([value, bytes]) => {
      const field = Buffer.alloc(bytes);
      field.writeUIntLE(value, 0, bytes);
      return field;
    }),
  );
}

/** A zip archive, for files of less than 4 GB. */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { path, content } of entries) {
    const name = Buffer.from(path);
    const data = deflateRawSync(content, { level: 9 });
    const described = numbers([
      [20, 2],
      [utf8Names, 2],
      [deflated, 2],
      [0, 2],
      [date, 2],
      [crc32(content), 4],
      [data.length, 4],
      [content.length, 4],
      [name.length, 2],
      [0, 2],
    ]);
    const local = Buffer.concat([numbers([[0x04034b50, 4]]), described, name, data]);
    parts.push(local);
    const place = numbers([
      [0, 2],
      [0, 2],
      [0, 2],
      [0, 4],
      [offset, 4],
    ]);
    directory.push(
      numbers([
        [0x02014b50, 4],
        [20, 2],
      ]),
      described,
      place,
      name,
    );
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = numbers([
    [0x06054b50, 4],
    [0, 2],
    [0, 2],
    [entries.length, 2],
    [entries.length, 2],
    [listed.length, 4],
    [offset, 4],
    [0, 2],
  ]);
  return Buffer.concat([...parts, listed, end]);
}
