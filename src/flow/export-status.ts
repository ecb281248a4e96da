/**
 * `limit`: the plan allows no more. `unknown`: a start was sent and its outcome is not known.
 * `signed-out`: the site has no session for the person in front of the page.
 */
export type ExportStatus =
  'idle' | 'starting' | 'processing' | 'ready' | 'error' | 'limit' | 'unknown' | 'signed-out';

/** Whether a start may be sent: not while one is pending or unsettled, or an export is there. */
export const mayStart = (status: ExportStatus): boolean =>
  status === 'idle' || status === 'limit' || status === 'signed-out';
