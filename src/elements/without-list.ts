export { ClipError, isClipError, type ClipErrorCode } from '../client/clip-error.ts';
export type { GetSession } from '../client/page-state.ts';
export type { GetToken } from '../client/page-token.ts';
export { type Export } from '../contract/export.ts';
export { type WatermarkInput } from '../contract/watermark.ts';
export type { ExportStatus } from '../flow/export-status.ts';
export type { Messages } from '../locales/messages.ts';
export { ClipConfig } from './clip-config/clip-config.ts';
export {
  ClipEditErrorEvent,
  ClipEditEvent,
  ClipEmbed,
  ClipEmbedErrorEvent,
  ClipEmbedReadyEvent,
  ClipTokenRenewedEvent,
} from './clip-embed/clip-embed.ts';
export { ClipExportButton } from './clip-export-button/clip-export-button.ts';
export {
  ClipExportErrorEvent,
  ClipExportProgressEvent,
  ClipExportReadyEvent,
  ClipExportStartEvent,
} from './clip-export-button/clip-export-events.ts';
export {
  ClipPreview,
  ClipPreviewActivateEvent,
  ClipPreviewErrorEvent,
  ClipPreviewReadyEvent,
} from './clip-preview/clip-preview.ts';
export type { FrameStatus } from './frame/frame-element.ts';
export type { ClipProgressMarkEvent, ClipViewEvent } from './frame/showing-events.ts';
export { configure, registerLocale } from './settings/page-wide.ts';
export type { ClipSettings } from './settings/settings.ts';
export { ClipSignedOutEvent } from './events.ts';
