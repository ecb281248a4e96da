import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { installPackages } from './install-packages.mjs';
import { asServerUser, giveTo, startServer, type OwnServer } from './own-server.ts';

/** Debian's packages create this user. */
const serverUser = 'swift';

const stores = ['account', 'container', 'object'] as const;
type Store = (typeof stores)[number];

/** Where each store keeps its data. One copy is enough for a test. */
const writeRingScript = (directory: string, ports: Readonly<Record<Store, number>>): string =>
  [
    'from swift.common.ring import RingBuilder',
    ...stores.flatMap((store) => [
      'ring = RingBuilder(4, 1, 1)',
      `ring.add_dev({'id': 0, 'region': 1, 'zone': 1, 'ip': '127.0.0.1', 'port': ${ports[store]}, 'device': 'disk', 'weight': 1})`,
      'ring.rebalance()',
      `ring.get_ring().save('${join(directory, `${store}.ring.gz`)}')`,
    ]),
  ].join('\n');

const writeCommonSettings = (directory: string, port: number): string[] => [
  '[DEFAULT]',
  'bind_ip = 127.0.0.1',
  `bind_port = ${port}`,
  'workers = 0',
  `user = ${serverUser}`,
  `swift_dir = ${directory}`,
  `devices = ${join(directory, 'devices')}`,
  'mount_check = false',
  // There may be no syslog, and the tests do not read it.
  `log_address = ${join(directory, 'no-log')}`,
];

const storeSettings = (store: Store, directory: string, port: number): string[] => [
  ...writeCommonSettings(directory, port),
  '[pipeline:main]',
  `pipeline = ${store}-server`,
  `[app:${store}-server]`,
  `use = egg:swift#${store}`,
  // Then a list has what was put before, even on a busy machine.
  'container_update_timeout = 600',
  'conn_timeout = 60',
  'node_timeout = 600',
];

const writeProxySettings = (directory: string, port: number, secret: string): string[] => [
  ...writeCommonSettings(directory, port),
  '[pipeline:main]',
  'pipeline = catch_errors gatekeeper healthcheck cache s3api tempauth slo dlo proxy-server',
  '[app:proxy-server]',
  'use = egg:swift#proxy',
  'conn_timeout = 60',
  'node_timeout = 600',
  'account_autocreate = true',
  ...['catch_errors', 'gatekeeper', 'healthcheck', 's3api', 'slo', 'dlo'].flatMap((filter) => [
    `[filter:${filter}]`,
    `use = egg:swift#${filter}`,
  ]),
  '[filter:cache]',
  'use = egg:swift#memcache',
  // tempauth demands a memcached, and works without one.
  'memcache_servers = 127.0.0.1:9',
  '[filter:tempauth]',
  'use = egg:swift#tempauth',
  `user_test_tester = ${secret} .admin`,
];

/** Swift on its own ports. It can be stopped and started again. */
export interface SwiftStore {
  /** The environment variables that tell the tests where it is. */
  readonly env: Readonly<
    Record<'TEST_S3_ENDPOINT' | 'TEST_S3_ACCESS_KEY_ID' | 'TEST_S3_SECRET_ACCESS_KEY', string>
  >;
  /** Starts its servers and returns a function that stops them. */
  start(): Promise<() => Promise<void>>;
}

/** OpenStack Swift with its S3 API in an empty directory, on free loopback ports. */
export async function makeSwift(directory: string): Promise<SwiftStore> {
  if (!existsSync('/usr/bin/swift-proxy-server')) installPackages('swift');
  const ports = {
    account: await freePort(),
    container: await freePort(),
    object: await freePort(),
    proxy: await freePort(),
  };
  const secret = randomBytes(24).toString('hex');
  const disk = join(directory, 'devices', 'disk');
  await mkdir(disk, { recursive: true });
  const files: Record<string, string[]> = {
    'swift.conf': [
      '[swift-hash]',
      `swift_hash_path_suffix = ${randomBytes(8).toString('hex')}`,
      '[storage-policy:0]',
      'name = one-copy',
      'default = yes',
    ],
    'proxy-server.conf': writeProxySettings(directory, ports.proxy, secret),
  };
  for (const store of stores) {
    files[`${store}-server.conf`] = storeSettings(store, directory, ports[store]);
  }
  for (const [name, lines] of Object.entries(files)) {
    const path = join(directory, name);
    await writeFile(path, `${lines.join('\n')}\n`, { mode: 0o600 });
    await giveTo(serverUser, path);
  }
  const rings = spawnSync('/usr/bin/python3', ['-c', writeRingScript(directory, ports)], {
    encoding: 'utf8',
  });
  if (rings.status !== 0) throw new Error(`Swift's rings could not be made: ${rings.stderr}`);
  await giveTo(serverUser, directory, join(directory, 'devices'), disk);
  return {
    env: {
      TEST_S3_ENDPOINT: `http://127.0.0.1:${ports.proxy}`,
      TEST_S3_ACCESS_KEY_ID: 'test:tester',
      TEST_S3_SECRET_ACCESS_KEY: secret,
    },
    start: () => startAll(directory, ports),
  };
}

async function startAll(
  directory: string,
  ports: Readonly<Record<Store | 'proxy', number>>,
): Promise<() => Promise<void>> {
  const started = await Promise.allSettled(
    ([...stores, 'proxy'] as const).map((name) =>
      startServer({
        command: asServerUser(serverUser, [
          `swift-${name}-server`,
          join(directory, `${name}-server.conf`),
        ]),
        env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8' },
        directory,
        // The proxy does not end while a request of it waits for a store that is gone.
        stopSignal: 'SIGKILL',
        ready: { url: `http://127.0.0.1:${ports[name]}/healthcheck` },
      }),
    ),
  );
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((one) => (one.status === 'fulfilled' ? one.value() : null)));
  };
  const failed = started.find((one) => one.status === 'rejected');
  if (!failed) return stop;
  await stop();
  throw failed.reason;
}

/** A Swift that runs. `TEST_S3_ENDPOINT` and the two after it give access to it. */
export async function startSwift(directory: string): Promise<OwnServer> {
  const swift = await makeSwift(directory);
  return { env: swift.env, stop: await swift.start() };
}
