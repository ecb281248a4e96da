import { findProgram, run } from './ffmpeg-process.ts';
import { ProgramError } from './process-error.ts';

/** Filters that a build may lack, because they need a library. */
const filters = ['ass', 'zscale'] as const;
const encoders = ['libx264', 'aac', 'mjpeg', 'flac'] as const;

/** Differences between versions of ffmpeg. */
interface Abilities {
  /** The option that reads a filter graph from a file. */
  graphFile: '-filter_complex_script' | '-/filter_complex';
}

const known = new Map<string | null, Promise<Abilities>>();

/**
 * Reads the abilities of an ffmpeg from its help texts.
 * @throws {@link ProgramError} that names the missing abilities
 */
export function readAbilities(help: {
  options: string;
  filters: string;
  encoders: string;
}): Abilities {
  const lacks = (text: string, names: readonly string[]) =>
    names.filter((name) => !new RegExp(`^ *\\S+ +${name} `, 'm').test(text));
  const missing = [
    ...(/^-fps_mode\b/m.test(help.options) ? [] : ['the option -fps_mode']),
    ...lacks(help.filters, filters).map((name) => `the filter ${name}`),
    ...lacks(help.encoders, encoders).map((name) => `the encoder ${name}`),
  ];
  if (missing.length > 0) {
    throw new ProgramError(
      `The installed ffmpeg does not have ${missing.join(', ')}. ` +
        'Install ffmpeg 5.1 or newer with libx264, libass and libzimg, and try again.',
    );
  }
  const script = /^-filter_complex_script\b/m.test(help.options);
  return { graphFile: script ? '-filter_complex_script' : '-/filter_complex' };
}

async function ask(): Promise<Abilities> {
  const said = async (...args: string[]): Promise<string> => {
    // Every work with ffmpeg waits for the same answer, so no single signal ends it.
    const { signal } = new AbortController();
    const { stdout } = await run('ffmpeg', ['-hide_banner', ...args], {
      signal,
      deadlineSeconds: 60,
    });
    return stdout;
  };
  const [options, filters, encoders] = await Promise.all([
    said('-h', 'long'),
    said('-filters'),
    said('-encoders'),
  ]);
  return readAbilities({ options, filters, encoders });
}

/**
 * Returns the abilities of the installed ffmpeg, which is asked only once.
 * @throws {@link ProgramError} if it is not installed, or lacks something that clips need
 */
export function getFfmpegAbilities(): Promise<Abilities> {
  const path = findProgram('ffmpeg');
  const asked = known.get(path) ?? ask();
  known.set(path, asked);
  // A better one may be installed while this process runs.
  asked.catch(() => known.delete(path));
  return asked;
}
