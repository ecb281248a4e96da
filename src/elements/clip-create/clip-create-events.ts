import type { LitElement } from 'lit';
import type { ClipError } from '../../client/clip-error.ts';
import type { Task, TaskType } from '../../contract/task.ts';
import type { CreateBody, CreateChoices } from '../../flow/create-request.ts';
import { ClipEvent } from '../events.ts';

/** A style of captions and titles that a person can choose. */
export interface StylePreset {
  readonly id: string;
  readonly name: string;
  /** Address of a picture. Without one it is drawn from `style`. */
  readonly picture_url?: string;
  /** The style of a preset in the service's `GET /presets`. */
  readonly style?: unknown;
}

/** An element that makes tasks, with its settings as properties. */
export interface CreateElement extends LitElement, CreateChoices {
  readonly presets: readonly StylePreset[] | null;
  readonly presetsUrl: string | null;
  readonly maxBytes: number | null;
  readonly maxSeconds: number | null;
  readonly for: string | null;
}

const about = { project: null };

/** A file is being uploaded, or the upload has finished. */
export class ClipUploadEvent extends ClipEvent {
  /** Name of the file. */
  readonly name: string;
  /** Bytes that are sent. */
  readonly sent: number;
  /** Bytes of the whole file. */
  readonly size: number;

  constructor(name: string, sent: number, size: number) {
    super('clip-upload', about);
    this.name = name;
    this.sent = sent;
    this.size = size;
  }
}

/** A task is about to be made of a video: nothing is sent yet. `preventDefault()` stops it. */
export class ClipCreateStartEvent extends ClipEvent {
  /** The file, or the address of a video. */
  readonly source: File | string;
  readonly taskType: TaskType;
  /** Body of the request, without the address of the video. A listener may change it. */
  readonly body: CreateBody;

  constructor(source: File | string, taskType: TaskType, body: CreateBody) {
    super('clip-create-start', about, true);
    this.source = source;
    this.taskType = taskType;
    this.body = body;
  }
}

/** A task has started. */
export class ClipTaskEvent extends ClipEvent {
  readonly task: Task;

  constructor(task: Task) {
    super('clip-task', about);
    this.task = task;
  }
}

/** A file cannot be used, an upload has failed, or a task was not started. */
export class ClipCreateErrorEvent extends ClipEvent {
  readonly error: ClipError;

  constructor(error: ClipError) {
    super('clip-create-error', about);
    this.error = error;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'clip-upload': ClipUploadEvent;
    'clip-create-start': ClipCreateStartEvent;
    'clip-task': ClipTaskEvent;
    'clip-create-error': ClipCreateErrorEvent;
  }
}
