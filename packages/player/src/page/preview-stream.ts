import type { StreamView } from '../clip-view.ts';
import { stripSignature, root } from './address.ts';

/** Safari on phones has only the managed one. */
const Source =
  (globalThis as { ManagedMediaSource?: typeof MediaSource }).ManagedMediaSource ??
  globalThis.MediaSource;

/** Whether the browser can play a clip from its segments. */
export const canStream = (): boolean => Source !== undefined;

/** The codecs of our renders, as the initialization segment names them. */
function readType(initialization: Uint8Array): string {
  const box = [...'avcC'].map((letter) => letter.charCodeAt(0));
  const at = initialization.findIndex((_, index) =>
    box.every((byte, offset) => initialization[index + offset] === byte),
  );
  // The version comes first.
  const profile = [...initialization.subarray(at + 5, at + 8)];
  const hex = profile.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `video/mp4; codecs="avc1.${hex}, mp4a.40.2"`;
}

async function load(url: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const answer = await fetch(new URL(url, root), { signal });
  if (!answer.ok) throw new Error(String(answer.status));
  return new Uint8Array(await answer.arrayBuffer());
}

const append = (buffer: SourceBuffer, bytes: BufferSource): Promise<void> =>
  new Promise((resolve, reject) => {
    buffer.onupdateend = () => resolve();
    buffer.onerror = () => reject(new Error('The segment cannot be played.'));
    buffer.appendBuffer(bytes);
  });

/** Plays a clip in a video element from the segments of its render, as they come. */
export class PreviewStream {
  readonly #video: HTMLVideoElement;
  readonly #source = new Source!();
  readonly #stop = new AbortController();
  readonly #onFailed: () => void;
  #view: StreamView;
  #buffer: SourceBuffer | null = null;
  #added = 0;
  #isAdding = false;
  /** The load of the segment after the one that is added. */
  #next: { url: string; bytes: Promise<Uint8Array<ArrayBuffer>> } | null = null;

  /** `onFailed`: the segments cannot be loaded or played. */
  constructor(video: HTMLVideoElement, view: StreamView, onFailed: () => void) {
    this.#video = video;
    this.#view = view;
    this.#onFailed = onFailed;
    this.#source.addEventListener('sourceopen', () => void this.#add(), { once: true });
    // What the managed one requires.
    video.disableRemotePlayback = true;
    video.src = URL.createObjectURL(this.#source);
  }

  /** Whether all segments are known: the clip plays to its end from them. */
  get isComplete(): boolean {
    return this.#view.isComplete;
  }

  /** Adds the segments that have come since. Those of another render begin a new stream. */
  update(view: StreamView): void {
    if (stripSignature(view.urls[0]) !== stripSignature(this.#view.urls[0])) return this.#fail();
    this.#view = view;
    void this.#add();
  }

  /** Loads no more. */
  close(): void {
    this.#stop.abort();
    URL.revokeObjectURL(this.#video.src);
  }

  #fail(): void {
    if (this.#stop.signal.aborted) return;
    this.close();
    this.#onFailed();
  }

  async #add(): Promise<void> {
    if (this.#isAdding || this.#source.readyState !== 'open') return;
    this.#isAdding = true;
    try {
      for (let url; (url = this.#view.urls[this.#added]) !== undefined; this.#added += 1) {
        const loaded = this.#next?.url === url ? this.#next.bytes : load(url, this.#stop.signal);
        this.#loadNext();
        const bytes = await loaded;
        this.#buffer ??= this.#open(bytes);
        await append(this.#buffer, bytes);
        this.#skipGap();
      }
      if (this.isComplete) this.#source.endOfStream();
    } catch {
      this.#fail();
    } finally {
      this.#isAdding = false;
    }
  }

  #loadNext(): void {
    const url = this.#view.urls[this.#added + 1];
    if (url === undefined) return;
    const bytes = load(url, this.#stop.signal);
    // Where it is awaited, a failure is thrown.
    bytes.catch(() => {});
    this.#next = { url, bytes };
  }

  #open(initialization: Uint8Array): SourceBuffer {
    const buffer = this.#source.addSourceBuffer(readType(initialization));
    this.#source.duration = this.#view.duration;
    return buffer;
  }

  /** The pictures begin a moment after 0, and some browsers wait for what never comes. */
  #skipGap(): void {
    const { buffered, currentTime } = this.#video;
    if (buffered.length > 0 && currentTime < buffered.start(0)) {
      this.#video.currentTime = buffered.start(0);
    }
  }
}
