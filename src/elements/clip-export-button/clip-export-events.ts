import type { ClipError } from '../../client/clip-error.ts';
import type { Export } from '../../contract/export.ts';
import { ClipEvent } from '../events.ts';

/** An export is about to be started, which costs money. `preventDefault()` stops it. */
export class ClipExportStartEvent extends ClipEvent {
  readonly project: string;
  readonly folder: string | null;

  constructor(project: string, folder: string | null) {
    super('clip-export-start', true);
    this.project = project;
    this.folder = folder;
  }
}

/** A running export has progressed. */
export class ClipExportProgressEvent extends ClipEvent {
  readonly export: Export;
  /** 0 to 0.99, or null if unknown. */
  readonly progress: number | null;

  constructor(one: Export, progress: number | null) {
    super('clip-export-progress');
    this.export = one;
    this.progress = progress;
  }
}

/** The export is ready to download. */
export class ClipExportReadyEvent extends ClipEvent {
  readonly export: Export;
  readonly downloadUrl: string;

  constructor(one: Export, downloadUrl: string) {
    super('clip-export-ready');
    this.export = one;
    this.downloadUrl = downloadUrl;
  }
}

/** The export failed or was refused, or its outcome is unknown; `error.code` says which. */
export class ClipExportErrorEvent extends ClipEvent {
  readonly error: ClipError;

  constructor(error: ClipError) {
    super('clip-export-error');
    this.error = error;
  }
}

declare global {
  interface HTMLElementEventMap {
    'clip-export-start': ClipExportStartEvent;
    'clip-export-progress': ClipExportProgressEvent;
    'clip-export-ready': ClipExportReadyEvent;
    'clip-export-error': ClipExportErrorEvent;
  }
}
