import { frameRanges, mapToSource, type Edit } from 'clip-engine/drawing';
import { isMutedAt, type LiveSound } from './live-sound.ts';

/** The source itself, or a proxy of a segment of it. */
export interface ProxyVideo {
  url: string;
  /** Source seconds at which it begins. */
  offset: number;
}

/** The time before a cut at which the video after it starts to play, hidden and muted. */
const leadSeconds = 0.7;

/** About how long a video takes from the call to its first frame. */
const startSeconds = 0.05;

/** A seek goes to just before the middle of a frame's time, as ffmpeg rounds. */
const beforeMiddle = 0.001;

/** Clocks of files round times by less than this. */
const clockErrorSeconds = 0.002;

/**
 * The time that a seek waits for its picture after the browser has reported its end: a frame that
 * is longer than the source's others is not recognised, and a hidden page is told of none.
 */
const maxPictureWaitMs = 200;

/**
 * Two videos that alternate in playing the kept ranges of an edit. While one plays, the other is
 * already at the next range, so that what is cut out leaves no gap.
 */
export class DoubleBufferedPlayer {
  readonly #videos: [HTMLVideoElement, HTMLVideoElement];
  #proxy: ProxyVideo;
  readonly #onFrame: (video: HTMLVideoElement, outputFrame: number) => void;
  #edit: Edit;
  /** Index of the range that plays. */
  #index = 0;
  #frame = 0;
  #isPlaying = false;
  #isMuted = false;
  readonly #sound: LiveSound;
  /** Where the last seek went, in seconds of the proxy. */
  #target = 0;
  /** The time of the picture that each video shows, in seconds of the proxy. */
  readonly #pictures = new Map<HTMLVideoElement, number>();
  /** Resolves when a video shows another picture. */
  #presented = Promise.withResolvers<void>();

  /** @param onFrame draws the frame that a video shows as that frame of the output */
  constructor(
    videos: readonly [HTMLVideoElement, HTMLVideoElement],
    proxy: ProxyVideo,
    edit: Edit,
    sound: LiveSound,
    onFrame: (video: HTMLVideoElement, outputFrame: number) => void,
  ) {
    this.#videos = [...videos];
    this.#proxy = proxy;
    this.#edit = edit;
    this.#sound = sound;
    this.#onFrame = onFrame;
    for (const video of videos) {
      // The ground of a whole picture is read back.
      video.crossOrigin = 'anonymous';
      video.preload = 'auto';
      video.playsInline = true;
      video.src = proxy.url;
      this.#watchFrames(video);
    }
    this.#updateMuted();
  }

  /** Replaces the video of the segment. A pending seek continues in the new one. */
  set proxy(proxy: ProxyVideo) {
    this.pause();
    this.#proxy = proxy;
    this.#pictures.clear();
    for (const video of this.#videos) video.src = proxy.url;
  }

  get frame(): number {
    return this.#frame;
  }

  get isPlaying(): boolean {
    return this.#isPlaying;
  }

  get frameCount(): number {
    return Math.round(this.#edit.duration * this.#edit.frameRate);
  }

  set isMuted(isMuted: boolean) {
    this.#isMuted = isMuted;
    this.#updateMuted();
  }

  /** Replaces the edit of the segment. The picture stays at the same source time. */
  set edit(edit: Edit) {
    const { time } = mapToSource(this.#edit.ranges, this.#frame / this.#edit.frameRate);
    this.#edit = edit;
    const ranges = frameRanges(edit);
    const at = (time - edit.ranges[0]!.start) * edit.frameRate;
    let passed = 0;
    for (const { from, to } of ranges) {
      if (at < to) {
        this.#frame = Math.round(passed + Math.max(0, at - from));
        return;
      }
      passed += to - from;
    }
    this.#frame = Math.max(0, passed - 1);
  }

  /** Shows a frame of the output, and stands still there. */
  async seek(outputFrame: number): Promise<void> {
    this.pause();
    const { frameRate, ranges } = this.#edit;
    this.#frame = Math.min(Math.max(0, Math.round(outputFrame)), this.frameCount - 1);
    const middle = (this.#frame + 0.5) / frameRate - beforeMiddle;
    const { index, time } = mapToSource(ranges, middle);
    this.#index = index;
    const [active] = this.#videos;
    this.#target = time - this.#proxy.offset;
    await seekVideo(active, this.#target);
    await this.#waitForPicture(active);
    this.#onFrame(active, this.#frame);
  }

  /** Waits for the picture of the last seek: after `seeked`, an earlier one may still be drawn. */
  async #waitForPicture(video: HTMLVideoElement): Promise<void> {
    if (document.hidden) return;
    const timeout = AbortSignal.timeout(maxPictureWaitMs);
    const isOver = new Promise((resolve) => timeout.addEventListener('abort', resolve));
    while (!timeout.aborted && !this.#hasPicture(video)) {
      await Promise.race([this.#presented.promise, isOver]);
    }
  }

  /** Whether a video shows the picture of the last seek. */
  #hasPicture(video: HTMLVideoElement): boolean {
    const passed = this.#target - (this.#pictures.get(video) ?? Infinity);
    const frameSeconds = 1 / this.#edit.source.frameRate;
    return passed > -clockErrorSeconds && passed < frameSeconds + clockErrorSeconds;
  }

  async play(): Promise<void> {
    if (this.#frame >= this.frameCount - 1) await this.seek(0);
    this.#isPlaying = true;
    const [active] = this.#videos;
    this.#sound.begin(this.#edit);
    this.#updateMuted();
    this.#cueNext();
    await active.play();
  }

  pause(): void {
    this.#isPlaying = false;
    for (const video of this.#videos) video.pause();
    this.#sound.pause();
  }

  close(): void {
    this.pause();
    this.#sound.close();
    for (const video of this.#videos) video.removeAttribute('src');
  }

  /** Also mutes the words that are not heard, from the frame before them on. */
  #updateMuted(): void {
    const [active, next] = this.#videos;
    active.muted = this.#isMuted || isMutedAt(this.#edit, this.#frame);
    next.muted = true;
    if (this.#isPlaying) this.#sound.follow(this.#edit, this.#frame, this.#isMuted);
  }

  /** Where the next video begins to run before its range. */
  #getLeadStart(start: number): number {
    return Math.max(this.#proxy.offset, start - leadSeconds);
  }

  /** Puts the other video before the next range. */
  #cueNext(): void {
    const next = this.#edit.ranges[this.#index + 1];
    if (!next) return;
    const [, video] = this.#videos;
    video.pause();
    video.currentTime = this.#getLeadStart(next.start) - this.#proxy.offset;
  }

  #watchFrames(video: HTMLVideoElement): void {
    video.requestVideoFrameCallback((_, { mediaTime }) => {
      if (video.hasAttribute('src')) this.#watchFrames(video);
      this.#pictures.set(video, mediaTime);
      this.#presented.resolve();
      this.#presented = Promise.withResolvers();
      this.#followFrame(video, mediaTime + this.#proxy.offset);
    });
  }

  /** A video shows the picture of a time, in source seconds. */
  #followFrame(video: HTMLVideoElement, time: number): void {
    const [active] = this.#videos;
    if (!this.#isPlaying) {
      // A callback may come late, with the picture of an earlier place.
      if (video === active && this.#hasPicture(video)) this.#onFrame(active, this.#frame);
      return;
    }
    if (video !== active) return this.#alignNext();
    const { ranges, frameRate } = this.#edit;
    const range = ranges[this.#index]!;
    const halfFrame = 0.5 / frameRate;
    if (time > range.end - halfFrame) return this.#switchVideos();
    // The video has not reached its range yet.
    if (time < range.start - halfFrame) return;
    const passed = ranges
      .slice(0, this.#index)
      .reduce((sum, { start, end }) => sum + end - start, 0);
    this.#frame = Math.round((passed + time - range.start) * frameRate);
    this.#updateMuted();
    this.#onFrame(active, this.#frame);
    this.#startNext(range.end - time);
  }

  /** Starts the other video so that it is at its range when the playing one ends. */
  #startNext(left: number): void {
    const next = this.#edit.ranges[this.#index + 1];
    const [, video] = this.#videos;
    if (!next || !video.paused) return;
    const run = next.start - this.#getLeadStart(next.start);
    if (left <= run + startSeconds) void video.play();
  }

  /** Lets the next video run faster or slower, so that both are at the cut at the same moment. */
  #alignNext(): void {
    const [active, video] = this.#videos;
    const next = this.#edit.ranges[this.#index + 1];
    if (!next) return;
    const left = this.#edit.ranges[this.#index]!.end - active.currentTime - this.#proxy.offset;
    const nextLeft = next.start - video.currentTime - this.#proxy.offset;
    const rate = left > 0.02 ? nextLeft / left : 1;
    video.playbackRate = Math.min(2, Math.max(0.5, rate));
  }

  #switchVideos(): void {
    const next = this.#edit.ranges[this.#index + 1];
    if (!next) {
      this.pause();
      this.#frame = this.frameCount - 1;
      return;
    }
    const [old, video] = this.#videos;
    this.#videos.reverse();
    this.#index++;
    this.#updateMuted();
    old.pause();
    video.playbackRate = 1;
    if (video.paused) void video.play();
    this.#cueNext();
    this.#followFrame(video, video.currentTime + this.#proxy.offset);
  }
}

/** Seeks in a video. Resolves when it is at the time, in seconds, or at that of a later call. */
async function seekVideo(video: HTMLVideoElement, seconds: number): Promise<void> {
  if (video.readyState < HTMLMediaElement.HAVE_METADATA) await next(video, 'loadedmetadata');
  if (Math.abs(video.currentTime - seconds) > 1e-4) video.currentTime = seconds;
  // An event may be that of an earlier call, and another call may come before it.
  while (video.seeking || video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) {
    await next(video, 'seeked', 'loadeddata', 'canplay');
  }
}

/** Resolves at the next of the events. */
const next = (video: HTMLVideoElement, ...events: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const ended = new AbortController();
    const { signal } = ended;
    for (const event of events) {
      video.addEventListener(event, () => (ended.abort(), resolve()), { signal });
    }
    video.addEventListener('error', () => (ended.abort(), reject(video.error!)), { signal });
  });
