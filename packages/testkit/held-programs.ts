import { constants } from 'node:fs';
import { access, chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { waitFor } from './wait-for.ts';

/**
 * ffmpeg and ffprobe in a directory that stands first in PATH: they run the real ones, but the
 * first whose arguments hold a text that was named stops before it begins, or is killed.
 */
export interface HeldPrograms {
  /** The value for PATH. */
  path: string;
  /**
   * The next program with the text (one line, as the arguments are parted by spaces) among its
   * arguments stands still.
   */
  hold(stage: string, text: string): Promise<void>;
  /** As `hold`, but the program goes on when it is told to resume. */
  pause(stage: string, text: string): Promise<void>;
  /** Lets a paused program run (`pass`), or find the disk full (`fill`). */
  resume(stage: string, how?: 'pass' | 'fill'): Promise<void>;
  /** The next program with the text is killed, as many times as there are. */
  kill(stage: string, text: string): Promise<void>;
  /** The next program with the text finds the disk full. */
  fill(stage: string, text: string): Promise<void>;
  /** Resolves when a program stands still there, or has been killed. */
  reached(stage: string): Promise<void>;
  /** Whether one stands still there, or has been killed. */
  isReached(stage: string): Promise<boolean>;
  /** Lets all later programs pass. */
  release(): Promise<void>;
}

const wrapper = (directory: string, program: string): string => `#!/bin/sh
all=" $* "
for stage in '${directory}'/held/*; do
  [ -f "$stage" ] || continue
  read -r what text < "$stage" || continue
  case "$all" in
    *"$text"*)
      # The one that moves the file away has it.
      if mv "$stage" '${directory}'/reached/"\${stage##*/}" 2>/dev/null; then
        [ "$what" = kill ] && kill -KILL $$
        while [ "$what" = pause ]; do
          sleep 0.02
          read -r what text < '${directory}'/reached/"\${stage##*/}" || what=pause
        done
        [ "$what" = pass ] && exec '${program}' "$@"
        [ "$what" = fill ] && echo 'part.mp4: No space left on device' >&2 && exit 1
        exec tail -f '${directory}'/reached/"\${stage##*/}"
      fi ;;
  esac
done
exec '${program}' "$@"
`;

/** Not by the service's own search, which remembers what it has found. */
async function realProgram(name: string): Promise<string> {
  for (const directory of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(directory, name);
    if (
      await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return path;
  }
  throw new Error(`${name} is not installed.`);
}

/** Writes the programs below `directory`, which need not exist. */
export async function heldPrograms(directory: string): Promise<HeldPrograms> {
  const at = (...names: string[]) => join(directory, ...names);
  for (const name of ['bin', 'held', 'reached']) {
    await mkdir(at(name), { recursive: true });
  }
  for (const name of ['ffmpeg', 'ffprobe']) {
    const program = await realProgram(name);
    await writeFile(at('bin', name), wrapper(directory, program));
    await chmod(at('bin', name), 0o755);
  }
  const put = async (what: string, stage: string, text: string) => {
    await rm(at('reached', stage), { force: true });
    await writeFile(at('held', stage), `${what} ${text}\n`);
  };
  return {
    path: [at('bin'), process.env['PATH'] ?? ''].join(delimiter),
    hold: (stage, text) => put('hold', stage, text),
    pause: (stage, text) => put('pause', stage, text),
    async resume(stage, how = 'pass') {
      // Renamed into place, so that the program never reads half of it.
      await writeFile(at(`${stage}.resumed`), `${how}\n`);
      await rename(at(`${stage}.resumed`), at('reached', stage));
    },
    kill: (stage, text) => put('kill', stage, text),
    fill: (stage, text) => put('fill', stage, text),
    async reached(stage) {
      const reached = () => readdir(at('reached'));
      await waitFor(
        `a program at ${stage}`,
        async () => (await reached()).includes(stage),
        reached,
      );
    },
    async isReached(stage) {
      return (await readdir(at('reached'))).includes(stage);
    },
    async release() {
      for (const name of await readdir(at('held'))) await rm(at('held', name), { force: true });
    },
  };
}
