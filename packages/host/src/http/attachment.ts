import { downloadFileName } from 'clip-kit/contract';

/** What ends a header or a path, what Windows refuses, and what changes the direction of text. */
const unsafe = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"*/:<>?\\|]/gu;

/** File systems take 255 bytes; most letters have at most three. */
const maxNameLength = 80;

/** `Content-Disposition` with which every browser saves an MP4 file under this name. */
export function attachment(name: string): string {
  const cleaned = name.replace(/\.mp4$/i, '').replace(unsafe, '_');
  const stem = [...cleaned]
    .slice(0, maxNameLength)
    .join('')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  const encoded = encodeURIComponent(`${stem || 'clip'}.mp4`).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${downloadFileName(stem || 'clip')}"; filename*=UTF-8''${encoded}`;
}
