import type { Dimensions } from '../edit.ts';
import type { Span } from '../facts.ts';
import type { Geometry } from './following.ts';
import { largestWindow } from './layout.ts';

/** What the framing needs to know of a clip. Sizes are in pixels, ranges in source seconds. */
export interface FramedClip {
  source: Dimensions;
  dimensions: Dimensions;
  ranges: readonly Span[];
  frameRate: number;
}

export const geometryOf = ({
  source,
  dimensions,
}: Pick<FramedClip, 'source' | 'dimensions'>): Geometry => ({
  source,
  window: largestWindow(source, dimensions),
  upright: dimensions.height / dimensions.width,
});
