/**
 * The service as its main file runs it, but it hardly waits for a source before it makes a task of
 * it, works on many at once, and has a plan of three exports.
 */
import { readEnvironment } from '../../src/config/environment.ts';
import { storeApiKey } from '../../src/operations/api-key-file.ts';
import { startService } from '../../src/service.ts';

const config = readEnvironment(process.env);
const log = (entry: object) => process.stdout.write(`${JSON.stringify(entry)}\n`);
const { apiKey, url } = await startService({
  ...config,
  ingestWaitMs: 300,
  concurrency: 16,
  plan: { plan: 'free', exportAllowance: 3 },
  log,
});
if (apiKey !== null) {
  log({ event: 'api-key-made', path: await storeApiKey(config.dataDir, apiKey) });
}
log({ event: 'started', url });
