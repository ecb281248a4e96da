/**
 * How many webhooks one process delivers in a second, to receivers on this machine that accept them
 * at once. Only this: `node research/bench/webhooks.ts`; as root on Debian, or with Postgres
 * installed.
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../packages/service/src/db/open.ts';
import type { Db } from '../../packages/service/src/db/schema.ts';
import { createOrganization } from '../../packages/service/src/users/queries.ts';
import { writeWebhook } from '../../packages/service/src/webhooks/queries.ts';
import { insertExports, insertLibrary } from '../../packages/service/test/support/rows.ts';
import { startPostgres } from '../../tools/postgres-server.ts';
import { startServer } from './measured-server.ts';
import { markdownTable } from './table.ts';

const deliveries = 2000;
const secrets = [`whsec_${Buffer.alloc(32, 5).toString('base64')}`];

/** Accepts all; resolves to the seconds from the first to the last of them. */
async function startReceiver() {
  const ended = Promise.withResolvers<number>();
  let [began, received] = [0, 0];
  const server = createServer((request, response) => {
    began ||= performance.now();
    request.resume().once('end', () => {
      response.writeHead(204).end();
      if ((received += 1) < deliveries) return;
      ended.resolve((performance.now() - began) / 1000);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    ended: ended.promise,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Settles exports of organizations with a webhook: each is to be delivered. */
async function insertDeliveries(db: Db, organizations: number, url: string): Promise<void> {
  for (let at = 0; at < organizations; at += 1) {
    const { id: organizationId } = await createOrganization(db, `Receiver ${at}`);
    await writeWebhook(db, { url, secrets }, { organizationId, origin: 'made' });
    const library = await insertLibrary(db, { organizationId });
    const ids = await insertExports(db, library, deliveries / organizations);
    const settled = { status: 'error', finished_at: new Date() } as const;
    await db.updateTable('exports').set(settled).where('id', 'in', ids).execute();
  }
}

async function measureDeliveries(organizations: number): Promise<number> {
  const directories = await Promise.all(
    ['server', 'files'].map((name) => mkdtemp(join(tmpdir(), `clip-webhooks-${name}-`))),
  );
  const [serverDirectory = '', dataDir = ''] = directories;
  const postgres = await startPostgres(serverDirectory);
  const databaseUrl = postgres.env['TEST_DATABASE_URL'];
  const receiver = await startReceiver();
  try {
    const { db, close } = await openDatabase({ dataDir, databaseUrl });
    await insertLibrary(db);
    await insertDeliveries(db, organizations, receiver.url);
    await close();
    const service = await startServer('service', { dataDir, databaseUrl });
    const seconds = await receiver.ended;
    await service.stop();
    return deliveries / seconds;
  } finally {
    receiver.close();
    await postgres.stop();
    for (const path of directories) await rm(path, { recursive: true, force: true });
  }
}

const rows: string[][] = [];
for (const organizations of [1, 4, 20]) {
  rows.push([String(organizations), (await measureDeliveries(organizations)).toFixed(0)]);
}
console.log(markdownTable(['receivers', 'deliveries a second'], rows));
