import { Worker } from 'node:worker_threads';
import type { Box, Dimensions } from '../../edit.ts';
import type { FinderOptions, Subject, SubjectFinder } from '../subject-finder.ts';
import type { FaceAnswer, FaceTask } from './face-worker.ts';
import { stopWorker, createTurns } from './worker-turns.ts';
import type { FacePlace, Mouth } from './mouth-network.ts';

/** The worker ends when it had nothing to do for this long. */
const idleMs = 20_000;

/** A worker thread that finds faces, persons and text, for all clips of this process. */
class FaceWorker {
  readonly #turns = createTurns();
  readonly #worker = new Worker(new URL('./face-worker.ts', import.meta.url), {
    workerData: this.#turns,
  });
  readonly #halt = () => stopWorker(this.#turns);
  readonly #waiting: { resolve(faces: FaceAnswer): void; reject(error: unknown): void }[] = [];
  #failure: unknown = null;
  #clips = 0;
  #opened = 0;
  #idle: NodeJS.Timeout | null = null;

  constructor() {
    this.#worker.on('message', (faces: FaceAnswer) => this.#waiting.shift()?.resolve(faces));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', () => {
      process.off('exit', this.#halt);
      this.#fail(new Error('The face finder has ended.'));
    });
    process.on('exit', this.#halt);
    this.#worker.unref();
    this.#rest();
  }

  /** Ends the worker if it has nothing to do for long. */
  #rest(): void {
    this.#idle = setTimeout(() => {
      this.#fail(new Error('The face finder has ended.'));
      this.#halt();
      void this.#worker.terminate();
    }, idleMs).unref();
  }

  get failed(): boolean {
    return this.#failure !== null;
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }

  /** Loads what finds faces. */
  prepare(): void {
    const size = { width: 0, height: 0 };
    this.#worker.postMessage({ clip: 0, size, wanted: 'faces', picture: null } satisfies FaceTask);
  }

  /** @returns the number of a new clip */
  open(): number {
    if (this.#idle) clearTimeout(this.#idle);
    this.#clips += 1;
    this.#worker.ref();
    return (this.#opened += 1);
  }

  search(task: FaceTask): Promise<FaceAnswer> {
    if (this.#failure) return Promise.reject(this.#failure as Error);
    const { promise, resolve, reject } = Promise.withResolvers<FaceAnswer>();
    this.#waiting.push({ resolve, reject });
    this.#worker.postMessage(task);
    return promise;
  }

  close(task: FaceTask): void {
    this.#worker.postMessage(task);
    this.#clips -= 1;
    if (this.#clips > 0) return;
    this.#worker.unref();
    this.#rest();
  }
}

let shared: FaceWorker | null = null;

const getSharedWorker = (): FaceWorker =>
  shared && !shared.failed ? shared : (shared = new FaceWorker());

/** Starts the worker thread, so that the first clip does not wait for it. */
export function prepareFaceFinder(): void {
  getSharedWorker().prepare();
}

/** Results of the worker thread for the pictures of one clip. */
export function openFinderWorker(
  size: Dimensions,
  wanted: 'faces' | 'persons' | 'text',
): { search(picture: Uint8Array): Promise<Box[]>; close(): Promise<void> } {
  const worker = getSharedWorker();
  const clip = worker.open();
  return {
    search: async (picture) => (await worker.search({ clip, size, wanted, picture })) as Box[],
    close: () => {
      worker.close({ clip, size, wanted, picture: null });
      return Promise.resolve();
    },
  };
}

/** Finds faces, in a worker thread that all clips share. */
export function createFaceFinder({ size }: FinderOptions): SubjectFinder {
  const worker = openFinderWorker(size, 'faces');
  return {
    find: async (picture) => {
      const faces = await worker.search(picture);
      return faces.map((box): Subject => ({ kind: 'face', box }));
    },
    close: () => worker.close(),
  };
}

/** Reads the mouths of known faces, in the worker of the face finder. */
export interface MouthReader {
  /** Null for faces that are not given or not there. */
  read(picture: Uint8Array, faces: readonly (FacePlace | null)[]): Promise<(Mouth | null)[]>;
  close(): void;
}

export function createMouthReader(size: Dimensions): MouthReader {
  const worker = getSharedWorker();
  const clip = worker.open();
  return {
    read: async (picture, faces) =>
      (await worker.search({ clip, size, wanted: 'mouths', picture, faces })) as (Mouth | null)[],
    close: () => worker.close({ clip, size, wanted: 'mouths', picture: null, faces: [] }),
  };
}
