import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Edit } from '../edit.ts';
import { targetLufs } from '../music-level.ts';
import { run } from '../program/ffmpeg-process.ts';
import { decodeGuard, quietStart } from '../program/input-guard.ts';
import { isOfTheInput, ProcessError } from '../program/process-error.ts';
import { LoudnessSummary } from './loudness.ts';
import { checkHead, openProbed } from '../source/check-file.ts';
import { probe, findSoundStream, readStatedDuration } from '../source/probe.ts';
import { SourceError } from '../source/source-error.ts';

/** Largest file of music, in bytes. */
export const maxMusicBytes = 20 * 1024 ** 2;
/** Length of music in seconds. */
const [minSeconds, maxSeconds] = [1, 600];
/** Softer than this is silence, in LUFS. */
const silentLufs = -60;

/** Ten times what such a file needs. */
const limits = { memoryBytes: 1024 ** 3, fileBytes: 64 * 1024 ** 2 };

/** A file of music cannot be used. The message is for users. */
export class MusicError extends Error {
  override name = 'MusicError';
}

function requireLength(seconds: number): void {
  if (seconds >= minSeconds && seconds <= maxSeconds) return;
  throw new MusicError(`The music must be ${minSeconds} to ${maxSeconds} seconds long.`);
}

/**
 * Checks a file of music, and writes its first audio track as AAC in MP4 to `output`, at -14 LUFS.
 * The programs that read the untrusted file have limits.
 * @throws {@link MusicError} which says why it cannot be used, or the signal's reason
 */
export async function readMusicFile(
  path: string,
  { output, signal }: { output: string; signal: AbortSignal },
): Promise<{ seconds: number }> {
  try {
    await checkHead(path);
    const probed = await openProbed(path, signal);
    const track = findSoundStream(probed);
    if (!track) throw new MusicError('The file has no sound. Send a file of music.');
    requireLength(readStatedDuration(probed));
    const decode = (filters: string, to: readonly string[], onStderrLine = (_: string) => {}) =>
      run(
        'ffmpeg',
        // prettier-ignore
        [
          ...quietStart, '-threads', '1', ...decodeGuard, '-vn', '-sn', '-dn', '-i', path,
          '-map', `0:${track.index}`, '-t', String(maxSeconds + 1),
          '-af', `aresample=48000,aformat=sample_fmts=fltp:channel_layouts=stereo,${filters}`, ...to,
        ],
        { signal, deadlineSeconds: 120, limits, onStderrLine },
      );
    const summary = new LoudnessSummary();
    const toNothing = ['-f', 'null', '-'];
    await decode('ebur128=framelog=verbose:peak=sample', toNothing, (line) => summary.line(line));
    const { lufs = -Infinity } = summary.end() ?? {};
    if (lufs < silentLufs) throw new MusicError('The file is silent. Send a file of music.');
    // prettier-ignore
    await decode(`volume=${(targetLufs - lufs).toFixed(2)}dB,alimiter=limit=0.9:level=0`, [
      '-c:a', 'aac', '-b:a', '160k', '-map_metadata', '-1', '-map_chapters', '-1',
      '-movflags', '+faststart', '-f', 'mp4', '-y', output,
    ]);
    const seconds = readStatedDuration(await probe(output, signal));
    requireLength(seconds);
    return { seconds };
  } catch (error) {
    await rm(output, { force: true });
    const isOfFile =
      error instanceof SourceError || (error instanceof ProcessError && isOfTheInput(error));
    if (!isOfFile) throw error;
    throw new MusicError(
      'The file cannot be read as music. Send MP3, M4A, AAC, WAV, FLAC, Ogg or Opus.',
      { cause: error },
    );
  }
}

/** The input of an edit's music after that of its source; none for an edit without. */
export function listMusicInput({ music }: Edit, path: string | undefined): string[] {
  if (!music) return [];
  if (path === undefined) {
    throw new Error('The edit has music, whose file is not here. Remove `music` from the edit.');
  }
  return ['-stream_loop', '-1', ...decodeGuard, '-vn', '-sn', '-dn', '-i', resolve(path)];
}
