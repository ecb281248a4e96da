import type { LitElement } from 'lit';
import type { ExportStatus } from '../../flow/export-status.ts';
import type { ExportSettings } from './export-intent.ts';

/** An element that shows an export, with its settings as properties. */
export interface ExportHost extends ExportSettings, LitElement {
  readonly autoDownload: boolean;
  readonly downloadName: string | null;
  readonly revision: number | null;
  readonly hydrating: boolean;
  start(): Promise<ExportStatus>;
}
