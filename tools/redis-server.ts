import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from 'redis';
import { freePort } from './free-port.ts';
import { installPackages } from './install-packages.mjs';
import { asServerUser, giveTo, startServer, type OwnServer } from './own-server.ts';

/** Debian's package makes this user. */
const serverUser = 'redis';

const isMissing = (): boolean => spawnSync('redis-server', ['--version']).error !== undefined;

/** Gives the node all slots, and waits until it serves them. */
async function createCluster(url: string): Promise<void> {
  const client = createClient({ url });
  await client.connect();
  await client.sendCommand(['CLUSTER', 'ADDSLOTSRANGE', '0', '16383']);
  const isReady = async () =>
    String(await client.sendCommand(['CLUSTER', 'INFO'])).includes('cluster_state:ok');
  while (!(await isReady()));
  client.destroy();
}

/**
 * A Redis server in an empty directory, on a free loopback port. It is a cluster of one node: it
 * refuses what a cluster refuses, and also serves ordinary clients. `TEST_REDIS_URL` is its URL.
 */
export async function startRedis(directory: string): Promise<OwnServer> {
  // If there is a service manager, Debian starts its own server; leave that one running.
  if (isMissing()) installPackages('redis');
  const port = await freePort();
  const password = randomBytes(24).toString('hex');
  const settings = join(directory, 'redis.conf');
  // prettier-ignore
  const lines = [
    'bind 127.0.0.1', `port ${port}`, `dir ${directory}`, `requirepass ${password}`,
    'save ""', 'appendonly no', 'cluster-enabled yes', 'cluster-announce-ip 127.0.0.1',
    // A cluster's nodes use a port of their own, by default 10000 higher.
    `cluster-port ${await freePort()}`,
  ];
  await writeFile(settings, `${lines.join('\n')}\n`, { mode: 0o600 });
  await giveTo(serverUser, directory, settings);
  const stop = await startServer({
    command: asServerUser(serverUser, ['redis-server', settings]),
    env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8' },
    directory,
    ready: { on: 'stdout', text: 'Ready to accept connections' },
  });
  const url = `redis://:${password}@127.0.0.1:${port}`;
  await createCluster(url);
  return { env: { TEST_REDIS_URL: url }, stop };
}
