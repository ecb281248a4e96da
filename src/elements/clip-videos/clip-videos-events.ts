import type { ClipError } from '../../client/clip-error.ts';
import type { Task } from '../../contract/task.ts';
import { ClipEvent } from '../events.ts';

/** The subject of an event about a task's clips. */
const about = ({ output_type: type, output_id: id }: Task) =>
  type === 'folder' ? { project: null, folder: id } : { project: id };

/** A video was chosen. `preventDefault()` leaves the list of clips as it is. */
export class ClipVideoEvent extends ClipEvent {
  readonly task: Task;

  constructor(task: Task) {
    super('clip-video', about(task), true);
    this.task = task;
  }
}

/** The videos were read, or have changed. */
export class ClipVideosChangeEvent extends ClipEvent {
  /** The videos that are shown, newest first. */
  readonly videos: readonly Task[];

  constructor(videos: readonly Task[]) {
    super('clip-videos-change', { project: null });
    this.videos = videos;
  }
}

/** The videos could not be read, or one could not be deleted. */
export class ClipVideosErrorEvent extends ClipEvent {
  readonly error: ClipError;

  constructor(error: ClipError) {
    super('clip-videos-error', { project: null });
    this.error = error;
  }
}

declare global {
  interface HTMLElementEventMap {
    'clip-video': ClipVideoEvent;
    'clip-videos-change': ClipVideosChangeEvent;
    'clip-videos-error': ClipVideosErrorEvent;
  }
}
