/** `limit`: the plan allows no more. `unknown`: a start was sent and its outcome is not known. */
export type ExportStatus =
  'idle' | 'starting' | 'processing' | 'ready' | 'error' | 'limit' | 'unknown';

/** Whether a start may be sent: not while one is pending or unsettled, or an export is there. */
export const mayStart = (status: ExportStatus): boolean => status === 'idle' || status === 'limit';
