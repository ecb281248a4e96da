import type { Box, Dimensions } from '../../edit.ts';
import { startScript } from '../../program/start-program.ts';
import type { FinderOptions, Subject, SubjectFinder } from '../subject-finder.ts';
import { isUrgent } from '../../program/urgency.ts';
import type { FaceTask, FinderAnswer, VoiceTask } from './finder-process.ts';
import type { FacePlace, Mouth } from './mouth-network.ts';

/** The process ends when it had nothing to do for this long. */
const idleMs = 20_000;

/**
 * A process that finds faces, persons and text, and reads voices, for all work of this one that a
 * person waits for, or for all other: a process cannot raise its priority again. The memory of its
 * networks, which is freed with it, is not added to that of this process.
 */
class FinderProcess {
  readonly #child: ReturnType<typeof startScript>;
  readonly #waiting: { resolve(faces: FinderAnswer): void; reject(error: unknown): void }[] = [];
  #failure: unknown = null;
  #clips = 0;
  #opened = 0;
  #idle: NodeJS.Timeout | null = null;

  constructor(urgent: boolean) {
    const script = new URL('finder-process.ts', import.meta.url);
    this.#child = startScript(script, urgent ? ['urgent'] : []);
    this.#child.on('message', (faces: FinderAnswer) => this.#waiting.shift()?.resolve(faces));
    this.#child.on('error', (error) => this.#fail(error));
    this.#child.on('exit', () => this.#fail(new Error('The face finder has ended.')));
    this.#rest();
  }

  /** Ends the process if it has nothing to do for long, and does not keep this one. */
  #rest(): void {
    this.#child.unref();
    this.#child.channel?.unref();
    this.#idle = setTimeout(() => {
      this.#fail(new Error('The face finder has ended.'));
      this.#child.kill();
    }, idleMs).unref();
  }

  get failed(): boolean {
    return this.#failure !== null;
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
  }

  #send(task: FaceTask | VoiceTask): void {
    this.#child.send(task, (error) => error && this.#fail(error));
  }

  /** Loads what finds faces. */
  prepare(): void {
    const size = { width: 0, height: 0 };
    this.#send({ clip: 0, size, wanted: 'faces', picture: null });
  }

  /** @returns the number of a new clip */
  open(): number {
    if (this.#idle) clearTimeout(this.#idle);
    this.#clips += 1;
    this.#child.ref();
    this.#child.channel?.ref();
    return (this.#opened += 1);
  }

  search(task: FaceTask | VoiceTask): Promise<FinderAnswer> {
    if (this.#failure) return Promise.reject(this.#failure as Error);
    const { promise, resolve, reject } = Promise.withResolvers<FinderAnswer>();
    this.#waiting.push({ resolve, reject });
    this.#send(task);
    return promise;
  }

  close(task: FaceTask): void {
    this.#send(task);
    this.release();
  }

  release(): void {
    this.#clips -= 1;
    if (this.#clips === 0) this.#rest();
  }
}

const shared = new Map<boolean, FinderProcess>();

/** The process of what a person waits for, or of the rest. */
function getSharedProcess(): FinderProcess {
  const urgent = isUrgent();
  const known = shared.get(urgent);
  if (known && !known.failed) return known;
  const started = new FinderProcess(urgent);
  shared.set(urgent, started);
  return started;
}

/** Starts the process, so that the first clip does not wait for it. */
export function prepareFaceFinder(): void {
  getSharedProcess().prepare();
}

/** Results of the process for the pictures of one clip. */
export function openNetworkFinder(
  size: Dimensions,
  wanted: 'faces' | 'persons' | 'text',
): { search(picture: Uint8Array): Promise<Box[]>; close(): Promise<void> } {
  const finder = getSharedProcess();
  const clip = finder.open();
  return {
    search: async (picture) => (await finder.search({ clip, size, wanted, picture })) as Box[],
    close: () => {
      finder.close({ clip, size, wanted, picture: null });
      return Promise.resolve();
    },
  };
}

/** Finds faces, in a process that all clips share. */
export function createFaceFinder({ size }: FinderOptions): SubjectFinder {
  const finder = openNetworkFinder(size, 'faces');
  return {
    find: async (picture) => {
      const faces = await finder.search(picture);
      return faces.map((box): Subject => ({ kind: 'face', box }));
    },
    close: () => finder.close(),
  };
}

/** Reads the mouths of known faces, in the process of the face finder. */
export interface MouthReader {
  /** Null for faces that are not given or not there. */
  read(picture: Uint8Array, faces: readonly (FacePlace | null)[]): Promise<(Mouth | null)[]>;
  close(): void;
}

export function createMouthReader(size: Dimensions): MouthReader {
  const finder = getSharedProcess();
  const clip = finder.open();
  return {
    read: async (picture, faces) =>
      (await finder.search({ clip, size, wanted: 'mouths', picture, faces })) as (Mouth | null)[],
    close: () => finder.close({ clip, size, wanted: 'mouths', picture: null, faces: [] }),
  };
}

/** Reads the voices of a source, in the process of the face finder. */
export interface VoiceReader {
  /** Returns the voice of one person's speech: mono, 16 kHz. */
  read(samples: Int16Array): Promise<Float32Array>;
  close(): void;
}

export function openVoiceReader(): VoiceReader {
  const finder = getSharedProcess();
  finder.open();
  return {
    read: async (samples) => (await finder.search({ wanted: 'voice', samples })) as Float32Array,
    close: () => finder.release(),
  };
}
