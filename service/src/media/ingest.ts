/** What a video file holds. Durations in seconds, sizes in pixels as shown (after rotation). */
export interface MediaInfo {
  duration: number;
  width: number;
  height: number;
  /** Average frames a second. */
  frameRate: number;
  hasAudio: boolean;
  /** Name of the codec as ffmpeg has it, such as `h264`. */
  videoCodec: string;
  audioCodec: string | null;
}

/** A source that lies on disk, has been checked, and can be read by the engine. */
export interface IngestedSource {
  path: string;
  /** A WebVTT or SRT file found beside the source or inside it; null where there is none. */
  transcriptPath: string | null;
  media: MediaInfo;
  /** Of the file's bytes, hexadecimal. */
  sha256: string;
  bytes: number;
}

export interface IngestOptions {
  directory: string;
  /** Lets sources come from loopback and private ranges. */
  allowPrivate: boolean;
  /** Longest video taken, in seconds. */
  maxSeconds: number;
  /** Largest download taken, in bytes; 20 GiB where left out. */
  maxBytes?: number;
  signal: AbortSignal;
  /** Called with the share done, 0 to 1. */
  onProgress?: (share: number) => void;
}

export function ingest(_url: string, _options: IngestOptions): Promise<IngestedSource> {
  throw new Error('being built');
}
