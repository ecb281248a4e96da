import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { videos } from '../../gallery/videos.ts';
import { makeVideo } from '../../gallery/make-video.ts';
import { ffmpeg } from '../../sample/render-show.ts';

const execute = promisify(execFile);

export interface GalleryFile {
  readonly path: string;
  readonly type: string;
}

const types: Readonly<Record<string, string>> = {
  mp4: 'video/mp4',
  vtt: 'text/vtt',
  jpg: 'image/jpeg',
};

const isVideo = (name: string): name is keyof typeof videos => Object.hasOwn(videos, name);

/**
 * The videos of the gallery and the still pictures of videos and clips, on disk. The demo's sample
 * video, which is made at the start, is also one of its sources.
 */
export class GalleryFiles {
  readonly #directory: string;
  readonly #sampleDirectory: string;
  readonly #size: { width: number; height: number } | undefined;

  /** `size` is the size of the videos; their own if omitted. */
  constructor(
    directory: string,
    sampleDirectory: string,
    size?: { width: number; height: number },
  ) {
    this.#directory = directory;
    this.#sampleDirectory = sampleDirectory;
    this.#size = size;
  }

  /** Makes a source if it does not exist yet; returns its path. */
  async makeSource(name: string, signal: AbortSignal): Promise<string> {
    if (isVideo(name)) {
      await makeVideo(videos[name], name, this.#directory, { size: this.#size, signal });
    } else if (name !== 'sample') throw new Error(`The gallery has no video called “${name}”.`);
    return this.file(`${name}.mp4`)!.path;
  }

  /** Takes a picture of a video (a URL or a path) at a time in seconds, as `<name>.jpg`. */
  async takeStill(video: string, time: number, name: string, signal: AbortSignal): Promise<void> {
    await mkdir(this.#directory, { recursive: true });
    // Not -ss: where pictures are sparse, it gives the next one instead of the one that is shown.
    const shown = `fps=25:start_time=0,trim=start=${time}`;
    await ffmpeg(
      ['-i', video, '-vf', shown, '-frames:v', '1', '-q:v', '4', '-y', `${name}.jpg`],
      this.#directory,
      signal,
    );
  }

  /**
   * A file by its name, such as `walk.mp4` or `walk-source.jpg`; null for a name that is not in the
   * gallery.
   */
  file(name: string): GalleryFile | null {
    const [, stem = '', ending = ''] = /^([a-z0-9-]+)\.(mp4|vtt|jpg)$/.exec(name) ?? [];
    const type = types[ending];
    if (!type || (ending !== 'jpg' && !isVideo(stem) && stem !== 'sample')) return null;
    const directory = stem === 'sample' ? this.#sampleDirectory : this.#directory;
    return { path: join(directory, name), type };
  }
}

/** Duration of a video in seconds, by its URL or path. */
export async function durationOf(video: string): Promise<number> {
  // prettier-ignore
  const { stdout } = await execute('ffprobe', [
    '-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', video,
  ]);
  return Number(stdout);
}
