import type { ClipError } from '../../client/clip-error.ts';
import type { Project } from '../../contract/project.ts';
import { ClipEvent } from '../events.ts';

/** Base class of the events about one clip of a feed. */
abstract class ClipOfFeedEvent extends ClipEvent {
  /** The clip's place in the feed, from 0. */
  readonly index: number;

  constructor(type: string, project: string, folder: string | null, index: number) {
    super(type, { project, folder });
    this.index = index;
  }
}

/** A clip is drawn for the first time: the page may add content of its own for it. */
export class ClipFeedItemEvent extends ClipOfFeedEvent {
  /** The clip as the folder has it; null for one that only its id is known of. */
  readonly clip: Project | null;

  constructor(project: string, folder: string | null, index: number, clip: Project | null) {
    super('clip-feed-item', project, folder, index);
    this.clip = clip;
  }
}

/** Another clip fills the box. */
export class ClipChangeEvent extends ClipOfFeedEvent {
  constructor(project: string, folder: string | null, index: number) {
    super('clip-change', project, folder, index);
  }
}

/** A clip has been played to its end, and begins again. */
export class ClipEndEvent extends ClipOfFeedEvent {
  constructor(project: string, folder: string | null, index: number) {
    super('clip-end', project, folder, index);
  }
}

/** The clips could not be read. */
export class ClipFeedErrorEvent extends ClipEvent {
  readonly error: ClipError;

  constructor(folder: string | null, error: ClipError) {
    super('clip-feed-error', { project: null, folder });
    this.error = error;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'clip-feed-item': ClipFeedItemEvent;
    'clip-change': ClipChangeEvent;
    'clip-end': ClipEndEvent;
    'clip-feed-error': ClipFeedErrorEvent;
  }
}
