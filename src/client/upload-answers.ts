import type { Upload } from '../contract/upload.ts';
import { dateTime, httpUrl, id, object, text } from './host-answers.ts';
import { count, oneOf, positiveInteger } from './clip-answers.ts';
import type { ClipError } from './clip-error.ts';
import type { HostClient } from './host-client.ts';

/*
 * Readers of uploads. In a file of their own, because only who sends a file needs them.
 */

export const upload = object<Upload>({
  id,
  status: oneOf('open', 'finished'),
  protocol: oneOf('tus'),
  url: httpUrl,
  name: text,
  size: positiveInteger,
  offset: count,
  created_at: dateTime,
  expires_at: dateTime,
});

/** A file on its way. */
export interface Sending {
  readonly host: HostClient;
  readonly upload: Upload;
  readonly file: File;
  readonly signal: AbortSignal;
  /** `arrived`: the other side has said so. */
  readonly onSent: (bytes: number, arrived: boolean) => void;
  /** Several tries have failed (an error), or one works again (null). Sending goes on. */
  readonly onStalled: (error: ClipError | null) => void;
}
