export * from './errors.ts';
export * from './service-client.ts';
export { HostClient, type HostClientOptions } from './host-client.ts';
export type {
  Export,
  ExportFilter,
  Project,
  StartedExport,
  StartExportBodyInput,
  Task,
  User,
  VideoToShortsInput,
  VideoToVideoInput,
} from '../contract/index.ts';
