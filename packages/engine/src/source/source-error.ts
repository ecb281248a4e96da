import type { ProcessError } from '../program/process-error.ts';

/** Why a source, its subtitles or a watermark cannot be used. The codes are stable. */
export type SourceErrorCode =
  | 'source-unreachable'
  | 'source-private-address'
  | 'source-not-video'
  | 'source-playlist'
  | 'source-too-long'
  | 'source-too-large'
  | 'source-too-slow'
  | 'source-truncated'
  | 'source-unsupported'
  | 'source-encrypted'
  | 'range-outside-source'
  | 'subtitles-unreachable'
  | 'subtitles-private-address'
  | 'subtitles-not-text'
  | 'subtitles-too-large'
  | 'subtitles-too-slow'
  | 'subtitles-truncated'
  | 'watermark-unreachable'
  | 'watermark-private-address'
  | 'watermark-not-image'
  | 'watermark-too-large'
  | 'watermark-too-slow';

const fields = {
  source: 'source_video_url',
  range: 'source_range',
  subtitles: 'subtitles_url',
  watermark: 'watermark.src_url',
} as const;

/**
 * A source, its subtitles or a watermark cannot be used. The cause is the file or its address, not
 * the engine. `message` is for users: the problem and the fix, without secrets, paths or query
 * strings. `field` is the path of the request field that caused it.
 */
export class SourceError extends Error {
  readonly code: SourceErrorCode;
  readonly field: (typeof fields)[keyof typeof fields];

  constructor(code: SourceErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SourceError';
    this.code = code;
    this.field = fields[code.split('-', 1)[0] as keyof typeof fields];
  }
}

/** The error for a file that needs more time, memory or disk space than a program may use. */
export const makeTooMuchWorkError = (
  what: 'video' | 'subtitles' | 'watermark',
  error: ProcessError,
): SourceError =>
  new SourceError(
    what === 'video' ? 'source-unsupported' : `${what}-too-large`,
    `Reading the ${what} needs more ${costs[error.end] ?? 'resources'} than allowed. The file may be damaged or too complex for this service. ` +
      (what === 'video'
        ? 'Convert it to MP4 with H.264 and AAC, then send a new request.'
        : `Use a smaller ${what === 'watermark' ? 'image' : 'file'}.`),
    { cause: error },
  );

const costs: Readonly<Partial<Record<ProcessError['end'], string>>> = {
  deadline: 'time',
  cpu: 'processor time',
  memory: 'memory',
  'file-size': 'disk space',
  output: 'space for its output',
};
