import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createClipHost } from 'clip-host';
import type { WebhookEvent } from 'clip-kit/contract';
import { waitFor } from 'clip-testkit/wait-for';
import { startReceiver } from '../support/receiver.ts';
import { World } from 'clip-testkit/world';

const secret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
let world: World;
let receiver: Awaited<ReturnType<typeof startReceiver>>;

before(async () => {
  receiver = await startReceiver();
  world = await World.start({ webhook: { url: receiver.url, secrets: [secret] } });
});

after(async () => {
  await world.close();
  await receiver.close();
});

test('a service tells what has settled, and the host of a site knows the message', async () => {
  const user = await world.user();
  const [clip] = await world.makeShorts(user, { target_clip_count: 1 });
  const { body: started } = await world.post(`/projects/${clip!.id}/exports`, {}, { as: user });
  const messages = await waitFor(
    'a message each',
    () => (receiver.received.length === 2 ? receiver.received : null),
    () => [receiver.received.length, world.log.slice(-8)],
  );
  const events = messages.map(({ body }) => JSON.parse(body) as WebhookEvent);
  // Messages may overtake each other.
  assert.deepEqual(events.map(({ type }) => type).toSorted(), ['export.ready', 'task.ready']);
  const exported = events.find(({ type }) => type === 'export.ready');
  assert.equal(exported?.data.id, started.id);
  assert.ok(exported && 'src_url' in exported.data && exported.data.src_url);
  assert.equal((await fetch(exported.data.src_url)).status, 200);
  const host = createClipHost({
    service: { baseUrl: `${world.service.url}/v2`, apiKey: world.key },
    authenticate: () => null,
    basePath: '/clips',
    webhookSecrets: [secret],
    log: () => {},
  });
  for (const { headers, body } of messages) {
    const request = new Request('https://site.example/clips/webhook', {
      method: 'POST',
      headers,
      body,
    });
    assert.equal((await host(request)).status, 204);
  }
});
