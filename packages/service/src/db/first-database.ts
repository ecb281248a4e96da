/**
 * Creates the built-in database in a separate process: that takes some hundred megabytes, which are
 * freed with the process. Opening it later takes a fraction.
 */
import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(import.meta.url);

/** Makes the database if the directory has none. Rejects if it cannot be made. */
export async function makeFirstDatabase(directory: string): Promise<void> {
  if (existsSync(join(directory, 'PG_VERSION'))) return;
  await new Promise<void>((resolve, reject) => {
    const child = fork(program, [directory], {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child.once('error', reject);
    child.once('exit', (code) =>
      code === 0
        ? resolve()
        : reject(new Error(`The built-in database could not be made in ${directory}.`)),
    );
  });
}

const [, started, directory] = process.argv;
if (started === program && directory !== undefined) {
  // No other process waits for it if the service was killed.
  process.once('disconnect', () => process.exit(1));
  const { PGlite } = await import('@electric-sql/pglite');
  await (await PGlite.create(directory)).close();
  process.exit(0);
}
