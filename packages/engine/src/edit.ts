import type { ColourMatrix, PictureFacts, SoundFacts, Span, Word } from './facts.ts';
import type { Style } from './style/style.ts';

/** Width and height in pixels. */
export interface Dimensions {
  width: number;
  height: number;
}

/** Which changes an edit may make to a clip. */
export interface EditingOptions {
  captions: boolean;
  emojis: boolean;
  intro_title: boolean;
  reframe: boolean;
  remove_silences: boolean;
  /** @default false */
  remove_fillers?: boolean | undefined;
}

/**
 * A part of the picture, as shares (0 to 1) of its width and height. `x` and `y` are its top left
 * corner.
 */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Top left corner of a window at an output frame, in pixels of the source as shown. */
export interface WindowKey {
  frame: number;
  x: number;
  y: number;
}

/**
 * A part of the source that can move: in straight lines between its keys. It stays still after the
 * last key.
 */
export interface CropWindow {
  width: number;
  height: number;
  /** In order; the first key is at frame 0. Frames count from the start of the shot. */
  keys: WindowKey[];
}

/** A range of output frames: `from` is included, `to` is not. */
export type FramedShot = { from: number; to: number } & (
  | { mode: 'fit' }
  | {
      mode: 'crop';
      window: CropWindow;
      /** A strip of the source's whole width, in its pixels: it is shown below the window. */
      band?: { y: number; height: number };
    }
  | { mode: 'stack'; windows: [CropWindow, CropWindow] }
  | { mode: 'screen'; speaker: CropWindow }
);

/**
 * The way in which the source's picture fills the output: `crop` cuts a window (on a blurred
 * background if it has another shape than the output), `fit` shows the whole picture on a blurred
 * background, and `shots` decides for each shot (a window that follows the subject, two windows,
 * one above the other, or a screen with its speaker below it).
 */
export type Framing =
  | { mode: 'crop'; x: number; y: number; width: number; height: number }
  | { mode: 'fit' }
  | { mode: 'shots'; shots: FramedShot[] };

/** A part of the source's picture: its middle, in shares, and how much larger than needed it is. */
export interface ManualWindow {
  x?: number | undefined;
  y?: number | undefined;
  /** 1 shows as much as the shape of the output allows; 2 shows half of its width. */
  zoom?: number | undefined;
}

/**
 * A person's choice for a part of the source. Times are source seconds. Without `x`, `y`
 * and `zoom`, the window is where it would be without a person. `below` is the second window of a
 * `stack`.
 */
export interface ManualShot extends Span, ManualWindow {
  mode: FramedShot['mode'];
  below?: ManualWindow | undefined;
}

/**
 * A face, or text of the source, that stays at one place of the output. The box is in shares of the
 * output; times are output seconds.
 */
export interface OutputFace extends Span, Box {}

/** Where captions can be placed. */
export type CaptionPosition = Style['captions']['position'];

/** Where the hook title can be placed: at the top, or above captions at the bottom. */
export type TitlePosition = 'upper' | 'lower';

/** The time that the hook title is shown, in seconds. */
export const titleSeconds = 3;

/** Words that are shown together, in output time. */
export interface CaptionLine extends Span {
  words: Word[];
  /** If omitted, the position of the style. */
  position?: CaptionPosition;
  /**
   * Distance from the bottom edge to the line's lower edge, as a share of the height. It replaces
   * the position, if faces are at all of them.
   */
  rise?: number;
}

/** An emoji beside the captions, in output time. */
export interface EmojiCue extends Span {
  emoji: string;
  /** The position of the captions beside it. If omitted, the position of the style. */
  position?: CaptionPosition;
}

/** Facts of the source that an edit needs. Sizes are as shown, without black bars. */
interface EditSource extends PictureFacts, SoundFacts {
  width: number;
  height: number;
  frameRate: number;
  /** @default 'bt709' */
  colourMatrix?: ColourMatrix;
}

/**
 * Everything that a render needs to know. Preview and export are renders of the same edit. Plain
 * JSON.
 */
export interface Edit {
  version: 1;
  source: EditSource;
  /**
   * The kept ranges in source seconds, in order. From the first start on, each begins and ends on
   * an output frame.
   */
  ranges: Span[];
  /** Length of the output in seconds: a whole number of output frames. */
  duration: number;
  /** Output frames per second. */
  frameRate: number;
  /**
   * Output size in pixels. An odd side of the request is one pixel smaller here: H.264 with 4:2:0
   * colour needs even sides.
   */
  dimensions: Dimensions;
  framing: Framing;
  /**
   * True while the framing is a first guess. `analyseAndFrame` analyses the pictures and removes
   * it. Such an edit can be rendered.
   */
  needsAnalysis?: boolean;
  /** For an edit that is not analysed: a person's choices, and the framing of everything else. */
  manualFraming?: { shots: ManualShot[]; rest: Framing };
  /** True if captions and title are a translation of the speech. */
  translated?: boolean;
  /**
   * True if the source has captions of its own, which the output shows whole: then there are no
   * others.
   */
  sourceCaptions?: boolean;
  /**
   * The latest start of the clip, in source seconds, if its first pictures are black. Omitted if it
   * may not, and after the analysis of its pictures.
   */
  latestStart?: number;
  /** Faces and text in the output, which captions avoid. Omitted if none were found. */
  faces?: OutputFace[];
  /** Where a person has put the captions: they stay there, also over faces. */
  captionPosition?: CaptionPosition;
  /** In output time; may be empty. */
  captions: CaptionLine[];
  /** The words that are heard, in output time, if they are not drawn as captions. */
  words?: Word[];
  emojis: EmojiCue[];
  /** Words that are not heard, in output time and in order, and the sound in their place. */
  muted?: { spans: Span[]; sound: 'mute' | 'bleep' };
  /**
   * Music of the organization below the speech: how many dB softer than it, and the spans of output
   * time in which someone speaks. Null if that is not known: it is as soft all the time.
   */
  music?: { id: string; levelDb: number; speech: Span[] | null; sourceDb?: number };
  /** Bumpers of the organization: an export plays them before and after the clip. */
  intro?: { id: string };
  outro?: { id: string };
  /**
   * The hook title, shown from 0 to `end` seconds, or null. Without `position` it is
   * at the top.
   */
  title: { text: string; end: number; position?: TitlePosition } | null;
  /**
   * The picture that stands for the clip, if a person chose it: the output time of a frame, and a
   * title that is drawn on it.
   */
  cover?: { time: number; title?: string };
  /** Output time of the frame that the poster shows. If omitted, that is not known. */
  bestTime?: number;
  /** The look of captions and title. If omitted, the default style. */
  style?: Style;
  /** Language of captions and title (BCP 47). Omitted if it is not known. */
  language?: string;
}
