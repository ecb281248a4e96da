import type { LitElement } from 'lit';
import type { ClipError } from '../../client/clip-error.ts';
import type { Export } from '../../contract/export.ts';
import { ClipEvent, makeErrorEvent } from '../events.ts';
import type { ExportStatus } from '../../flow/export-status.ts';

/** An element that shows an export, with its settings as properties, not checked yet. */
export interface ExportElement extends LitElement {
  readonly project: string | null;
  readonly folder: unknown;
  readonly exportId: unknown;
  readonly presetId: unknown;
  readonly watermark: unknown;
  readonly watermarkSrc: unknown;
  readonly watermarkX: unknown;
  readonly watermarkY: unknown;
  readonly watermarkScale: unknown;
  readonly autoDownload: boolean;
  readonly downloadName: string | null;
  readonly revision: number | null;
  readonly hydrating: boolean;
  /** The page has yet to set options or listeners: nothing may start without them. */
  readonly isIncomplete: boolean;
  start(): Promise<ExportStatus>;
}

/** An export is about to be started, which costs money. `preventDefault()` stops it. */
export class ClipExportStartEvent extends ClipEvent {
  constructor(element: ExportElement) {
    super('clip-export-start', element, true);
  }
}

/** A running export has progressed. */
export class ClipExportProgressEvent extends ClipEvent {
  readonly export: Export;
  /** 0 to 0.99, or null if unknown. */
  readonly progress: number | null;

  constructor(element: ExportElement, one: Export, progress: number | null) {
    super('clip-export-progress', element);
    this.export = one;
    this.progress = progress;
  }
}

/** The export is ready to download. */
export class ClipExportReadyEvent extends ClipEvent {
  readonly export: Export;
  /** Null with a session: `download()` of the element saves the file. */
  readonly downloadUrl: string | null;

  constructor(element: ExportElement, one: Export, downloadUrl: string | null) {
    super('clip-export-ready', element);
    this.export = one;
    this.downloadUrl = downloadUrl;
  }
}

/** The export failed or was refused, or its outcome is unknown; `error.code` says which. */
export class ClipExportErrorEvent extends ClipEvent {
  readonly error: ClipError;

  constructor(element: ExportElement, error: ClipError) {
    super('clip-export-error', element);
    this.error = error;
  }
}

/**
 * For the part that is loaded later. It gets them from the element: a bundler would cut what both
 * import out of the element's chunk, and a page would load one file more.
 */
export const exportEvents = {
  start: ClipExportStartEvent,
  progress: ClipExportProgressEvent,
  ready: ClipExportReadyEvent,
  error: (element: ExportElement, error: ClipError): Event =>
    makeErrorEvent(element, error, new ClipExportErrorEvent(element, error)),
};

declare global {
  interface GlobalEventHandlersEventMap {
    'clip-export-start': ClipExportStartEvent;
    'clip-export-progress': ClipExportProgressEvent;
    'clip-export-ready': ClipExportReadyEvent;
    'clip-export-error': ClipExportErrorEvent;
  }
}
