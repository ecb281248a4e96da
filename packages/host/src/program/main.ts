#!/usr/bin/env node
import { writeSync } from 'node:fs';
import { readSettings, usage, CommandLineError } from './command-line.ts';
import { startProgram, type Line } from './program.ts';

const log = (line: Line): unknown =>
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...line })}\n`);

/** Explains the problem and the fix, without a stack. */
function explain(error: unknown): string {
  const { code, port, message } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE') {
    return `Port ${port} is taken by another program. Stop it, or choose another with --port.`;
  }
  if (error instanceof CommandLineError) return `${message}\nSee: clip-host --help`;
  return error instanceof TypeError ? message : `The host cannot start: ${message || code}`;
}

function fail(error: unknown): never {
  // An exit would cut off what is still on its way into a pipe.
  writeSync(2, `${explain(error)}\n`);
  process.exit(error instanceof CommandLineError ? 2 : 1);
}

try {
  const settings = readSettings(process.argv.slice(2), process.env);
  if (!settings) {
    process.stdout.write(`${usage}\n`);
  } else {
    process.umask(0o077);
    const program = await startProgram(settings, log);
    log({ level: 'info', event: 'started', message: `The host answers at ${program.endpoint}` });
    let stopping = false;
    const stop = (): void => {
      // A second signal does not wait for open requests.
      if (stopping) process.exit(1);
      stopping = true;
      log({ level: 'info', event: 'stopping', message: 'Stopping after the open requests.' });
      program.close().then(() => process.exit(0), fail);
    };
    process.on('SIGINT', stop);
    process.on('SIGTERM', stop);
  }
} catch (error) {
  fail(error);
}
