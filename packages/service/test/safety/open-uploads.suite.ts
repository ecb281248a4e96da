import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { uploadSchema } from 'clip-kit/contract';
import { temporaryDirectory } from 'clip-testkit/media-footage';
import { waitFor } from 'clip-testkit/wait-for';
import { startChild, type ChildService } from '../support/child-service.ts';
import { keptFootage } from 'clip-testkit/footage';
import { hangingPatch, offsetOf, sendFile } from '../support/uploads.ts';

const openPerUser = 20;

/** Does something `count` times, some at a time. Returns the results in order. */
async function times<T>(count: number, work: (at: number) => Promise<T>): Promise<T[]> {
  const results = Array<T>(count);
  const rest = results.keys();
  const workRest = async (): Promise<void> => {
    for (const at of rest) results[at] = await work(at);
  };
  await Promise.all(Array.from({ length: 50 }, workRest));
  return results;
}

describe('10,000 open uploads', async () => {
  const directory = await temporaryDirectory();
  let service: ChildService;
  let scene: Buffer;
  const kept = () => readdir(join(directory.path, 'files/uploads')).catch(() => []);
  const call = async (method: string, path: string, as?: string, body?: object) => {
    const response = await fetch(`${service.url}/v2${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${service.apiKey}`,
        ...(as !== undefined && { 'X-On-Behalf-Of': as }),
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };
  const made = async (...asked: Parameters<typeof call>): Promise<{ id: string }> => {
    const { status, text } = await call(...asked);
    assert.equal(status, 201, text);
    return JSON.parse(text);
  };
  const newUser = async (): Promise<string> => (await made('POST', '/users', undefined, {})).id;
  const announced = () => ({ name: 'scene.mp4', size: scene.length });
  const open = async (as: string): Promise<string> =>
    uploadSchema.parse(await made('POST', '/uploads', as, announced())).url;
  const erase = async (user: string): Promise<void> =>
    assert.equal((await call('DELETE', `/users/${user}`)).status, 204);
  /** Another user sends a file and makes a task of it. */
  const othersGoOn = async (): Promise<void> => {
    const as = await newUser();
    const url = await open(as);
    await sendFile(url, scene);
    await made('POST', '/tasks/video-to-video', as, {
      source_video_url: url,
      editing_options: {},
      dimensions: { width: 96, height: 54 },
    });
    await erase(as);
  };

  before(async () => {
    scene = await readFile(join(await keptFootage(), 'scene.mp4'));
    service = await startChild({ DATA_DIR: directory.path });
  });
  after(async () => {
    service?.process.kill('SIGKILL');
    await directory.remove();
  });

  it('are not made for one user, however many are asked for at once', async () => {
    const user = await newUser();
    const statuses = await times(5 * openPerUser, async () => {
      return (await call('POST', '/uploads', user, announced())).status;
    });
    assert.equal(statuses.filter((status) => status === 201).length, openPerUser);
    assert.deepEqual(new Set(statuses), new Set([201, 429]));
    await erase(user);
  });

  it('of 500 users, of which 500 stop sending and stay open, hold up nobody', async () => {
    const users = await times(500, newUser);
    const urls = await times(users.length * openPerUser, (at) => open(users[at % users.length]!));
    const first = scene.subarray(0, 4096);
    const hanging = urls.slice(0, 500).map((url) => hangingPatch(url, 0, first));
    await waitFor('bytes of each', async () => (await kept()).length === hanging.length);
    await othersGoOn();
    await Promise.all(hanging.map((one) => one.end()));
    assert.equal(await offsetOf(urls[0]!), first.length);
    assert.equal(await offsetOf(urls.at(-1)!), 0);
    await times(users.length, (at) => erase(users[at]!));
    await waitFor('no file of them', async () => (await kept()).length === 0);
  });

  it('that hang do not keep the service from stopping', async () => {
    const user = await newUser();
    const urls = await times(openPerUser, () => open(user));
    const first = scene.subarray(0, 4096);
    const hanging = urls.map((url) => hangingPatch(url, 0, first));
    await waitFor('bytes of each', async () => (await kept()).length === hanging.length);
    assert.equal(await service.end('SIGTERM'), 0);
    await Promise.all(hanging.map((one) => one.end()));
  });
});
