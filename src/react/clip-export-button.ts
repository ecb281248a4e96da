// Written by `npm run manifest` from custom-elements.json.
import type {
  ClipExportStartEvent,
  ClipExportProgressEvent,
  ClipExportReadyEvent,
  ClipExportErrorEvent,
} from '../elements/clip-export-button/clip-export-events.ts';
import type { ClipSignedOutEvent } from '../elements/sign-in.ts';
import { ClipExportButton as Element } from '../define/clip-export-button.ts';
import { wrap, type Wrapper } from './wrap.ts';

type Fields =
  | 'project'
  | 'folder'
  | 'label'
  | 'watermarkSrc'
  | 'watermarkX'
  | 'watermarkY'
  | 'watermarkScale'
  | 'watermark'
  | 'presetId'
  | 'exportId'
  | 'autoDownload'
  | 'downloadName'
  | 'revision'
  | 'hydrating'
  | 'endpoint'
  | 'credentials'
  | 'csrfHeader'
  | 'csrfToken'
  | 'csrfUrl'
  | 'session'
  | 'getSession';

interface Events {
  /** `clip-export-start`: Before anything is sent; cancelable. */
  onStart: ClipExportStartEvent;
  /** `clip-export-progress`: The export has progressed. */
  onProgress: ClipExportProgressEvent;
  /** `clip-export-ready`: The file can be downloaded. */
  onReady: ClipExportReadyEvent;
  /** `clip-export-error`: The export failed, or its outcome is unknown. */
  onError: ClipExportErrorEvent;
  /** `clip-signed-out`: No user is signed in; it goes on once one is. */
  onSignedOut: ClipSignedOutEvent;
}

/**
 * Exports a clip and offers the file. One intent is started, and paid for, only once.
 * The element `<clip-export-button>`, with its properties and events as props.
 */
export const ClipExportButton: Wrapper<Element, Fields, Events> = /* @__PURE__ */ wrap(
  'clip-export-button',
  {
    attributes: [
      'project',
      'folder',
      'label',
      'watermarkSrc',
      'watermarkX',
      'watermarkY',
      'watermarkScale',
      'watermark',
      'presetId',
      'exportId',
      'autoDownload',
      'downloadName',
      'revision',
      'hydrating',
      'endpoint',
      'credentials',
      'csrfHeader',
      'csrfToken',
      'csrfUrl',
      'session',
    ],
    properties: ['watermark', 'getSession'],
    events: {
      onStart: 'clip-export-start',
      onProgress: 'clip-export-progress',
      onReady: 'clip-export-ready',
      onError: 'clip-export-error',
      onSignedOut: 'clip-signed-out',
    },
    untilReady: 'hydrating',
  },
);
