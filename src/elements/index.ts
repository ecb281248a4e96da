export {
  ClipListChangeEvent,
  ClipListErrorEvent,
  ClipListItemEvent,
  ClipListProgressEvent,
  ClipListReadyEvent,
} from './clip-list/clip-list-events.ts';
export { ClipList } from './clip-list/clip-list.ts';
export type { ClipListStatus } from './clip-list/clips-controller.ts';
export * from './without-list.ts';
