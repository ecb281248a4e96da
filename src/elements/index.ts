export {
  ClipCreateErrorEvent,
  ClipCreateStartEvent,
  ClipTaskEvent,
  ClipUploadEvent,
} from './clip-create/clip-create-events.ts';
export { ClipCreate } from './clip-create/clip-create.ts';
export type { StylePreset } from './clip-create/create-host.ts';
export type { CreateStatus } from './clip-create/create-work.ts';
export {
  ClipListChangeEvent,
  ClipListErrorEvent,
  ClipListItemEvent,
  ClipListProgressEvent,
  ClipListReadyEvent,
} from './clip-list/clip-list-events.ts';
export { ClipList } from './clip-list/clip-list.ts';
export type { ClipListStatus } from './clip-list/clips-controller.ts';
export {
  ClipVideoEvent,
  ClipVideosChangeEvent,
  ClipVideosErrorEvent,
} from './clip-videos/clip-videos-events.ts';
export { ClipVideos } from './clip-videos/clip-videos.ts';
export type { VideosStatus } from './clip-videos/videos-controller.ts';
export * from './without-list.ts';
