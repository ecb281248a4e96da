// The build bundles the library into this file: tools/bundled-library.ts.
import * as library from 'tus-js-client';

/** The part of the library in use, so that no declaration of the kit needs its types. */
interface TusUpload {
  start(): void;
  abort(): Promise<void>;
}

interface TusAnswer {
  getStatus(): number;
  getHeader(name: string): string | undefined;
  getBody(): string;
}

interface TusOptions {
  readonly uploadUrl: string;
  readonly retryDelays: null;
  readonly storeFingerprintForResuming: boolean;
  readonly onProgress: (sent: number) => void;
  readonly onAfterResponse: (request: unknown, answer: TusAnswer) => void;
  readonly onSuccess: () => void;
  readonly onError: (error: Error) => void;
}

export const Upload: new (file: File, options: TusOptions) => TusUpload = library.Upload;

/** The answer that an error of the library is about; null if there was none. */
export const findAnswer = (error: Error): TusAnswer | null =>
  error instanceof library.DetailedError ? error.originalResponse : null;
