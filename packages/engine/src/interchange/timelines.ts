import type { Dimensions, Edit } from '../edit.ts';
import type { MediaInfo } from '../facts.ts';

const makeRationalTime = (value: number, rate: number) => ({
  OTIO_SCHEMA: 'RationalTime.1',
  rate,
  value,
});

const makeTimeRange = (start: number, duration: number, rate: number) => ({
  OTIO_SCHEMA: 'TimeRange.1',
  start_time: makeRationalTime(start, rate),
  duration: makeRationalTime(duration, rate),
});

const makeItem = (schema: string, name: string) => ({
  OTIO_SCHEMA: schema,
  metadata: {},
  name,
  effects: [],
  markers: [],
  enabled: true,
});

/**
 * The cuts of a clip for OpenTimelineIO (`.otio`): a video track and, if there is sound, an audio
 * track over the source's file.
 */
export function writeOtio(
  edit: Edit,
  { title, source, file = describeFile(edit) }: TimelineNames,
): string {
  const rate = edit.frameRate;
  const firstFrame = Math.round(getFirstSecond(file) * rate);
  const track = (kind: 'Video' | 'Audio') => ({
    ...makeItem('Track.1', kind),
    source_range: null,
    kind,
    children: listTimelineRanges(edit).map(({ sourceFrame, frames }) => ({
      ...makeItem('Clip.2', source),
      source_range: makeTimeRange(firstFrame + sourceFrame, frames, rate),
      media_references: {
        DEFAULT_MEDIA: {
          OTIO_SCHEMA: 'ExternalReference.1',
          metadata: {},
          name: source,
          available_range: makeTimeRange(firstFrame, Math.round(file.duration * rate), rate),
          available_image_bounds: null,
          target_url: makeRelativeAddress(source),
        },
      },
      active_media_reference_key: 'DEFAULT_MEDIA',
    })),
  });
  const { width, height } = edit.dimensions;
  const timeline = {
    OTIO_SCHEMA: 'Timeline.1',
    metadata: { clip_engine: { width, height, left_out: leftOut } },
    name: title,
    global_start_time: null,
    tracks: {
      ...makeItem('Stack.1', 'tracks'),
      source_range: null,
      children: [
        ...(edit.source.soundAlone ? [] : [track('Video')]),
        ...(edit.source.hasAudio ? [track('Audio')] : []),
      ],
    },
  };
  return `${JSON.stringify(timeline, null, 2)}\n`;
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};
/** Without the control characters that no XML may hold. */
const escapeXml = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, ' ').replace(/[&<>"]/g, (sign) => escapes[sign]!);

/** The length of a frame as a fraction of a second: rates such as 29.97 are 30000/1001. */
function frameFraction(frameRate: number): { over: number; under: number } {
  const whole = Math.round(frameRate);
  if (Math.abs(frameRate - whole) < 1e-3) return { over: 1, under: whole };
  const ntsc = (whole * 1000) / 1001;
  return Math.abs(frameRate - ntsc) < 1e-2
    ? { over: 1001, under: whole * 1000 }
    : { over: 1000, under: Math.round(frameRate * 1000) };
}

/** A sum of two fractions of a second as FCPXML writes it. */
const formatSeconds = (
  one: { above: number; below: number },
  other: { above: number; below: number } = { above: 0, below: one.below },
): string =>
  one.below === other.below
    ? `${one.above + other.above}/${one.below}s`
    : `${one.above * other.below + other.above * one.below}/${one.below * other.below}s`;

/**
 * The cuts of a clip for Final Cut Pro and what reads its XML (`.fcpxml` 1.10): one storyline over
 * the source's file.
 */
export function writeFcpxml(
  edit: Edit,
  { title, source, file = describeFile(edit) }: TimelineNames,
): string {
  const framesAt = (frameRate: number) => {
    const { over, under } = frameFraction(frameRate);
    return (frames: number) => ({ above: frames * over, below: under });
  };
  const inClip = framesAt(edit.frameRate);
  const time = (frames: number): string => formatSeconds(inClip(frames));
  const inFile = framesAt(file.frameRate);
  const first = file.timecode
    ? framesAt(file.timecode.frameRate)(countTimecodeFrames(file.timecode))
    : inFile(0);
  const ranges = listTimelineRanges(edit);
  const name = escapeXml(source);
  const frames = ranges.reduce((sum, range) => sum + range.frames, 0);
  const fileFrames = Math.floor(file.duration * file.frameRate + 1e-3);
  const format = (id: string, frame: string, { width, height }: Dimensions): string =>
    `<format id="${id}" frameDuration="${frame}" width="${width}" height="${height}"/>`;
  const counting = `tcFormat="${isDropped(file) ? 'DF' : 'NDF'}"`;
  const sound = edit.source.hasAudio ? ' hasAudio="1" audioSources="1"' : '';
  // The picture of sound alone is not in the person's file.
  const picture = edit.source.soundAlone ? '' : ' hasVideo="1"';
  const pictureFormat = edit.source.soundAlone ? '' : ' format="r2"';
  const clips = ranges.map(
    (range) =>
      `<asset-clip ref="r3" name="${name}" offset="${time(range.frame)}" start="${formatSeconds(first, inClip(range.sourceFrame))}" duration="${time(range.frames)}" ${counting}/>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE fcpxml>
<fcpxml version="1.10">
  <!-- Not in here: ${leftOut.join(', ')}. -->
  <resources>
    ${format('r1', time(1), edit.dimensions)}
    ${format('r2', formatSeconds(inFile(1)), file)}
    <asset id="r3" name="${name}" start="${formatSeconds(first)}" duration="${formatSeconds(inFile(fileFrames))}"${picture}${sound}${pictureFormat}>
      <media-rep kind="original-media" src="${makeRelativeAddress(source)}"/>
    </asset>
  </resources>
  <library>
    <event name="${escapeXml(title)}">
      <project name="${escapeXml(title)}">
        <sequence format="r1" duration="${time(frames)}" tcStart="0s" tcFormat="NDF">
          <spine>
            ${clips.join('\n            ')}
          </spine>
        </sequence>
      </project>
    </event>
  </library>
</fcpxml>
`;
}

/** Data for an editing program: names, and the source's file to link again. */
export interface TimelineNames {
  /** Name of the timeline. */
  title: string;
  /** File name of the source, without a folder. */
  source: string;
  /**
   * The contents of the source's file.
   * @default as much as the edit shows of it
   */
  file?: Pick<MediaInfo, 'width' | 'height' | 'duration' | 'frameRate' | 'timecode'> | undefined;
  /**
   * The length of the intro before the captions.
   * @default 0
   */
  introSeconds?: number | undefined;
}

/** The file of an edit's source, as far as the edit knows it: with its black bars. */
function describeFile({ source, ranges }: Edit): NonNullable<TimelineNames['file']> {
  const { content = { width: 1, height: 1 }, frameRate } = source;
  return {
    width: Math.round(source.width / content.width),
    height: Math.round(source.height / content.height),
    duration: ranges.at(-1)!.end,
    frameRate,
  };
}

/** Hours, minutes, seconds and frames, with a mark before the frames. */
const timecodeParts = /^(\d{2}):(\d{2}):(\d{2})([:;.,])(\d{2,3})$/;

/** Whether a time code leaves out numbers, to keep up with the clock at 29.97 or 59.94. */
const isDropped = ({ timecode }: Pick<MediaInfo, 'timecode'>): boolean =>
  /[;.,]/.test(timecode?.start ?? '') && Math.round(timecode!.frameRate) % 30 === 0;

/** The number of the frame that a time code names; 0 if it cannot be read. */
function countTimecodeFrames(timecode: NonNullable<MediaInfo['timecode']>): number {
  const parts = timecodeParts.exec(timecode.start);
  if (!parts) return 0;
  const [hours, minutes, seconds, frames] = [parts[1], parts[2], parts[3], parts[5]].map(Number);
  const inMinutes = 60 * hours! + minutes!;
  const counted = Math.round(timecode.frameRate);
  // Drop-frame time code skips two frame numbers (four at 59.94) each minute, except every tenth.
  const left = (inMinutes - Math.floor(inMinutes / 10)) * Math.round(counted / 15);
  const all = (60 * inMinutes + seconds!) * counted + frames!;
  return all - (isDropped({ timecode }) ? left : 0);
}

/** When the first picture of a file is shown by its time code, in seconds. */
const getFirstSecond = ({ timecode }: Pick<MediaInfo, 'timecode'>): number =>
  timecode ? countTimecodeFrames(timecode) / timecode.frameRate : 0;

/** A kept range in whole frames of the output's rate: its place in the source and in the clip. */
interface TimelineRange {
  sourceFrame: number;
  frame: number;
  frames: number;
}

/** The source as an address relative to the timeline's file. */
const makeRelativeAddress = (source: string): string => encodeURIComponent(source.toWellFormed());

/** Features that a timeline cannot express: a person does it again, or takes the rendered file. */
// prettier-ignore
const leftOut = [
  'captions', 'title', 'emojis', 'framing', 'style', 'loudness', 'muted words', 'music',
  'intro', 'outro',
] as const;

/** The kept ranges in frames. */
function listTimelineRanges({ ranges, frameRate }: Edit): TimelineRange[] {
  let frame = 0;
  return ranges.map(({ start, end }) => {
    const frames = Math.round((end - start) * frameRate);
    const range = { sourceFrame: Math.round(start * frameRate), frame, frames };
    frame += frames;
    return range;
  });
}
