export { CallError, HttpError, SchemaError, TransportError, type CallName } from './errors.ts';
export * from './service-client.ts';
export {
  HostClient,
  type ClipAddress,
  type HostAnswer,
  type HostClientOptions,
} from './host-client.ts';
export type { GetSession } from './page-state.ts';
export { SessionSource } from './session.ts';
export type {
  AccessToken,
  Delivery,
  DeliveryFilter,
  EditChanges,
  EditDocument,
  EditRevisions,
  Export,
  ExportFilter,
  FieldError,
  HostStartExportInput,
  NewClip,
  NewSecret,
  NewShare,
  NewWebhookInput,
  Problem,
  Project,
  Share,
  ShareWithUrl,
  StartedExport,
  StartExportBodyInput,
  Task,
  TokenAnswer,
  User,
  VideoToShortsInput,
  VideoToVideoInput,
  Webhook,
  WebhookChanges,
  WebhookSecret,
  WebhookWithSecret,
} from '../contract/index.ts';
export { nextPoll } from '../flow/poll-schedule.ts';
