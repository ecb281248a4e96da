import type { Upload } from '../contract/upload.ts';
import type { ClipError } from './clip-error.ts';
import type { HostClient } from './host-client.ts';

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
