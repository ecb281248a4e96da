/** What is known of a file before it is sent. */
export interface FileFacts {
  readonly name: string;
  /** The media type that the browser gives; may be empty. */
  readonly type: string;
  /** In bytes. */
  readonly size: number;
  /** Length of the video; null if the browser cannot read it. */
  readonly seconds: number | null;
}

export interface FileLimits {
  readonly maxBytes: number | null;
  readonly maxSeconds: number;
}

export type FileFault = 'file-empty' | 'file-not-video' | 'file-too-large' | 'file-too-long';

const videoEnding = /\.(3gp|avi|flv|m2ts|m4v|mkv|mov|mp4|mpe?g|mts|mxf|ogv|ts|webm|wmv)$/i;
const subtitlesEnding = /\.(srt|vtt)$/i;

/** Whether it is a file of subtitles, by its name. */
export const isSubtitles = (name: string): boolean => subtitlesEnding.test(name);

/** A file's name without its ending, as the name of a video. */
export const nameWithoutEnding = (name: string): string => name.replace(/(?<=.)\.\w{1,5}$/, '');

/** Why a file cannot be made into clips; null if nothing is against it. */
export function fileFault(file: FileFacts, limits: FileLimits): FileFault | null {
  // Browsers know no type of some films, and give others a type of their own.
  if (!file.type.startsWith('video/') && !videoEnding.test(file.name)) return 'file-not-video';
  if (!file.size) return 'file-empty';
  if (limits.maxBytes !== null && file.size > limits.maxBytes) return 'file-too-large';
  return file.seconds !== null && file.seconds > limits.maxSeconds ? 'file-too-long' : null;
}
