/** The shipped `deploy/nginx.conf`, run by nginx, in front of the routes of the service. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { BlockList } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { maxBumperBytes, maxFontBytes, maxMusicBytes } from 'clip-engine';
import { problemTitles } from 'clip-kit/contract';
import { freePort } from '../../../../tools/free-port.ts';
import { startNginx } from '../../../../tools/nginx-server.ts';
import { temporaryDirectory } from 'clip-testkit/media-footage';
import { createApp } from '../../src/api/app.ts';
import { maxBodyBytes } from '../../src/api/body.ts';
import { takePort, type HttpServer } from '../../src/api/server.ts';
import { createKey } from '../../src/users/queries.ts';
import { readViews } from '../../src/views/queries.ts';
import { JobWorld } from '../support/job-world.ts';
import { insertLibrary } from 'clip-testkit/rows';

const page = 'https://www.example.com';
const noNginx = !existsSync('/usr/sbin/nginx') && 'nginx is not here';

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** The address of this machine that sends it. */
  readonly from?: string;
}

describe('the proxy that is shipped', { skip: noNginx }, () => {
  let world: JobWorld;
  let door: HttpServer;
  let key: string;
  let port: number;
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let stop: () => Promise<void>;
  before(async () => {
    world = await JobWorld.open();
    key = await createKey(world.service.db, world.user.organization_id);
    const proxies = new BlockList();
    proxies.addAddress('127.0.0.1');
    const hostSite = { secrets: ['a secret of the site, of 32 bytes or more'], origins: [page] };
    const app = createApp({ ...world.service, hostSite, proxies });
    door = await takePort(0, '127.0.0.1', 10_000);
    door.open((asked, env) => app.fetch(asked, env));
    directory = await temporaryDirectory();
    port = await freePort();
    stop = await startNginx(directory.path, port, [door.port]);
  });
  after(async () => {
    await stop?.();
    await door?.close();
    await world?.close();
    await directory?.remove();
  });

  const send = (path: string, { from, body, ...init }: Sent = {}) =>
    new Promise<{ status: number; headers: Record<string, unknown>; text: string }>(
      (resolve, reject) => {
        const sent = request(
          { host: '127.0.0.1', port, path, ...(from && { localAddress: from }), ...init },
          (answer) => {
            let text = '';
            answer.setEncoding('utf8').on('data', (more: string) => (text += more));
            answer.on('end', () =>
              resolve({ status: answer.statusCode!, headers: answer.headers, text }),
            );
          },
        );
        sent.on('error', reject).end(body);
      },
    );
  const watch = (clip: string, from: string, forwardedFor?: string) =>
    send('/host/views', {
      method: 'POST',
      from,
      headers: { Origin: page, ...(forwardedFor && { 'X-Forwarded-For': forwardedFor }) },
      body: JSON.stringify({
        views: [{ project_id: clip, begins: true, marks: [], muted: false }],
      }),
    });
  const viewsOf = async (clip: string): Promise<number> => {
    await world.service.views.write();
    return (await readViews(world.service.db, clip)).views;
  };

  it('tells visitors apart, and no client can invent further ones', async () => {
    const { projectId: ten } = await insertLibrary(world.service.db);
    for (let at = 1; at <= 10; at++) {
      assert.equal((await watch(ten, `127.0.1.${at}`)).status, 204);
    }
    assert.equal(await viewsOf(ten), 10);
    const { projectId: one } = await insertLibrary(world.service.db);
    for (let at = 1; at <= 40; at++) await watch(one, '127.0.2.1', `203.0.113.${at}`);
    assert.equal(await viewsOf(one), 1);
  });

  it('limits an address, whichever ones it names', async () => {
    const { projectId: clip } = await insertLibrary(world.service.db);
    const invented = Array.from({ length: 256 }, (_, at) => `198.51.100.${at}`);
    const watchAll = () =>
      Promise.all(invented.map((address) => watch(clip, '127.0.3.1', address)));
    // Ten a second are allowed for ever: a slow machine needs more rounds.
    let rounds = 0;
    while (rounds < 40 && !(await watchAll()).some(({ status }) => status === 429)) rounds += 1;
    assert.ok(rounds < 40, `${40 * invented.length} requests, and none was refused`);
    assert.equal((await watch(clip, '127.0.3.2')).status, 204);
  });

  for (const [what, path, type, most] of [
    ['the body of a call', '/v2/uploads', 'application/json', maxBodyBytes],
    ['a font', '/v2/fonts', 'font/ttf', maxFontBytes],
    ['music', '/v2/music?name=Calm', 'audio/mpeg', maxMusicBytes],
    ['a bumper', '/v2/bumpers?name=Intro', 'video/mp4', maxBumperBytes],
  ] as const) {
    it(`takes ${what} up to the limit of the service, and refuses more as the service does`, async () => {
      const post = (length: number) =>
        send(path, {
          method: 'POST',
          headers: { Authorization: `Bearer ${key}`, 'Content-Type': type },
          body: Buffer.alloc(length, ' '),
        });
      const taken = await post(most);
      assert.ok([400, 422].includes(taken.status), taken.text);
      assert.ok(taken.headers['x-request-id']);
      const answer = await post(most + 1);
      assert.equal(answer.status, 413);
      assert.equal(answer.headers['content-type'], 'application/problem+json');
      assert.equal(answer.headers['cache-control'], 'no-store');
      const { detail, error, ...problem } = JSON.parse(answer.text) as Record<string, unknown>;
      assert.deepEqual(problem, {
        type: 'about:blank',
        title: problemTitles['body-too-large'],
        status: 413,
        code: 'body-too-large',
      });
      assert.equal(error, detail);
    });
  }

  it('writes no query and no secret path into its logs, whatever the answer is', async () => {
    const secret = 'secret-of-another-user';
    const query = `signature=${secret}&grant=${secret}&source_token=${secret}`;
    const Referer = `https://a.example/?signature=${secret}`;
    await send(`/player/7f?${query}`, { headers: { Referer } });
    await send(`/host/exports/e1/download?${query}`);
    await send(`/v2/uploads?${query}`, { method: 'POST', body: Buffer.alloc(maxBodyBytes + 1) });
    for (const path of [
      ...['/uploads', '/v2/uploads', '/host/uploads', '/host/an-organization/uploads'],
      ...['/files/exports/e1', '/player/p1/files/previews/p1'],
    ]) {
      await send(`${path}/${secret}`);
    }
    const gone = await temporaryDirectory();
    const gonePort = await freePort();
    const stopGone = await startNginx(gone.path, gonePort, [await freePort()]);
    const { status } = await fetch(`http://127.0.0.1:${gonePort}/player/7f?${query}`);
    assert.equal(status, 502);
    await stopGone();
    const logs = await Promise.all(
      [directory, gone].flatMap(({ path }) =>
        ['access.log', 'error.log'].map((name) => readFile(join(path, name), 'utf8')),
      ),
    );
    await gone.remove();
    const text = logs.join('');
    for (const shown of ['"GET /player/7f" 404', '"GET /uploads/*" ', '"GET /player/7f" 502']) {
      assert.ok(text.includes(shown), shown);
    }
    assert.ok(!text.includes(secret), text);
  });
});
