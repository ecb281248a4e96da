import type { Project, Task } from 'clip-kit/contract';
import { Refused, ask } from '../session.ts';

export interface Entry {
  taskId: string;
  type: Task['type'];
  outputType: Task['output_type'];
  outputId: string;
  name: string;
  createdAt: string;
}

export interface Video {
  readonly entry: Entry;
  task: Task | null;
  /** Null until they have been read once. */
  clips: Project[] | null;
  /** Why it cannot be shown now, or null. */
  fault: string | null;
}

const pollDelayMs = 1000;
const retryDelayMs = 5000;

/** This person's videos, kept up to date while one of them is in progress. */
export class LibraryView {
  videos: Video[] = [];
  selected: Video | null = null;
  loaded = false;
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  async load(): Promise<void> {
    const entries = await ask<Entry[]>('/api/library');
    this.videos = entries.map((entry) => ({ entry, task: null, clips: null, fault: null }));
    const asked = location.hash.slice(1);
    this.selected =
      this.videos.find(({ entry }) => entry.taskId === asked) ?? this.videos[0] ?? null;
    this.loaded = true;
    this.#changed();
    for (const video of this.videos) void this.#follow(video);
  }

  add(task: Task, name: string): void {
    const entry: Entry = {
      taskId: task.id,
      type: task.type,
      outputType: task.output_type,
      outputId: task.output_id,
      name,
      createdAt: task.created_at,
    };
    const video: Video = { entry, task, clips: null, fault: null };
    this.videos = [video, ...this.videos];
    this.select(video);
    void this.#follow(video);
  }

  select(video: Video): void {
    this.selected = video;
    history.replaceState(null, '', `#${video.entry.taskId}`);
    this.#changed();
    if (video.task?.status === 'ready' && !video.clips) void this.#readClips(video);
  }

  /**
   * Polls the task until it is settled; its clips are shown as they are found. Continues after a
   * lost connection.
   */
  async #follow(video: Video): Promise<void> {
    for (;;) {
      try {
        video.task = await ask<Task>(`/clips/tasks/${encodeURIComponent(video.entry.taskId)}`);
        video.fault = null;
        if (video === this.selected) await this.#readClips(video);
      } catch (error) {
        video.fault = error instanceof Error ? error.message : String(error);
        if (error instanceof Refused && error.status >= 400 && error.status < 500) {
          this.#changed();
          return;
        }
      }
      this.#changed();
      if (!video.fault && video.task?.status !== 'processing') return;
      await new Promise((resolve) => setTimeout(resolve, video.fault ? retryDelayMs : pollDelayMs));
    }
  }

  async #readClips(video: Video): Promise<void> {
    const { outputType, outputId } = video.entry;
    const id = encodeURIComponent(outputId);
    try {
      video.clips =
        outputType === 'folder'
          ? await ask<Project[]>(`/clips/projects?folder_id=${id}`)
          : [await ask<Project>(`/clips/projects/${id}`)];
    } catch (error) {
      // A promised project does not exist before it is planned.
      if (!(error instanceof Refused && error.status === 404)) throw error;
    }
    this.#changed();
  }
}
