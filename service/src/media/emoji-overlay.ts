import type { Dimensions } from 'clip-kit/contract';
import type { Overlay } from './filter-graph.ts';
import type { Plan } from './plan.ts';

/** The plan's emoji as images in `directory`, and where they are laid. None where the font is missing. */
export function prepareEmojis(
  _plan: Plan,
  _size: Dimensions,
  _options: { directory: string; firstInput: number },
): Promise<{ images: string[]; overlays: Overlay[] }> {
  return Promise.resolve({ images: [], overlays: [] });
}
