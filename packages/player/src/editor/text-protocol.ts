import type { Dimensions } from 'clip-engine/drawing';

/** How text is drawn: what the worker gets first. */
export interface TextSetting {
  /** Size of the picture in pixels. */
  size: Dimensions;
  fonts: readonly Uint8Array<ArrayBuffer>[];
  /** The family of letters that a style's own font does not have. */
  fallbackFont: string;
  /** The ASS document. */
  document: string;
}

export type TextRequest =
  | { kind: 'open'; setting: TextSetting }
  | { kind: 'document'; document: string }
  | { kind: 'draw'; seconds: number };

/** The text of a moment: a picture and its place, or null where there is none. */
export type DrawnText = { picture: ImageBitmap; x: number; y: number } | null;

/** `unchanged`: the text is that of the picture before. */
export type TextAnswer =
  | { kind: 'open' }
  | { kind: 'refused'; reason: string }
  | { kind: 'drawn'; text: DrawnText }
  | { kind: 'unchanged' };
