import { formatError } from '../program/ffmpeg-process.ts';
import { findMachineFault, type MachineFault, ProgramError } from '../program/process-error.ts';
import { RemoteError } from '../remote/remote-call.ts';
import { SourceError } from '../source/source-error.ts';
import { PresetError } from '../style/presets.ts';
import { SpeechModelError } from '../transcribers/speech-model.ts';
import { TooManyWords } from '../words/subtitles.ts';
import { UnreadableText } from '../words/subtitle-text.ts';
import { UsageError } from './options.ts';
import { CommandError } from './terminal.ts';

const fileFaults: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'cannot be opened, because you do not have permission',
  EPERM: 'cannot be changed: the system does not permit it',
  EROFS: 'cannot be changed: its disk is read-only',
  EISDIR: 'is a folder, not a file',
  ENOTDIR: 'is not a folder',
  EEXIST: 'is a file, not a folder',
  ENAMETOOLONG: 'has a name that is too long for this disk',
  EBUSY: 'is in use by another program',
  EMFILE: 'cannot be opened: too many files are open',
};

const machineFaults: Readonly<Record<MachineFault['code'], string>> = {
  'disk-full': 'The disk is full. Free some space, then run the command again.',
  'disk-failing':
    'The disk cannot be written: it may be mounted read-only. Check it, then run the command again.',
  'network-down': 'This machine has no network. Connect it, then run the command again.',
  'program-missing':
    'ffmpeg or ffprobe is not installed, or cannot be started. Install ffmpeg 5.1 or newer, then run the command again.',
  'program-killed':
    'A program was stopped by the system, probably because memory is short. Close other programs, then run the command again.',
};

/**
 * The engine’s messages are for users of a service, which has an operator and takes requests. At a
 * terminal there is neither.
 */
const terminalWords: readonly (readonly [RegExp, string])[] = [
  [
    /, but this service only downloads from public addresses\..*$/s,
    '. If you trust it, add --allow-private.',
  ],
  [/, then send a new request\./g, ', then run the command again.'],
  [/, or ask the service’s operator to/g, ', or'],
  [/Ask the service’s operator to install/g, 'Install'],
  [/the service needs/g, 'this command needs'],
  [/too complex for this service/g, 'too complex'],
  [/in the service’s country/g, 'in your country'],
];

/** A message of the engine in words that make sense at a terminal. */
export const translateForTerminal = (message: string): string =>
  terminalWords.reduce((text, [from, to]) => text.replace(from, to), message);

/** An error in sentences for the person at the terminal. */
export function explainError(error: unknown): string {
  // It names what is missing.
  if (error instanceof ProgramError) return error.message;
  const fault = findMachineFault(error);
  if (fault) return machineFaults[fault.code];
  const own = [
    CommandError,
    UsageError,
    SourceError,
    PresetError,
    RemoteError,
    SpeechModelError,
    TooManyWords,
    UnreadableText,
  ];
  if (own.some((type) => error instanceof type))
    return translateForTerminal((error as Error).message);
  const { code, path } = error as NodeJS.ErrnoException;
  if (code && fileFaults[code]) return `${path ?? 'The file or folder'} ${fileFaults[code]}.`;
  return formatError(error);
}
