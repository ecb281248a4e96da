export { ClipError, isClipError, type ClipErrorCode } from '../client/clip-error.ts';
export type { GetToken } from '../client/page-token.ts';
export type { Export } from '../contract/export.ts';
export type { WatermarkInput } from '../contract/watermark.ts';
export type { ExportStatus } from '../flow/export-status.ts';
export type { Messages } from '../locales/messages.ts';
export { ClipConfig } from './clip-config.ts';
export {
  ClipEmbedErrorEvent,
  ClipEmbedReadyEvent,
  ClipTokenRenewedEvent,
} from './clip-embed-events.ts';
export { ClipEmbed } from './clip-embed.ts';
export { ClipExportButton } from './clip-export-button.ts';
export {
  ClipExportErrorEvent,
  ClipExportProgressEvent,
  ClipExportReadyEvent,
  ClipExportStartEvent,
} from './clip-export-events.ts';
export {
  ClipPreviewActivateEvent,
  ClipPreviewErrorEvent,
  ClipPreviewReadyEvent,
} from './clip-preview-events.ts';
export { ClipPreview } from './clip-preview.ts';
export type { FrameStatus } from './frame-element.ts';
export { configure, registerLocale } from './page-wide.ts';
export type { ClipSettings } from './settings.ts';
