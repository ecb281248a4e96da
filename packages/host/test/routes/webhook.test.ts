import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import type { Export, Task } from 'clip-kit/contract';
import { createClipHost } from '../../src/index.ts';
import { HostWorld, site } from 'clip-testkit/host-world';

const bytes = Buffer.alloc(32, 7);
const secret = `whsec_${bytes.toString('base64')}`;
const now = Date.parse('2026-01-31T10:00:00Z');

/** Signed by hand, by the text of the Standard Webhooks specification. */
const sign = (id: string, timestamp: string, body: string, key = bytes): string =>
  `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;

interface Message {
  body?: string;
  sentMs?: number;
  signature?: string;
  method?: string;
}

async function open(t: TestContext, webhookSecrets: string[] = [secret]) {
  const world = await HostWorld.open(t, { now: () => now, host: { webhookSecrets } });
  /** No cookie and no origin, as a server sends it. */
  const send = (event: unknown, { method = 'POST', ...message }: Message = {}) => {
    const text = JSON.stringify(event);
    const timestamp = String(Math.round((message.sentMs ?? now) / 1000));
    const headers = {
      'Content-Type': 'application/json',
      'webhook-id': 'msg_1',
      'webhook-timestamp': timestamp,
      'webhook-signature': message.signature ?? sign('msg_1', timestamp, text),
    };
    const body = method === 'POST' ? (message.body ?? text) : null;
    return world.host(new Request(`${site}/clips/webhook`, { method, headers, body }));
  };
  return { world, send };
}

const event = (type: string, data: unknown) => ({
  type,
  timestamp: new Date(now).toISOString(),
  data,
});

/** An export that is being rendered, and a request that is held for it. */
async function heldExport({ world }: { world: HostWorld }) {
  const author = await world.managed();
  const project = world.service.world.projects.get(await world.clip())!;
  const { id } = world.service.world.addExport(author, project);
  const held = world.json<Export[]>(200, 'GET', `/clips/exports?id=${id}`, {
    headers: { Prefer: 'wait=25' },
  });
  await world.quiet();
  return { exported: world.service.world.exports.get(id)!, held };
}

describe('a webhook', () => {
  it('ends the requests that are held for its export, and the service is not asked', async (t) => {
    const opened = await open(t);
    const { exported, held } = await heldExport(opened);
    const asked = opened.world.service.requests.length;
    const ready = { ...exported, status: 'ready', src_url: 'https://clips.example/a.mp4' };
    assert.equal((await opened.send(event('export.ready', ready))).status, 204);
    const [first] = await held;
    assert.deepEqual([first?.status, first?.src_url], ['ready', ready.src_url]);
    assert.equal(opened.world.service.requests.length, asked);
  });

  it('ends the requests that are held for its task', async (t) => {
    const { world, send } = await open(t);
    const author = await world.managed();
    const { id } = world.service.world.addTask(author, 'video-to-shorts');
    const held = world.json<Task>(200, 'GET', `/clips/tasks/${id}`, {
      headers: { Prefer: 'wait=25' },
    });
    await world.quiet();
    const task = world.service.world.tasks.get(id)!;
    await send(event('task.error', { ...task, status: 'error' }));
    assert.equal((await held).status, 'error');
  });

  it('is for nobody else’s export', async (t) => {
    const opened = await open(t);
    const { exported, held } = await heldExport(opened);
    let ended = false;
    void held.then(() => (ended = true));
    const ready = { ...exported, id: 'another', status: 'ready' };
    assert.equal((await opened.send(event('export.ready', ready))).status, 204);
    await opened.world.quiet();
    assert.equal(ended, false);
    await opened.world.host.close();
  });

  it('is signed with one of the secrets, of which there are two while one is replaced', async (t) => {
    const other = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;
    const { world, send } = await open(t, [other, secret]);
    const task = world.service.world.addTask(await world.managed(), 'video-to-shorts');
    const ready = event('task.ready', { ...task, status: 'ready' });
    assert.equal((await send(ready)).status, 204);
    const timestamp = String(now / 1000);
    const wrong = sign('msg_1', timestamp, JSON.stringify(ready), Buffer.alloc(32, 8));
    const right = sign('msg_1', timestamp, JSON.stringify(ready));
    assert.equal((await send(ready, { signature: `${wrong} v1a,x ${right}` })).status, 204);
  });

  it('that is not signed as it must be changes nothing', async (t) => {
    const opened = await open(t);
    const { exported, held } = await heldExport(opened);
    let ended = false;
    void held.then(() => (ended = true));
    const ready = event('export.ready', { ...exported, status: 'ready' });
    const hour = 60 * 60 * 1000;
    for (const message of [
      { signature: '' },
      { signature: 'v1,' },
      { signature: 'v1,not base64' },
      { signature: sign('msg_1', String(now / 1000), JSON.stringify(ready), Buffer.alloc(32, 8)) },
      { body: JSON.stringify({ ...ready, more: true }) },
      { sentMs: now - hour },
      { sentMs: now + hour },
      { sentMs: NaN },
    ]) {
      const response = await opened.send(ready, message);
      assert.equal(response.status, 401, JSON.stringify(message));
      assert.ok(!(await response.text()).includes('whsec'));
    }
    await opened.world.quiet();
    assert.equal(ended, false);
    await opened.world.host.close();
  });

  it('that is signed but not an event is refused', async (t) => {
    const { send } = await open(t);
    for (const body of [null, {}, event('export.ready', {})]) {
      assert.equal((await send(body)).status, 400, JSON.stringify(body));
    }
    assert.equal((await send({}, { method: 'GET' })).status, 405);
  });

  it('of another type is taken and ignored, so that its sender does not repeat it', async (t) => {
    const { send } = await open(t);
    for (const body of [event('clip.deleted', {}), { type: 'export.started' }]) {
      assert.equal((await send(body)).status, 204, JSON.stringify(body));
    }
    const signature = sign('msg_1', String(now / 1000), '{}', Buffer.alloc(32, 8));
    assert.equal((await send(event('clip.deleted', {}), { signature })).status, 401);
  });

  it('is not received without a secret', async (t) => {
    const { send } = await open(t, []);
    assert.equal((await send({})).status, 404);
  });

  it('needs a secret that is one', () => {
    for (const wrong of ['', 'secret', 'whsec_', 'whsec_AAAA', `whsec_${'A'.repeat(200)}`]) {
      assert.throws(
        () =>
          createClipHost({
            service: { baseUrl: 'https://clips.example/v2', apiKey: 'key' },
            authenticate: () => null,
            basePath: '/clips',
            webhookSecrets: [wrong],
          }),
        (error: Error) => error instanceof TypeError && !error.message.includes('AAAA'),
      );
    }
  });
});
