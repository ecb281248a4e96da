/**
 * What decides how a frame of an edit looks, for browsers too: nothing here reaches `node:`
 * (`npm run lint:imports`).
 */
export { assDocument } from './captions/ass.ts';
export { captionLayout, emojiPlace, titleLines } from './captions/caption-layout.ts';
export { captionText, reworded } from './captions/caption-lines.ts';
export { setEmojiNames } from './captions/emoji-data.browser.ts';
export type { Dimensions, Edit } from './edit.ts';
export { drawnParts, type DrawnPart } from './framing/drawn-parts.ts';
export { largestWindow } from './framing/layout.ts';
export { frameRanges } from './render/cut-graph.ts';
export type { Span } from './facts.ts';
export { merged, outside, sourceTimeAt } from './spans.ts';
export { defaultStyle } from './style/style.ts';
export type { EditInputs } from './editing/edit-inputs.ts';
export {
  changeFaults,
  editWords,
  lengthFault,
  type ChangeFault,
  type EditWord,
} from './editing/changes.ts';
export { makeEdit, removedFillers } from './editing/make-edit.ts';
export { framedEdit, type FramingAnalysis } from './editing/framed-edit.ts';
export { shownShots, windowPart, type ShownShot, type ShownWindow } from './editing/shown-shots.ts';
export type { Style } from './style/style.ts';
