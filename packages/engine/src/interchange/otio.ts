import type { Edit } from '../edit.ts';
import { leftOut, relativeAddress, timelineRanges, type TimelineNames } from './timeline.ts';

const time = (value: number, rate: number) => ({ OTIO_SCHEMA: 'RationalTime.1', rate, value });

const timeRange = (start: number, duration: number, rate: number) => ({
  OTIO_SCHEMA: 'TimeRange.1',
  start_time: time(start, rate),
  duration: time(duration, rate),
});

const item = (schema: string, name: string) => ({
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
export function otio(edit: Edit, { title, source }: TimelineNames): string {
  const rate = edit.frameRate;
  const track = (kind: 'Video' | 'Audio') => ({
    ...item('Track.1', kind),
    source_range: null,
    kind,
    children: timelineRanges(edit).map(({ sourceFrame, frames }) => ({
      ...item('Clip.2', source),
      source_range: timeRange(sourceFrame, frames, rate),
      media_references: {
        DEFAULT_MEDIA: {
          OTIO_SCHEMA: 'ExternalReference.1',
          metadata: {},
          name: source,
          available_range: null,
          available_image_bounds: null,
          target_url: relativeAddress(source),
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
      ...item('Stack.1', 'tracks'),
      source_range: null,
      children: [track('Video'), ...(edit.source.hasAudio ? [track('Audio')] : [])],
    },
  };
  return `${JSON.stringify(timeline, null, 2)}\n`;
}
