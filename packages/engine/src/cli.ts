#!/usr/bin/env node
import { runCommandLine } from './cli/main.ts';

const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => interrupt.abort(new Error('Interrupted.')));
}

process.exitCode = await runCommandLine(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
  terminal: process.stderr.isTTY === true,
  environment: process.env,
  signal: interrupt.signal,
});
