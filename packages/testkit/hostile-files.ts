import { crc32, deflateRawSync } from 'node:zlib';

/**
 * The bytes of a Matroska file with another duration in its header, in seconds. The file's own unit
 * is milliseconds.
 */
export function withDuration(video: Buffer, seconds: number): Buffer {
  const changed = Buffer.from(video);
  const element = changed.indexOf(Buffer.from([0x44, 0x89, 0x88]));
  if (element < 0) throw new Error('This file states no duration.');
  changed.writeDoubleBE(seconds * 1000, element + 3);
  return changed;
}

/** The bytes of an AVI file whose header and JPEG pictures all state another size. */
export function withPictureSize(video: Buffer, width: number, height: number): Buffer {
  const changed = Buffer.from(video);
  const format = changed.indexOf('strf');
  changed.writeInt32LE(width, format + 12);
  changed.writeInt32LE(height, format + 16);
  const frameStart = Buffer.from([0xff, 0xc0, 0x00, 0x11, 0x08]);
  for (let found = 0; (found = changed.indexOf(frameStart, found)) >= 0; found += 5) {
    changed.writeUInt16BE(height, found + 5);
    changed.writeUInt16BE(width, found + 7);
  }
  return changed;
}

/** An archive with one compressed file. */
export function zipOf(name: string, content: Buffer): Buffer {
  const data = deflateRawSync(content);
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(8, 4);
  common.writeUInt32LE(crc32(content), 10);
  common.writeUInt32LE(data.length, 14);
  common.writeUInt32LE(content.length, 18);
  common.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), data]);
  const entry = Buffer.concat([
    Buffer.from('PK\x01\x02\x14\0'),
    common,
    Buffer.alloc(14),
    Buffer.from(name),
  ]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, entry, end]);
}

const holders = new Set(['moov', 'trak', 'mdia', 'minf', 'dinf']);

/** Boxes of a QuickTime file, with its data blank and each list of data references replaced. */
function replaced(boxes: Buffer, reference: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < boxes.length;) {
    const size = boxes.readUInt32BE(at);
    const type = boxes.toString('latin1', at + 4, at + 8);
    const body = boxes.subarray(at + 8, at + size);
    if (type === 'dref') parts.push(reference);
    else if (type === 'mdat') parts.push(box(type, Buffer.alloc(body.length)));
    else if (holders.has(type)) parts.push(box(type, replaced(body, reference)));
    else parts.push(boxes.subarray(at, at + size));
    at += size;
  }
  return Buffer.concat(parts);
}

function box(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

/**
 * The bytes of a QuickTime file (its index at the end) without data. It says that its data is in
 * `name`, in the same directory, with an alias record like those of old editing programs.
 */
export function withExternalData(video: Buffer, name: string): Buffer {
  const alias = Buffer.alloc(150);
  alias.writeUInt8(7, 10);
  alias.write('VOLUME', 11, 'latin1');
  alias.writeUInt8(name.length, 50);
  alias.write(name, 51, 'latin1');
  alias.writeInt16BE(1, 130);
  alias.writeInt16BE(1, 132);
  const path = Buffer.from(`/${name}`);
  const record = Buffer.alloc(4 + path.length + (path.length % 2));
  record.writeInt16BE(2, 0);
  record.writeInt16BE(path.length, 2);
  path.copy(record, 4);
  const end = Buffer.from([0xff, 0xff, 0, 0]);
  const entry = box('alis', Buffer.concat([Buffer.alloc(4), alias, record, end]));
  return replaced(
    video,
    box('dref', Buffer.concat([Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]), entry])),
  );
}
