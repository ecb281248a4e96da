import { subtitleEndings, type Upload } from 'clip-kit/contract';
import type { UploadRow } from '../db/schema.ts';

/** What a file is uploaded as, by the ending of its name. */
export const kindOf = (name: string): UploadRow['kind'] =>
  subtitleEndings.some((ending) => name.toLowerCase().endsWith(ending)) ? 'subtitles' : 'video';

/** The address that takes the bytes. `publicUrl`: that of the service. */
const uploadAddress = (publicUrl: string, id: string): string => `${publicUrl}/uploads/${id}`;

/** The id of an upload in the address of one of this service; null for any other address. */
export function uploadIdOf(publicUrl: string, address: string): string | null {
  const { origin, pathname } = new URL(address);
  const start = uploadAddress(publicUrl, '');
  const path = origin + pathname;
  return path.startsWith(start) ? path.slice(start.length) : null;
}

/** Upload Object. `received`: bytes that are stored now. */
export const uploadObject = (row: UploadRow, publicUrl: string, received: number): Upload => ({
  id: row.id,
  status: row.finished_at ? 'finished' : 'open',
  protocol: 'tus',
  url: uploadAddress(publicUrl, row.id),
  name: row.name,
  size: row.size,
  offset: row.finished_at ? row.size : received,
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
});
