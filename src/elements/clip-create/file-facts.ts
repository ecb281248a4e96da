/** What a page can read of a video without sending it. */
export interface VideoFacts {
  /** Length in seconds; null if this browser cannot play the file. */
  readonly seconds: number | null;
  /** A first picture; null if there is none. */
  readonly picture: HTMLCanvasElement | null;
}

const unknown: VideoFacts = { seconds: null, picture: null };
const readTimeoutMs = 10_000;
const pictureWidth = 320;

/** The next event of a name; rejects at an error or the signal. */
const next = (video: HTMLVideoElement, name: string, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    video.addEventListener(name, () => resolve(), { signal, once: true });
    video.addEventListener('error', reject, { signal, once: true });
    signal.addEventListener('abort', reject, { once: true });
  });

function draw(video: HTMLVideoElement): HTMLCanvasElement | null {
  const { videoWidth: width, videoHeight: height } = video;
  if (!width || !height) return null;
  const canvas = document.createElement('canvas');
  canvas.width = pictureWidth;
  canvas.height = Math.round((pictureWidth * height) / width);
  canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** Reads the length and a picture of a video file. Resolves with what could be read. */
export async function readFacts(file: File, signal: AbortSignal): Promise<VideoFacts> {
  const url = URL.createObjectURL(file);
  const video = document.createElement('video');
  const end = new AbortController();
  const ends = AbortSignal.any([signal, end.signal, AbortSignal.timeout(readTimeoutMs)]);
  let facts = unknown;
  try {
    video.muted = true;
    video.preload = 'auto';
    video.playsInline = true;
    const known = next(video, 'loadedmetadata', ends);
    video.src = url;
    await known;
    const { duration } = video;
    const seconds = Number.isFinite(duration) && duration > 0 ? duration : null;
    facts = { ...facts, seconds };
    const shown = next(video, 'seeked', ends);
    // The first picture is often black.
    video.currentTime = Math.min(2, (seconds ?? 0) / 4);
    await shown;
    facts = { ...facts, picture: draw(video) };
  } catch {
    // Not a film that this browser plays; the service may.
  } finally {
    end.abort();
    video.removeAttribute('src');
    video.load();
    URL.revokeObjectURL(url);
  }
  return facts;
}
