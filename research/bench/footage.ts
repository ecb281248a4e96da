import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { IngestedSource } from '../../packages/engine/src/facts.ts';
import {
  makeMediaInfo,
  probe,
  readStatedDuration,
} from '../../packages/engine/src/source/probe.ts';
import { parseSubtitles } from '../../packages/engine/src/words/subtitles.ts';
import { ffmpegSeconds } from './measured-run.ts';

async function described(path: string, transcriptPath: string | null): Promise<IngestedSource> {
  const probed = await probe(path, new AbortController().signal);
  const media = makeMediaInfo(probed, readStatedDuration(probed));
  if (!media) throw new Error(`${path} holds no video.`);
  return { path, transcriptPath, media, sha256: '', bytes: (await stat(path)).size };
}

/** The demo's sample: drawn and spoken, flat colours, 130 s of 1080p. */
export function sampleFootage(): Promise<IngestedSource> {
  const at = (name: string) => fileURLToPath(new URL(`../../demo/sample/${name}`, import.meta.url));
  return described(at('sample.mp4'), at('sample.vtt'));
}

/** Ten minutes of the sample: it is repeated without encoding it again, its words with it. */
export async function tenMinutes(
  sample: IngestedSource,
  directory: string,
): Promise<IngestedSource> {
  const path = join(directory, 'ten-minutes.mp4');
  await ffmpegSeconds(
    ['-stream_loop', '-1', '-i', sample.path, '-t', '600', '-c', 'copy', '-y', path],
    directory,
  );
  const transcriptPath = join(directory, 'ten-minutes.vtt');
  const said = await parseSubtitles(await readFile(sample.transcriptPath ?? '', 'utf8'));
  const clock = (at: number): string => new Date(at * 1000).toISOString().slice(11, 23);
  const cues: string[] = [];
  for (let from = 0; from < 600; from += sample.media.duration) {
    for (const { start, end, words } of said) {
      const text = words.map((word) => word.text).join(' ');
      if (from + end < 600) {
        cues.push(`${clock(from + start)} --> ${clock(from + end)}\n${text}\n`);
      }
    }
  }
  await writeFile(transcriptPath, `WEBVTT\n\n${cues.join('\n')}`);
  return described(path, transcriptPath);
}

/**
 * A segment of the sample under strong grain that is new in every frame, as a camera in a dark hall
 * makes it: the dearest picture there is for an encoder. Encoded as the sample is.
 */
export async function grainFootage(
  sample: IngestedSource,
  segment: { start: number; seconds: number },
  directory: string,
): Promise<IngestedSource> {
  const path = join(directory, 'grain.mp4');
  await ffmpegSeconds(
    [
      ...['-ss', segment.start.toFixed(6), '-t', segment.seconds.toFixed(6), '-i', sample.path],
      ...['-vf', 'noise=alls=12:allf=t', '-c:v', 'libx264', '-preset', 'superfast', '-crf', '20'],
      ...['-g', '50', '-c:a', 'aac', '-b:a', '128k', '-y', path],
    ],
    directory,
  );
  return described(path, null);
}
