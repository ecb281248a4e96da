import type { Terminal } from './terminal.ts';
import { openVideo } from './open-video.ts';
import type { readProbe } from './options.ts';
import { clock, table } from './table.ts';
import { inWorkDirectory } from './work-directory.ts';

/** `clip-engine probe`: prints what a video file contains. */
export const describeVideo = (
  { input, options }: ReturnType<typeof readProbe>,
  { out, signal }: Terminal,
): Promise<void> =>
  inWorkDirectory(async (directory) => {
    const { media, transcriptPath } = await openVideo(input, {
      directory,
      allowPrivate: true,
      signal,
    });
    const facts = { ...media, hasSubtitles: transcriptPath !== null };
    if (options.json) {
      out(`${JSON.stringify(facts, null, 2)}\n`);
      return;
    }
    const { width, height, frameRate, videoCodec, audioCodec } = media;
    const rows = [
      ['length', clock(media.duration)],
      ['picture', `${width} × ${height}, ${Number(frameRate.toFixed(3))} frames a second`],
      ['codecs', audioCodec === null ? `${videoCodec}, no sound` : `${videoCodec}, ${audioCodec}`],
      ['subtitles', transcriptPath === null ? 'none' : 'found'],
    ];
    out(table(['', ''], rows).trimStart());
  });
