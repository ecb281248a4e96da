import type { ColourMatrix, Span, Word } from './facts.ts';
import type { Style } from './style/style.ts';

/** Width and height in pixels. */
export interface Dimensions {
  width: number;
  height: number;
}

/** What an edit may do to a clip. */
export interface EditingOptions {
  captions: boolean;
  emojis: boolean;
  intro_title: boolean;
  reframe: boolean;
  remove_silences: boolean;
}

/** A part of the picture as shown: shares (0 to 1) of its width and height, from its upper left corner. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Upper left corner of a window at a frame of the output; pixels of the source as shown. */
export interface WindowKey {
  frame: number;
  x: number;
  y: number;
}

/** A part of the source that may move: straight between its keys, still after the last. */
export interface CropWindow {
  width: number;
  height: number;
  /** In order; the first is that of the first frame. Frames count from the start of the shot. */
  keys: WindowKey[];
}

/** A stretch of the output, in frames: `from` included, `to` not. */
export type FramedShot = { from: number; to: number } & (
  | { mode: 'fit' }
  | { mode: 'crop'; window: CropWindow }
  | { mode: 'stack'; windows: [CropWindow, CropWindow] }
);

/**
 * How the source's picture meets the output's: cut to fill it by a window that stands still (`crop`), shown whole on a
 * blurred ground (`fit`), or as the shots of the clip need it: by windows that follow the subject, or two above each other.
 */
export type Framing =
  | { mode: 'crop'; x: number; y: number; width: number; height: number }
  | { mode: 'fit' }
  | { mode: 'shots'; shots: FramedShot[] };

/** Where a face is in the output while it stays there: shares of the output's width and height, output seconds. */
export interface SeenFace extends Span, Box {}

/** Where captions can stand. */
export type CaptionPosition = Style['captions']['position'];

/** Where the hook title can stand: at the top, or over captions that stand low. */
export type TitlePosition = 'upper' | 'lower';

/** Words shown together, in output time. */
export interface CaptionLine extends Span {
  words: Word[];
  /** Left out: where the style has them. */
  position?: CaptionPosition;
}

/** An emoji beside the captions, in output time. */
export interface EmojiCue extends Span {
  emoji: string;
  /** That of the captions beside it. */
  position?: CaptionPosition;
}

/** The edit, and the only truth of it: preview and export are renders of it. Plain JSON. */
export interface Edit {
  version: 1;
  source: {
    width: number;
    height: number;
    frameRate: number;
    hasAudio: boolean;
    /** Left out: bt709. */
    colourMatrix?: ColourMatrix;
  };
  /** Kept stretches in source time, in order, each a whole number of output frames from the first one's start. */
  ranges: Span[];
  /** Output seconds, a whole number of output frames. */
  duration: number;
  /** Output frames a second. */
  frameRate: number;
  /** Output pixels; an odd side of the request is one pixel smaller here, as H.264 with 4:2:0 colour needs even sides. */
  dimensions: Dimensions;
  framing: Framing;
  /** True until the clip's pictures have been looked at (`framedEdit`): the framing is a first guess that can be rendered. */
  unseen?: boolean;
  /** Faces as the output shows them, of which captions keep clear; left out where none has been seen. */
  faces?: SeenFace[];
  /** Output time; empty where there are none. */
  captions: CaptionLine[];
  emojis: EmojiCue[];
  /** The hook title, shown from 0 to `end`, at the top where `position` is left out; null where there is none. */
  title: { text: string; end: number; position?: TitlePosition } | null;
  /** How captions and title look; left out: the default style. */
  style?: Style;
  /** Language of captions and title (BCP 47); left out: not known. */
  language?: string;
}
