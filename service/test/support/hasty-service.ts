/**
 * The service as its main file runs it, but it hardly waits for a source before it makes a task of
 * it, and works on many at once.
 */
import { readEnvironment } from '../../src/config/environment.ts';
import { startService } from '../../src/service.ts';

const service = await startService({
  ...readEnvironment(process.env),
  ingestWaitMs: 300,
  concurrency: 16,
  log: (entry) => process.stdout.write(`${JSON.stringify(entry)}\n`),
});
const key = service.apiKey === null ? '' : `API key: ${service.apiKey}\n`;
process.stdout.write(`API: ${service.url}/v2\n${key}\nReady.\n`);
