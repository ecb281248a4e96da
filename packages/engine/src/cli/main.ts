import manifest from '../../package.json' with { type: 'json' };
import { cut } from './cut.ts';
import { describeVideo } from './describe-video.ts';
import { help } from './help.ts';
import { moments } from './moments.ts';
import { readCut, readMoments, readProbe, readSpeechModel, UsageError } from './options.ts';
import { reasonOf } from './reason.ts';
import { speechModel } from './speech-model.ts';
import type { Terminal } from './terminal.ts';

async function run(command: string, args: readonly string[], terminal: Terminal): Promise<void> {
  if (command === 'cut') await cut(readCut(args), terminal);
  else if (command === 'moments') await moments(readMoments(args), terminal);
  else if (command === 'probe') await describeVideo(readProbe(args), terminal);
  else if (command === 'speech-model') await speechModel(readSpeechModel(args), terminal);
  else {
    throw new UsageError(
      `There is no command "${command}". Use cut, moments, probe, speech-model or version.`,
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
  if (command === 'version' || command === '--version') {
    terminal.out(`clip-engine ${manifest.version}\n`);
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
    const faults: unknown[] = error instanceof AggregateError ? error.errors : [error];
    for (const fault of faults) terminal.error(`${reasonOf(fault)}\n`);
    if (!faults.every((fault) => fault instanceof UsageError)) return 1;
    terminal.error('See clip-engine --help.\n');
    return 2;
  }
}
