import type { Edit } from '../edit.ts';
import { leftOut, relativeAddress, timelineRanges, type TimelineNames } from './timeline.ts';

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};
/** Without the control characters that no XML may hold. */
const escaped = (text: string): string =>
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

/**
 * The cuts of a clip for Final Cut Pro and what reads its XML (`.fcpxml` 1.10): one storyline over
 * the source's file.
 */
export function fcpxml(edit: Edit, { title, source }: TimelineNames): string {
  const { over, under } = frameFraction(edit.frameRate);
  const time = (frames: number): string => `${frames * over}/${under}s`;
  const ranges = timelineRanges(edit);
  const name = escaped(source);
  const frames = ranges.reduce((sum, range) => sum + range.frames, 0);
  const sourceFrames = Math.max(...ranges.map((range) => range.sourceFrame + range.frames));
  const format = (id: string, { width, height }: { width: number; height: number }): string =>
    `<format id="${id}" frameDuration="${time(1)}" width="${width}" height="${height}"/>`;
  const sound = edit.source.hasAudio ? ' hasAudio="1" audioSources="1"' : '';
  const clips = ranges.map(
    (range) =>
      `<asset-clip ref="r3" name="${name}" offset="${time(range.frame)}" start="${time(range.sourceFrame)}" duration="${time(range.frames)}" tcFormat="NDF"/>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE fcpxml>
<fcpxml version="1.10">
  <!-- Not in here: ${leftOut.join(', ')}. -->
  <resources>
    ${format('r1', edit.dimensions)}
    ${format('r2', edit.source)}
    <asset id="r3" name="${name}" start="0s" duration="${time(sourceFrames)}" hasVideo="1"${sound} format="r2">
      <media-rep kind="original-media" src="${relativeAddress(source)}"/>
    </asset>
  </resources>
  <library>
    <event name="${escaped(title)}">
      <project name="${escaped(title)}">
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
