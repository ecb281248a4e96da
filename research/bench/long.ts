/**
 * A source of five hours through the real service: its memory, and the time of each stage. Alone:
 * `node research/bench/long.ts`.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { projectListSchema, taskSchema } from 'clip-kit/contract';
import { familyOf, sumOf } from './family.ts';
import { ffmpegSeconds } from './measured-run.ts';
import { startServer } from './measured-server.ts';
import { callerOf, serveFiles } from './service-caller.ts';
import { markdownTable } from './table.ts';

/** Milliseconds between two looks at the memory. */
const pace = 100;
const hours = 5;
/** Seconds of the piece that is repeated. */
const piece = 30;
/** A few seconds short of the limit of five hours. */
const repeats = (hours * 3600) / piece - 1;
/** Two and a half words a second, as people talk. */
const wordsEach = 10;
const cueSeconds = 4;

export interface LongFigures {
  /** Seconds of the source. */
  duration: number;
  words: number;
  /** Resident bytes of the service's process: before the task, at the most while it ran. */
  service: { before: number; most: number };
  /** Resident bytes of its child processes together, at the most. */
  children: number;
  /**
   * Processor seconds of all of them from the start of the task until its clips are listed, and
   * seconds of the clock.
   */
  listed: { cpu: number; seconds: number };
  /** Seconds of the clock from the listing of the clips to the first preview. */
  firstPreview: number;
  clips: number;
}

/**
 * A talking picture of 640x360 at 25 frames a second, repeated without encoding it again; words as
 * subtitles.
 */
async function makeLong(directory: string): Promise<{ duration: number; words: number }> {
  await ffmpegSeconds(
    [
      ...['-f', 'lavfi', '-i', `testsrc2=s=640x360:r=25:d=${piece}`],
      ...['-f', 'lavfi', '-i', `sine=frequency=220:sample_rate=48000:d=${piece}`],
      ...['-af', "volume='if(lt(mod(t,4),3.4),0.5,0)':eval=frame", '-c:v', 'libx264'],
      ...['-preset', 'veryfast', '-g', '100', '-c:a', 'aac', '-b:a', '64k', '-y', 'piece.mp4'],
    ],
    directory,
  );
  await ffmpegSeconds(
    ['-stream_loop', String(repeats - 1), '-i', 'piece.mp4', '-c', 'copy', '-y', 'long.mp4'],
    directory,
  );
  const duration = repeats * piece;
  const pool =
    'why do most people never finish what they start the secret is a small habit not talent and nobody told us about it before in all those years'.split(
      ' ',
    );
  const clock = (at: number): string => new Date(at * 1000).toISOString().slice(11, 23);
  const cues: string[] = [];
  let words = 0;
  for (let at = 0; at + cueSeconds <= duration; at += cueSeconds) {
    const said = Array.from(
      { length: wordsEach },
      () => pool[(words++ * 7 + (at % 11)) % pool.length]!,
    );
    const end = ['.', '?', '.', '!', '.'][(at / cueSeconds) % 5]!;
    const text = `${said[0]![0]!.toUpperCase()}${said.join(' ').slice(1)}${end}`;
    cues.push(`${clock(at + 0.1)} --> ${clock(at + 3.4)}\n${text}\n`);
  }
  await writeFile(join(directory, 'long.vtt'), `WEBVTT\n\n${cues.join('\n')}`);
  return { duration, words };
}

export async function benchLong(
  parent: string,
  say: (line: string) => void = () => {},
): Promise<LongFigures> {
  const directory = await mkdtemp(join(parent, 'long-'));
  const { duration, words } = await makeLong(directory);
  const files = await serveFiles(['long.mp4', 'long.vtt'].map((name) => join(directory, name)));
  const service = await startServer('service', { dataDir: join(directory, 'data') });
  try {
    const root = Number(service.facts['pid']);
    const ask = callerOf(service);
    const look = async () => {
      const own = await familyOf(root);
      const children = own.filter(({ pid }) => pid !== root);
      return {
        service: own.find(({ pid }) => pid === root)?.rss ?? 0,
        children: sumOf(children, 'rss'),
        cpu: sumOf(own, 'cpu'),
      };
    };
    const before = await look();
    let [most, children] = [before.service, 0];
    let watching = true;
    const watch = (async () => {
      while (watching) {
        const now = await look();
        most = Math.max(most, now.service);
        children = Math.max(children, now.children);
        await setTimeout(pace);
      }
    })();
    try {
      const began = performance.now();
      const since = (): number => (performance.now() - began) / 1000;
      let task = taskSchema.parse(
        await ask('/tasks/video-to-shorts', {
          source_video_url: `${files.url}/long.mp4`,
          target_clip_count: 10,
        }),
      );
      say(`accepted after ${since().toFixed(1)} s`);
      let clips = projectListSchema.parse([]);
      let stage = '';
      while (!clips.length && task.status === 'processing') {
        await setTimeout(pace);
        task = taskSchema.parse(await ask(`/tasks/${task.id}`));
        if (task.progress && task.progress.stage !== stage) {
          stage = task.progress.stage;
          say(`${stage} after ${since().toFixed(1)} s, ${(most / 1e6).toFixed(0)} MB at the most`);
        }
        clips = projectListSchema.parse(await ask(`/projects/${task.output_id}`));
      }
      if (task.status === 'error') throw new Error(`The task failed: ${task.failure?.message}`);
      const listed = { cpu: (await look()).cpu - before.cpu, seconds: since() };
      const shown = async ({ id }: { id: string }): Promise<boolean> => {
        const state = await fetch(`${service.url}/player/${id}/state`);
        return ((await state.json()) as { state: string }).state === 'ready';
      };
      while (!(await Promise.all(clips.map(shown))).includes(true)) await setTimeout(pace);
      const firstPreview = since() - listed.seconds;
      return {
        ...{ duration, words, service: { before: before.service, most }, children },
        ...{ listed, firstPreview, clips: clips.length },
      };
    } finally {
      watching = false;
      await watch;
    }
  } finally {
    await service.stop();
    files.close();
    await rm(directory, { recursive: true, force: true });
  }
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

export const longTable = (figures: LongFigures): string =>
  markdownTable(
    [
      `${(figures.duration / 3600).toFixed(1)} hours, ${figures.words.toLocaleString('en')} words`,
      'figure',
    ],
    [
      ['memory of the service’s process before it', megabytes(figures.service.before)],
      ['at the most', megabytes(figures.service.most)],
      ['memory of its ffmpeg processes, at the most', megabytes(figures.children)],
      [`its ${figures.clips} clips listed, after`, `${figures.listed.seconds.toFixed(0)} s`],
      [
        'times real time a core, until then',
        `${(figures.duration / figures.listed.cpu).toFixed(0)} x`,
      ],
      ['first preview, after that', `${figures.firstPreview.toFixed(1)} s`],
    ],
  );

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const parent = await mkdtemp(join(tmpdir(), 'clip-bench-'));
  try {
    const figures = await benchLong(parent, (line) => console.log(line));
    console.log(figures);
    console.log(longTable(figures));
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
}
