import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { drawn, typed } from '../sample/drawing.ts';
import { ffmpeg, frameRate, renderShow, type Show } from '../sample/render-show.ts';
import { joined, loudnessAt, speak, speechRate } from '../sample/speech.ts';
import { webVtt } from '../sample/web-vtt.ts';
import { applause } from './applause.ts';
import type { Video, Heard, Instant } from './video.ts';

const leadIn = 0.5;

/** The name of a video in the gallery. */
const usualSize = { width: 1280, height: 720 } as const;

const encodings: Readonly<Record<NonNullable<Video['encoding']>, readonly string[]>> = {
  'high-dynamic-range': [
    '-vf',
    [
      'format=yuv444p',
      'setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709:range=tv',
      'zscale=t=linear:npl=203',
      'format=gbrpf32le',
      'zscale=t=smpte2084:p=bt2020:m=bt2020nc:r=tv:npl=203',
      'format=yuv420p10le',
    ].join(','),
    // prettier-ignore
    ...[
      '-c:v', 'libx264', '-preset', 'superfast', '-crf', '16', '-color_primaries', 'bt2020',
      '-color_trc', 'smpte2084', '-colorspace', 'bt2020nc',
    ],
  ],
  interlaced: [
    '-vf',
    // Each picture has the even rows of one frame and the odd rows of the next.
    `tinterlace=interlacex2,select='mod(n,2)',setpts=N/${frameRate}/TB,setfield=tff`,
    ...['-r', String(frameRate), '-c:v', 'libx264', '-preset', 'superfast', '-crf', '16'],
    ...['-flags', '+ilme+ildct', '-x264opts', 'tff=1'],
  ],
  // A picture is stored only where it differs from the one before.
  sparse: [
    ...['-vf', 'mpdecimate=max=0', '-fps_mode', 'vfr'],
    ...['-c:v', 'libx264', '-preset', 'superfast', '-crf', '16'],
  ],
  'ten-bits': [
    ...['-pix_fmt', 'yuv420p10le', '-c:v', 'libx264', '-preset', 'superfast', '-crf', '16'],
  ],
};

async function speakVideo(video: Video, directory: string) {
  const quiet = (seconds: number) => new Int16Array(Math.round(seconds * speechRate));
  const parts: Int16Array[] = [quiet(leadIn)];
  const heard: Heard[] = [];
  let at = leadIn;
  for (const line of video.lines) {
    const voice =
      line.applause === undefined
        ? await speak(line.said ?? line.text, directory, line.voice)
        : applause(line.applause);
    const end = at + voice.length / speechRate;
    heard.push({ ...line, start: at, end });
    parts.push(voice, quiet(line.pause));
    at = end + Math.round(line.pause * speechRate) / speechRate;
  }
  return { heard, samples: joined(parts), frames: Math.floor(at * frameRate) };
}

function drawVideo(
  video: Video,
  { heard, samples, frames }: Awaited<ReturnType<typeof speakVideo>>,
  size: Show['size'],
): Show {
  const shots = video.shots(heard);
  const lines: string[] = [];
  const grounds = shots.map((shot, index) => {
    const first = Math.round(shot.from * frameRate);
    const last = Math.round((shots[index + 1]?.from ?? frames / frameRate) * frameRate);
    for (let frame = first; frame < last; frame++) {
      const time = frame / frameRate;
      const now: Instant = {
        time,
        inShot: time - shot.from,
        loudness: loudnessAt({ samples }, time),
        line: Math.max(
          0,
          heard.findLastIndex(({ start }) => start <= time),
        ),
        duration: frames / frameRate,
      };
      const next = (frame + 1) / frameRate;
      for (const shape of shot.moving(now)) lines.push(drawn(5, time, next, shape));
    }
    for (const { text, ...style } of shot.texts ?? []) {
      lines.push(typed(6, [first / frameRate, last / frameRate], text, style));
    }
    const still = shot.still.map((shape, layer) => drawn(layer, 0, 1, shape));
    return { frames: last - first, colours: shot.colours, lines: still };
  });
  return { grounds, lines, samples, size };
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * Makes `<name>.mp4` and `<name>.vtt` in a directory, which it creates. Existing files are kept. A
 * second of video takes about half a second of processor time. `size` is the size of the video;
 * `signal` stops the work.
 */
export async function makeVideo(
  video: Video,
  name: string,
  directory: string,
  { size = usualSize, signal }: { size?: Show['size'] | undefined; signal?: AbortSignal } = {},
): Promise<void> {
  if (await exists(join(directory, `${name}.mp4`))) return;
  await mkdir(directory, { recursive: true });
  const work = await mkdtemp(join(directory, '.making-'));
  try {
    const spoken = await speakVideo(video, work);
    const drawing = video.encoding ? 'drawing.mp4' : `${name}.mp4`;
    await renderShow(work, drawVideo(video, spoken, size), drawing, signal);
    if (video.encoding) {
      const args = ['-i', drawing, ...encodings[video.encoding], '-c:a', 'copy', `${name}.mp4`];
      await ffmpeg(args, work, signal);
    }
    await writeFile(join(work, `${name}.vtt`), webVtt(spoken.heard));
    // The video is put in place last, so an existing video is always complete.
    for (const ending of ['vtt', 'mp4']) {
      await rename(join(work, `${name}.${ending}`), join(directory, `${name}.${ending}`));
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
