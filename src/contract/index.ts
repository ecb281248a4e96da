export {
  downloadFileName,
  readKnownState,
  statuses,
  getTaskState,
  hashText,
  type Status,
} from './for-pages.ts';
export * from './edit.ts';
export * from './editor-limits.ts';
export * from './export.ts';
export * from './host.ts';
export * from './links.ts';
export * from './media.ts';
export * from './muted-words.ts';
export * from './player-events.ts';
export { dateTimeSchema, httpUrlSchema, idSchema, statusSchema } from './primitive.ts';
export * from './problem.ts';
export * from './project.ts';
export * from './share.ts';
export * from './task.ts';
export * from './upload.ts';
export * from './user.ts';
export * from './views.ts';
export * from './watermark.ts';
export * from './webhook.ts';
