import type { ProcessError } from '../program/process-error.ts';

/** Why a source or a watermark cannot be used: stable words for a program. */
export type SourceErrorCode =
  | 'source-unreachable'
  | 'source-private-address'
  | 'source-not-video'
  | 'source-playlist'
  | 'source-too-long'
  | 'source-too-large'
  | 'source-truncated'
  | 'source-unsupported'
  | 'watermark-unreachable'
  | 'watermark-private-address'
  | 'watermark-not-image'
  | 'watermark-too-large';

/**
 * A source or watermark that cannot be used, and is no fault of the engine.
 * `message` is a sentence or two for a person: no secrets, no paths, no query strings.
 * `field` is the dotted path of the request's field that names the thing.
 */
export class SourceError extends Error {
  readonly code: SourceErrorCode;
  readonly field: 'source_video_url' | 'watermark.src_url';

  constructor(code: SourceErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SourceError';
    this.code = code;
    this.field = code.startsWith('watermark-') ? 'watermark.src_url' : 'source_video_url';
  }
}

/** A file that takes more time, memory or room than a program may use to read it. */
export const tooMuchWork = (what: 'video' | 'watermark', error: ProcessError): SourceError =>
  new SourceError(
    what === 'video' ? 'source-unsupported' : 'watermark-too-large',
    `Reading the ${what} takes more ${costs[error.end] ?? 'of the machine'} than it may: the file is damaged, made to do harm, or too large for this service. ` +
      (what === 'video'
        ? 'Convert it to H.264 and AAC in MP4 and send a new request.'
        : 'Give a smaller image.'),
    { cause: error },
  );

const costs: Readonly<Partial<Record<ProcessError['end'], string>>> = {
  deadline: 'time',
  cpu: 'processor time',
  memory: 'memory',
  'file-size': 'room on the disk',
  output: 'room for its answer',
};
