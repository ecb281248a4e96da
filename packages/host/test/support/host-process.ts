/**
 * A host in a separate process, which {@link HostProcess} starts. It receives requests as messages,
 * and reports the store's answers. Argument: a {@link HostProcessOptions} as JSON.
 */
import { DatabaseSync } from 'node:sqlite';
import {
  createClipHost,
  postgresStore,
  redisStore,
  sqliteStore,
  type HostStore,
} from '../../src/index.ts';
import type { Call, HostProcessOptions, HostMessage } from './host-processes.ts';
import { nodeRedisCommands, postgresPool } from './server-stores.ts';

const options = JSON.parse(process.argv[2]!) as HostProcessOptions;

const send = (message: HostMessage): void => void process.send!(message);
const untilTheEnd = { after: () => {} };

function openStore(): HostStore {
  const { kind, address, name } = options.store;
  if (kind === 'sqlite') return sqliteStore(new DatabaseSync(address));
  if (kind === 'postgres') {
    return postgresStore(postgresPool(untilTheEnd, address), { schema: name });
  }
  return redisStore(nodeRedisCommands(untilTheEnd, address), { prefix: name });
}

const store = openStore();
let hasClaimed = false;
const watched: HostStore = {
  ...store,
  async read(name) {
    const known = await store.read(name);
    if (known?.value === '' && !hasClaimed) send({ event: 'creation-refused' });
    return known;
  },
  async replace(name, from, to) {
    if (name.kind === 'attempt' && from && options.neverWrites) {
      send({ event: 'about-to-write' });
      return new Promise(() => {});
    }
    const isDone = await store.replace(name, from, to);
    if (isDone && to?.value === '') hasClaimed = true;
    return isDone;
  },
};

const host = createClipHost({
  service: { baseUrl: options.baseUrl, apiKey: options.apiKey },
  authenticate: (request) => ({ id: request.headers.get('X-Test-User')! }),
  basePath: '/clips',
  store: watched,
  log: () => {},
});

async function answer({ id, method, path, user, key, body }: Call): Promise<void> {
  const headers = new Headers({ 'X-Test-User': user, 'Sec-Fetch-Site': 'same-origin' });
  if (key) headers.set('Idempotency-Key', key);
  if (body) headers.set('Content-Type', 'application/json');
  const response = await host(
    new Request(`https://site.example${path}`, {
      method,
      headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    }),
  );
  send({ event: 'answered', id, status: response.status, body: await response.json() });
}

process.on('message', (call: Call) => void answer(call));
process.on('disconnect', () => process.exit());
