import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceClient } from 'clip-kit/client';
import type { Project, Task } from 'clip-kit/contract';

const pollMs = 400;

/**
 * The clips that the service makes of the sample for the pages that show one to everybody. They
 * belong to the organization itself: no person of the demo has them in their studio.
 */
export class SampleClips {
  readonly #client: ServiceClient;
  readonly #sampleUrl: string;
  readonly #signal: AbortSignal;
  #clips: Promise<Project[]> | null = null;

  constructor(client: ServiceClient, sampleUrl: string, signal: AbortSignal) {
    this.#client = client;
    this.#sampleUrl = sampleUrl;
    this.#signal = signal;
  }

  /** Reads the clips, best first; the first call makes those that no earlier start has made. */
  read(): Promise<Project[]> {
    this.#clips ??= this.#make().catch((error: unknown) => {
      // The next call tries again.
      this.#clips = null;
      throw error;
    });
    return this.#clips;
  }

  async #make(): Promise<Project[]> {
    const call = { signal: this.#signal };
    const { tasks } = await this.#client.listTasks({ limit: 1 }, call);
    let task: Task | undefined = tasks[0];
    if (!task || task.status === 'error') {
      task = await this.#client.createVideoToShorts(
        {
          source_video_url: this.#sampleUrl,
          name: 'Four small ideas',
          language: 'en',
          target_clip_count: 3,
          max_clip_count: 3,
          min_duration: 8,
          max_duration: 20,
          target_duration: 12,
        },
        call,
      );
    }
    while (task.status === 'processing') {
      await sleep(pollMs, undefined, call);
      task = await this.#client.getTask(task.id, call);
    }
    if (task.status === 'error') {
      throw new Error(task.failure?.message ?? 'The service could not make clips of the sample.');
    }
    return this.#client.listProjects(task.output_id, call);
  }
}
