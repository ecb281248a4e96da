import { errorText } from '../program/error-text.ts';
import { machineFault, type MachineFault } from '../program/machine-fault.ts';
import { RemoteError } from '../remote/remote-call.ts';
import { SourceError } from '../source/source-error.ts';
import { PresetError } from '../style/presets.ts';
import { TooManyWords } from '../words/subtitles.ts';
import { cut } from './cut.ts';
import { help } from './help.ts';
import { moments } from './moments.ts';
import { CommandError, type Terminal } from './terminal.ts';
import { readCut, readMoments, readProbe, readSpeechModel, UsageError } from './options.ts';
import { describeVideo } from './describe-video.ts';
import { speechModel } from './speech-model.ts';

const fileFaults: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'cannot be opened, because you do not have permission',
  EISDIR: 'is a folder, not a file',
  ENOTDIR: 'is not a folder',
  EEXIST: 'is a file, not a folder',
};

const machineFaults: Readonly<Partial<Record<MachineFault['code'], string>>> = {
  'disk-full': 'The disk is full. Free some space, then run the command again.',
  'program-killed':
    'A program was stopped by the system, probably because memory is short. Close other programs, then run the command again.',
};

/** The error in sentences for a person. */
function reasonOf(error: unknown): string {
  const fault = machineFault(error);
  if (fault) return machineFaults[fault.code] ?? errorText(error);
  const own = [CommandError, SourceError, PresetError, RemoteError, TooManyWords];
  if (own.some((type) => error instanceof type)) return (error as Error).message;
  const { code, path } = error as NodeJS.ErrnoException;
  if (code && fileFaults[code]) return `${path ?? 'The file or folder'} ${fileFaults[code]}.`;
  return errorText(error);
}

async function run(command: string, args: readonly string[], terminal: Terminal): Promise<void> {
  if (command === 'cut') await cut(readCut(args), terminal);
  else if (command === 'moments') await moments(readMoments(args), terminal);
  else if (command === 'probe') await describeVideo(readProbe(args), terminal);
  else if (command === 'speech-model') await speechModel(readSpeechModel(args), terminal);
  else {
    throw new UsageError(
      `There is no command "${command}". Use cut, moments, probe or speech-model.`,
    );
  }
}

/** Runs a command line. Returns the exit code: 0 done, 1 failed, 2 wrong usage, 130 interrupted. */
export async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  const [command, ...rest] = args;
  if (args.includes('--help') || args.includes('-h') || command === 'help') {
    terminal.out(help);
    return 0;
  }
  if (command === undefined) {
    terminal.error(help);
    return 2;
  }
  try {
    await run(command, rest, terminal);
    return 0;
  } catch (error) {
    if (terminal.signal.aborted) {
      terminal.error('Interrupted. Finished clips are kept.\n');
      return 130;
    }
    if (error instanceof UsageError) {
      terminal.error(`${error.message}\nSee clip-engine --help.\n`);
      return 2;
    }
    terminal.error(`${reasonOf(error)}\n`);
    return 1;
  }
}
