import { maxSubtitleBytes, SourceError } from 'clip-engine';
import { maxInputSeconds, type NewUpload, subtitleEndings, type Upload } from 'clip-kit/contract';
import { ApiError } from '../api-error.ts';
import { limitReached } from '../users/limits.ts';
import type { UploadLimits } from '../config/config.ts';
import type { UploadUsage } from './queries.ts';
import type { UploadRow } from '../db/schema.ts';

/** Returns the kind of an upload, by the ending of its name. */
export const getKind = (name: string): UploadRow['kind'] =>
  subtitleEndings.some((ending) => name.toLowerCase().endsWith(ending)) ? 'subtitles' : 'video';

/** Returns the address for the bytes. `publicUrl`: the service's address. */
const uploadAddress = (publicUrl: string, id: string): string => `${publicUrl}/uploads/${id}`;

/** The id of an upload in the address of one of this service; null for any other address. */
export function parseUploadId(publicUrl: string, address: string): string | null {
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

/** Returns the limits of uploads, with their defaults. */
export const completeUploadLimits = ({
  maxBytes = 8 * 1024 ** 3,
  ...given
}: UploadLimits = {}): Required<UploadLimits> => ({
  maxBytes,
  openPerUser: 20,
  bytesPerUser: 8 * maxBytes,
  ...given,
});

/** The disk has no room for a file. */
export const makeNoRoomError = (bytes: number, room: number): ApiError =>
  new ApiError(
    'no-room',
    `The service does not have enough disk space for this file: ${formatBytes(bytes)} are still to come, and ${formatBytes(room)} are free after reservations for other uploads. Ask the service’s operator to free some space, or try again later.`,
  );

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const;

/** Bytes in a readable form: `1.5 GB`. */
function formatBytes(bytes: number): string {
  let [value, unit] = [bytes, 0];
  for (; value >= 1000 && unit < units.length - 1; unit += 1) value /= 1000;
  return `${Number(value.toFixed(value < 10 ? 1 : 0))} ${units[unit]}`;
}

/** The `Retry-After` of unfinished uploads, whose end is not known. */
const retrySeconds = 60;

/**
 * Throws before a byte is sent: ApiError for a file that is too large, or SourceError if the video
 * is said to be too long for any task.
 */
export function requireUploadable(
  { name, size, seconds = 0 }: NewUpload,
  { maxBytes, maxSourceSeconds }: { maxBytes: number; maxSourceSeconds: number },
): void {
  const isSubtitles = getKind(name) === 'subtitles';
  const most = isSubtitles ? Math.min(maxBytes, maxSubtitleBytes) : maxBytes;
  if (size > most) {
    throw new ApiError(
      'body-too-large',
      `The file has ${formatBytes(size)}. The limit for ${isSubtitles ? 'subtitles' : 'a video'} is ${formatBytes(most)}. Use a smaller file.`,
    );
  }
  const mostSeconds = Math.min(maxSourceSeconds, Math.max(...Object.values(maxInputSeconds)));
  if (!isSubtitles && seconds > mostSeconds) {
    const hours = (value: number) =>
      `${Math.floor(value / 3600)} h ${Math.floor(value / 60) % 60} min`;
    throw new SourceError(
      'source-too-long',
      `The video is ${hours(seconds)} long. The limit is ${hours(mostSeconds)}. Use a shorter video.`,
    );
  }
}

/** Throws ApiError if a user may have no other upload of this size now. */
export function requireUploadRoom(
  { openPerUser, bytesPerUser }: Required<UploadLimits>,
  { open, bytes }: UploadUsage,
  size: number,
): void {
  if (open >= openPerUser) {
    throw limitReached(
      'open-uploads',
      `This user has ${open} unfinished uploads; the limit is ${openPerUser}. Finish or delete one of them first.`,
      retrySeconds,
    );
  }
  if (bytes + size > bytesPerUser) {
    throw limitReached(
      'upload-bytes',
      `This user has ${formatBytes(bytes)} in uploads that no task uses; the limit is ${formatBytes(bytesPerUser)}. Create tasks with them, or delete one first.`,
      retrySeconds,
    );
  }
}
