export {
  ClipCreateErrorEvent,
  ClipCreateStartEvent,
  ClipTaskEvent,
  ClipUploadEvent,
  type StylePreset,
} from './clip-create/clip-create-events.ts';
export { ClipCreate } from './clip-create/clip-create.ts';
export type { CreateStatus } from './clip-create/create-work.ts';
export {
  ClipListChangeEvent,
  ClipListErrorEvent,
  ClipListItemEvent,
  ClipListProgressEvent,
  ClipListReadyEvent,
  type ClipListStatus,
} from './clip-list/clips-controller.ts';
export { ClipList } from './clip-list/clip-list.ts';
export {
  ClipVideoEvent,
  ClipVideosChangeEvent,
  ClipVideosErrorEvent,
  type VideosStatus,
} from './clip-videos/videos-controller.ts';
export { ClipVideos } from './clip-videos/clip-videos.ts';
export * from './without-list.ts';
