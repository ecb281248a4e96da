import type { Edit } from '../edit.ts';
import type { Span } from '../facts.ts';
import { run } from '../program/ffmpeg-process.ts';
import { quietStart } from '../program/input-guard.ts';
import {
  makeEightBitFilter,
  makePictureClock,
  makeToneMapFilter,
  type OpenedSource,
  openSource,
  withoutBars,
} from '../source/open-source.ts';
import { filterNumber } from './cut-graph.ts';
import { computeProxySize, PeakReader, peakSamples, type SoundWave } from './proxy.ts';
import { formatSound } from './sound-graph.ts';
import { planPictureStrip, type PictureStrip } from './source-pictures.ts';

/** Height of a small picture in pixels. */
const pictureHeight = 60;
/** A person waits for it: renders in the background give way. */
const limits = { deadlineSeconds: 60, niceness: 0 };

/** Renders the filmstrip as a JPEG: each second shows the keyframe before it. */
async function renderKeyframes(
  facts: Edit['source'],
  seconds: number,
  opened: OpenedSource,
  signal: AbortSignal,
): Promise<{ strip: PictureStrip; jpeg: Buffer }> {
  const strip = planPictureStrip(computeProxySize(facts), seconds, pictureHeight);
  const { width, height, columns, rows, stepSeconds } = strip;
  const filters = [
    `${makePictureClock(opened)},trim=end=${filterNumber(seconds)}`,
    // The last picture fills the rest of the last row.
    `fps=1/${stepSeconds}:start_time=0:eof_action=pass,tpad=stop=-1:stop_mode=clone`,
    `${withoutBars(facts.content)}${makeEightBitFilter(facts)}${makeToneMapFilter(facts)}scale=${width}:${height}:flags=area:out_range=pc,format=yuvj420p`,
    `tile=${columns}x${rows}`,
  ].join(',');
  const chunks: Buffer[] = [];
  await run(
    'ffmpeg',
    // prettier-ignore
    [
      ...quietStart, '-v', 'error', '-skip_frame', 'nokey', '-an', '-sn', '-dn', '-threads', '1', ...opened.input,
      '-map', `0:${facts.videoStream ?? 'v:0'}`, '-vf', filters,
      '-frames:v', '1', '-c:v', 'mjpeg', '-q:v', '7', '-f', 'image2pipe', 'pipe:1',
    ],
    { ...limits, signal, onStdout: (chunk) => void chunks.push(chunk) },
  );
  return { strip, jpeg: Buffer.concat(chunks) };
}

/** Reads the sound, and reports its peaks as they are known. */
async function measurePeaks(
  facts: Edit['source'],
  seconds: number,
  opened: OpenedSource,
  { signal, onWave }: { signal: AbortSignal; onWave: (part: SoundWave) => void },
): Promise<void> {
  const reader = new PeakReader(seconds);
  await run(
    'ffmpeg',
    // prettier-ignore
    [
      ...quietStart, '-v', 'error', '-vn', '-sn', '-dn', ...opened.input,
      '-filter_complex', `${formatSound(facts, opened)},atrim=end=${filterNumber(seconds)}[a]`,
      '-map', '[a]', ...peakSamples, '-flush_packets', '1', 'pipe:1',
    ],
    {
      ...limits,
      signal,
      onStdout: (chunk) => {
        const peaks = reader.read(chunk);
        if (peaks.length > 0) onWave({ stepSeconds: reader.stepSeconds, peaks });
      },
    },
  );
}

/**
 * Renders what an editor shows until there is a proxy: a filmstrip of the source segment's
 * keyframes, and the parts of its sound wave as they are decoded.
 * @throws {@link ProcessError} if ffmpeg fails, or the signal's reason
 */
export async function renderDraftPreview(
  facts: Edit['source'],
  { start, end }: Span,
  {
    source,
    startTime,
    signal,
    onStrip,
    onWave,
  }: {
    source: string;
    /** The start by the clock of the file, in seconds, if it is known: it is not read then. */
    startTime?: number | undefined;
    signal: AbortSignal;
    /** Called with the filmstrip as a JPEG. */
    onStrip: (strip: PictureStrip, jpeg: Buffer) => void;
    /** Called with the next peaks. */
    onWave: (part: SoundWave) => void;
  },
): Promise<void> {
  const clock = startTime === undefined ? {} : { startTime };
  const opened = await openSource(source, { from: start, picture: null, ...clock, signal });
  const seconds = end - start;
  await Promise.all([
    renderKeyframes(facts, seconds, opened, signal).then(({ strip, jpeg }) => onStrip(strip, jpeg)),
    facts.hasAudio && measurePeaks(facts, seconds, opened, { signal, onWave }),
  ]);
}
