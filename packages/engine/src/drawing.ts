/**
 * Decides how a frame of an edit looks, in browsers too: nothing here reaches `node:`
 * (`npm run lint:imports`).
 */
export { writeAssDocument } from './captions/ass.ts';
export { captionLayout, placeEmoji, breakTitle } from './captions/caption-layout.ts';
export { captionText, replaceCaptionWords } from './captions/caption-lines.ts';
export { setEmojiNames } from './captions/emoji-data.browser.ts';
export type { Dimensions, Edit } from './edit.ts';
export { listDrawnParts, type DrawnPart } from './framing/drawn-parts.ts';
export { getLargestWindow } from './framing/layout.ts';
export { duckDb, getMusicRise, musicFadeSeconds, targetLufs, usualMusicDb } from './music-level.ts';
export { frameRanges } from './render/cut-graph.ts';
export type { Span } from './facts.ts';
export { mergeSpans, subtractSpans, mapToSource } from './spans.ts';
export { defaultStyle } from './style/style.ts';
export type { EditInputs } from './editing/edit-inputs.ts';
export {
  changeFaults,
  editWords,
  findLengthFault,
  type ChangeFault,
  type EditWord,
} from './editing/changes.ts';
export { makeEdit, findRemovedFillers } from './editing/make-edit.ts';
export { frameEdit, type FramingAnalysis } from './editing/framed-edit.ts';
export {
  listShownShots,
  getWindowPart,
  type ShownShot,
  type ShownWindow,
} from './editing/shown-shots.ts';
export type { Style } from './style/style.ts';
