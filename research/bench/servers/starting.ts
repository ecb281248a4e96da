/**
 * The whole service, in whose process programs are started four times a second, as four renders
 * would: bare, by `spawn`, or as the engine does.
 */
import { spawn } from 'node:child_process';
import { run } from '../../../packages/engine/src/program/ffmpeg-process.ts';
import { startService } from '../../../packages/service/src/service.ts';
import { serve } from './child.ts';

/** What a render starts beside its encoder: fonts are listed, the result is read. */
const programs: readonly [string, readonly string[]][] = [
  ['fc-list', [':', 'family']],
  ['ffmpeg', '-v error -nostdin -f lavfi -i testsrc2=s=64x64:d=0.1 -f null -'.split(' ')],
  ['ffprobe', ['-version']],
];

const signal = new AbortController().signal;
const starters = {
  none: () => {},
  spawn: (program: string, args: readonly string[]) =>
    spawn(program, args, { detached: true, stdio: ['pipe', 'pipe', 'pipe'] }).stdout.resume(),
  engine: (program: string, args: readonly string[]) =>
    run(program, [...args], { signal, deadlineSeconds: 60 }),
} as const;

export type Starter = keyof typeof starters;

await serve<{ dataDir: string; starter: Starter }>(async ({ dataDir, starter }) => {
  const service = await startService({
    port: 0,
    host: '127.0.0.1',
    dataDir,
    allowPrivateSources: false,
  });
  const timer = setInterval(() => {
    for (const [program, args] of programs) void starters[starter](program, args);
  }, 250);
  return {
    url: service.url,
    close: () => {
      clearInterval(timer);
      return service.close();
    },
  };
});
