/** The kind of a file, from its first bytes. */
export type Sniffed =
  | { kind: 'video'; container: string }
  | { kind: 'playlist' }
  | { kind: 'page' }
  | { kind: 'empty' }
  | { kind: 'other' };

const ascii = (bytes: Uint8Array, from: number, to: number) =>
  String.fromCharCode(...bytes.subarray(from, to));

const playlistStarts = [
  '#extm3u',
  '#ext-x-',
  'ffconcat version',
  '[playlist]',
  '[reference]',
  '<mpd',
  '<smil',
  '<asx',
  '<playlist',
  '<smoothstreamingmedia',
  'v=0\n',
  'v=0\r',
  'rtsptext',
  'file ',
];

function text(head: Uint8Array): string | null {
  const shown = new TextDecoder('utf-8', { fatal: false }).decode(head.subarray(0, 4096));
  // Nearly every container has a zero byte, and text has none. A UTF-16 playlist has its own mark.
  if (shown.includes('\0') && !(head[0] === 0xff && head[1] === 0xfe)) return null;
  return shown
    .replaceAll('\0', '')
    .replace(/^[\uFEFF\uFFFD\s]+/u, '')
    .toLowerCase();
}

/** @param head the first 4096 bytes or more */
export function sniff(head: Uint8Array): Sniffed {
  if (head.length === 0) return { kind: 'empty' };
  const box = ascii(head, 4, 8);
  if (['ftyp', 'moov', 'mdat', 'free', 'wide', 'skip', 'pnot'].includes(box)) {
    return { kind: 'video', container: 'mp4' };
  }
  if (head[0] === 0x1a && head[1] === 0x45 && head[2] === 0xdf && head[3] === 0xa3) {
    return { kind: 'video', container: 'matroska' };
  }
  if (ascii(head, 0, 4) === 'RIFF' && ascii(head, 8, 11) === 'AVI') {
    return { kind: 'video', container: 'avi' };
  }
  if (ascii(head, 0, 3) === 'FLV') return { kind: 'video', container: 'flv' };
  if (ascii(head, 0, 4) === 'OggS') return { kind: 'video', container: 'ogg' };
  if (head[0] === 0 && head[1] === 0 && head[2] === 1 && head[3] === 0xba) {
    return { kind: 'video', container: 'mpeg' };
  }
  if (head[0] === 0x47 && head[188] === 0x47 && head[376] === 0x47) {
    return { kind: 'video', container: 'mpegts' };
  }
  if (head[4] === 0x47 && head[196] === 0x47 && head[388] === 0x47) {
    return { kind: 'video', container: 'mpegts' };
  }
  if ([0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11].every((byte, at) => head[at] === byte)) {
    return { kind: 'video', container: 'asf' };
  }
  if (head[0] === 0x1f && head[1] === 0x07 && head[2] === 0x00) {
    return { kind: 'video', container: 'dv' };
  }
  const shown = text(head);
  if (shown === null) return { kind: 'other' };
  const body = shown.replace(/^<\?xml[^>]*\?>\s*/, '').replace(/^(?:<!--[\s\S]*?-->\s*)+/, '');
  if (playlistStarts.some((start) => body.startsWith(start))) return { kind: 'playlist' };
  if (/^<!doctype html|^<html|^<head|^<body/.test(body)) return { kind: 'page' };
  return shown.startsWith('<?xml') ? { kind: 'playlist' } : { kind: 'other' };
}
