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
  /** The clips that its list shows; null until it has been shown. */
  clips: readonly Project[] | null;
}

const pollDelayMs = 3000;

/** This person's videos. The list of the selected one tells of its task; the others are asked. */
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
    this.videos = entries.map((entry) => ({ entry, task: null, clips: null }));
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
    const video: Video = { entry, task, clips: null };
    this.videos = [video, ...this.videos];
    this.select(video);
    void this.#follow(video);
  }

  select(video: Video): void {
    this.selected = video;
    history.replaceState(null, '', `#${video.entry.taskId}`);
    this.#changed();
  }

  /** What the list of the video has received. */
  update(video: Video, news: Partial<Pick<Video, 'task' | 'clips'>>): void {
    Object.assign(video, news);
    this.#changed();
  }

  /** Asks for the task until it is settled, except while its list does. */
  async #follow(video: Video): Promise<void> {
    for (;;) {
      if (video !== this.selected) {
        try {
          video.task = await ask<Task>(`/clips/tasks/${encodeURIComponent(video.entry.taskId)}`);
          this.#changed();
        } catch (error) {
          if (error instanceof Refused && error.status >= 400 && error.status < 500) return;
        }
      }
      if (video.task && video.task.status !== 'processing') return;
      await new Promise((resolve) => setTimeout(resolve, pollDelayMs));
    }
  }
}
