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
  ClipChangeEvent,
  ClipEndEvent,
  ClipFeedErrorEvent,
  ClipFeedItemEvent,
} from './clip-feed/clip-feed-events.ts';
export { ClipFeed } from './clip-feed/clip-feed.ts';
export type { FeedStatus } from './clip-feed/feed-clips.ts';
export {
  ClipListChangeEvent,
  ClipListErrorEvent,
  ClipListItemEvent,
  ClipListProgressEvent,
  ClipListReadyEvent,
  type ClipListStatus,
} from './clip-list/clips-controller.ts';
export { ClipList } from './clip-list/clip-list.ts';
export { ClipExportMany, ClipSelectEvent } from './clip-export-many/clip-export-many.ts';
export {
  ClipVideoEvent,
  ClipVideosChangeEvent,
  ClipVideosErrorEvent,
  type VideosStatus,
} from './clip-videos/videos-controller.ts';
export { ClipVideos } from './clip-videos/clip-videos.ts';
export * from './without-list.ts';
