import { nothing } from 'lit';
import { ClipError, type ClipErrorCode } from '../../client/clip-error.ts';
import { HttpError } from '../../client/errors.ts';
import type { FileFault, FileLimits } from '../../flow/upload-rate.ts';
import { formatDuration } from '../../locales/duration.ts';
import { formatBytes, formatLength } from '../../locales/size.ts';
import type { PageController } from '../settings/page-controller.ts';

const ofLimit: readonly ClipErrorCode[] = ['task-limit', 'rate-limited', 'storage-full'];

/** Whether it passes by waiting, or by another plan. */
export const isOfLimit = ({ code }: ClipError): boolean => ofLimit.includes(code);

/** Errors whose words are the service's. */
const ofService: readonly ClipErrorCode[] = ['upload-refused', 'task-refused'];

const englishFaults: Readonly<Record<FileFault, string>> = {
  'file-empty': 'This file is empty.',
  'file-not-video': 'This file is not a video.',
  'file-too-large': '{0}: at most {1}',
  'file-too-long': '{0}: at most {1}',
};

/** What will not work, in the words of the page. */
export function faultError(
  page: PageController,
  fault: FileFault,
  { size, seconds }: { readonly size: number; readonly seconds: number | null },
  { maxBytes, maxSeconds }: FileLimits,
): ClipError {
  const language = page.textLanguage(fault);
  const [is, most] =
    fault === 'file-too-long'
      ? [formatLength(seconds!, language), formatLength(maxSeconds, language)]
      : [formatBytes(size, language), formatBytes(maxBytes ?? 0, language)];
  const message = page.text(fault, englishFaults[fault], is).replace('{1}', () => most);
  return new ClipError(fault, message);
}

/** The language of an error's text; nothing if it is not known. */
export const errorLanguage = (
  page: PageController,
  { code }: ClipError,
): string | typeof nothing => (ofService.includes(code) ? nothing : page.textLanguage(code));

/** The text of an error, with the time to wait that the host asks for. */
export function errorText(page: PageController, error: ClipError): string {
  const { code, message, cause } = error;
  // The service's own words about a file are more exact than ours.
  const text =
    ofService.includes(code) || code in englishFaults ? message : page.text(code, message);
  const waitMs = cause instanceof HttpError ? cause.retryAfter : null;
  // The page itself checks what became of a start.
  if (!waitMs || code === 'task-outcome-unknown') return text;
  const duration = formatDuration(waitMs, page.textLanguage('create-wait'));
  return `${text} ${page.text('create-wait', 'Try again in about {0}.', duration)}`;
}
