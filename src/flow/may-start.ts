import type { ExportStatus } from './export-machine.ts';

/** Whether a start may be sent: never while one is on its way, its outcome is open, or an export is there. */
export const mayStart = (status: ExportStatus): boolean => status === 'idle' || status === 'limit';
