import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { decodeJwt } from 'jose';
import { temporaryDirectory } from 'clip-testkit/media-footage';
import { sessionOf, siteSecret } from 'clip-testkit/site-session';
import { waitFor } from 'clip-testkit/wait-for';
import { World } from 'clip-testkit/world';
import { startProgram, type Program } from '../../../test/support/program.ts';
import { freePort } from '../../../tools/free-port.ts';
import type { Agent } from './support/agent.ts';
import {
  startAuthorizationServer,
  type AuthorizationServer,
} from './support/authorization-server.ts';
import { Person } from './support/person.ts';

const checkout = new URL('../../../', import.meta.url).pathname;
const nginx = '/usr/sbin/nginx';
const all = 'clips:read clips:change clips:export';
const noNginx = !existsSync(nginx) && 'nginx is not here';

/** Returns the block of a language in the section for people who sign in. */
function findBlock(page: string, language: string): string {
  const section = page.slice(page.indexOf('## Over HTTPS'));
  const [, block] = new RegExp(`\n\`\`\`${language}\n([^]*?)\n\`\`\``).exec(section) ?? [];
  assert.ok(block);
  return block;
}

describe('people who sign in to clip-mcp, as docs/agents.md says', { skip: noNginx }, () => {
  let world: World;
  let issuer: AuthorizationServer;
  let page: string;
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let proxy: Program;
  let clipMcp: Program | undefined;
  let url: string;
  let ownPort: number;
  const agents: Agent[] = [];

  /** Starts it by the printed command, at the addresses of this machine, instead of the last. */
  async function startClipMcp({ more = '', secret = siteSecret } = {}): Promise<void> {
    await clipMcp?.stop();
    await waitFor('the last one to end', () =>
      fetch(`http://127.0.0.1:${ownPort}`).then(
        () => false,
        () => true,
      ),
    );
    const values = {
      'https://clips.example': world.service.url,
      '$(cat clip-host-secret)': '$SITE_SECRET',
      '--http 4500': `--http ${ownPort}`,
      'https://mcp.example.com/mcp': url,
      'https://login.example.com': issuer.issuer,
    };
    let command = findBlock(page, 'sh');
    for (const [from, to] of Object.entries(values)) {
      assert.ok(command.includes(from), from);
      command = command.replace(from, to);
    }
    clipMcp = await startProgram(['bash', '-euc', command + more], {
      port: ownPort,
      cwd: checkout,
      env: {
        CLIP_API_URL: `${world.service.url}/v2`,
        CLIP_API_KEY: world.key,
        CLIP_PLAYER_URL: world.service.url,
        SITE_SECRET: secret,
      },
    });
  }

  /** Starts nginx with the printed server, without its TLS. */
  async function startProxy(port: number): Promise<Program> {
    const server = findBlock(page, 'nginx')
      .replace(/ *ssl_.*\n/g, '')
      .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
      .replace('127.0.0.1:4500', `127.0.0.1:${ownPort}`);
    const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${join(directory.path, name)};`,
    );
    const settings = join(directory.path, 'nginx.conf');
    await writeFile(
      settings,
      `daemon off; pid ${directory.path}/nginx.pid; error_log stderr emerg;
       events {} http { access_log off; ${places.join(' ')} ${server} }`,
    );
    return startProgram([nginx, '-e', 'stderr', '-c', settings], { port, env: {} });
  }

  before(async () => {
    page = await readFile(join(checkout, 'docs/agents.md'), 'utf8');
    directory = await temporaryDirectory();
    world = await World.start({ hostSite: { secrets: [siteSecret], origins: [] } });
    const port = await freePort();
    ownPort = await freePort();
    url = `http://127.0.0.1:${port}/mcp`;
    issuer = await startAuthorizationServer(url);
    proxy = await startProxy(port);
    await startClipMcp();
  });
  after(async () => {
    for (const agent of agents) await agent.close();
    await clipMcp?.stop();
    await proxy?.stop();
    await issuer?.close();
    await world?.close();
    await directory?.remove();
  });

  async function connect(...[person, answers]: [Person, Parameters<Person['connect']>[1]?]) {
    const agent = await person.connect(url, answers);
    agents.push(agent);
    return agent;
  }

  /** The videos that an agent sees. */
  const videosOf = async (agent: Agent): Promise<string[]> =>
    (await agent.call('list_videos', {})).data.tasks.map(({ id }: { id: string }) => id);

  async function makeVideo(agent: Agent): Promise<string> {
    const { dimensions: _, ...wanted } = world.shorts();
    const made = await agent.call('create_clips', { ...wanted, idempotency_key: randomUUID() });
    assert.equal(made.isError, false, made.text);
    return made.data.task.id;
  }

  it('see only their own clips, also after a restart, and never those of the owner', async () => {
    const [ann, bob] = [new Person('ann'), new Person('bob')];
    const ofAnn = await connect(ann);
    const [asked] = ann.asked;
    const said = (name: string) => asked!.searchParams.get(name);
    assert.equal(said('code_challenge_method'), 'S256');
    assert.equal(said('resource'), url);
    assert.equal(said('scope'), all);
    const video = await makeVideo(ofAnn);
    const waited = await ofAnn.call('wait_for_video', { task_id: video, seconds: 600 });
    const folder = { folder_id: waited.data.task.output_id };
    const [clip] = (await ofAnn.call('list_clips', folder)).data.clips;
    const ofBob = await connect(bob);
    assert.deepEqual(await videosOf(ofBob), []);
    assert.match((await ofBob.call('list_clips', folder)).text, /404/);
    const { project_id } = clip;
    assert.match((await ofBob.call('list_clips', { project_id })).text, /404/);
    assert.deepEqual((await world.get('/tasks')).body, []);
    await startClipMcp();
    assert.deepEqual(await videosOf(await connect(ann)), [video]);
  });

  it('are one user, with two agents at once', async () => {
    const [first, second] = await Promise.all(
      [new Person('carl'), new Person('carl')].map((carl) => connect(carl)),
    );
    const video = await makeVideo(first!);
    assert.deepEqual(await videosOf(second!), [video]);
  });

  it('are asked for more when an export is wanted, and then whether they want it', async () => {
    const dora = new Person('dora');
    const scope = 'clips:read clips:change';
    dora.kept = { access_token: await issuer.sign({ sub: 'dora', scope }), token_type: 'bearer' };
    const questions: string[] = [];
    let answer: 'accept' | 'decline' | 'cancel' = 'decline';
    const agent = await connect(dora, (question) => {
      questions.push(question);
      return answer;
    });
    const video = await makeVideo(agent);
    const { task } = (await agent.call('wait_for_video', { task_id: video, seconds: 600 })).data;
    const [{ project_id }] = (await agent.call('list_clips', { folder_id: task.output_id })).data
      .clips;
    const key = { project_id, exports_left: null, idempotency_key: randomUUID() };
    await assert.rejects(agent.call('export_clip', key), UnauthorizedError);
    assert.equal(dora.asked[0]!.searchParams.get('scope'), all);
    await dora.finishSignIn();
    for (answer of ['decline', 'cancel'] as const) {
      assert.match((await agent.call('export_clip', key)).text, /Nothing was started: the person/);
    }
    answer = 'accept';
    const started = await agent.call('export_clip', key);
    assert.equal(started.isError, false, started.text);
    assert.equal((await agent.call('export_clip', key)).data.export_id, started.data.export_id);
    const { title } = (await agent.call('read_edit', { project_id })).data;
    const question = `Export the clip “${title}”? The plan has no limit.`;
    assert.deepEqual(questions, [question, question, question]);
  });

  it('are the users of the site, by a claim that has their ids there', async () => {
    await startClipMcp({ more: ' --user-claim sub' });
    const emma = await connect(new Person('emma'));
    const video = await makeVideo(emma);
    const host = async (path: string, init: RequestInit = {}) =>
      world.request(`/host${path}`, {
        ...init,
        headers: {
          Authorization: `Bearer ${await sessionOf('emma')}`,
          'Content-Type': 'application/json',
        },
      });
    const tasks = (await (await host('/tasks')).json()) as { id: string }[];
    assert.deepEqual(
      tasks.map(({ id }) => id),
      [video],
    );
    const { external_access_token: token } = await (
      await host('/token', { method: 'POST', body: '{}' })
    ).json();
    await world.call('DELETE', `/users/${decodeJwt(token).sub}`);
    assert.match((await emma.call('list_videos', {})).text, /403/);
    assert.deepEqual(await videosOf(await connect(new Person('emma'))), []);
  });

  it('are nobody while the host does not say who they are', async () => {
    const secret = 'x'.repeat(32);
    await startClipMcp({ secret });
    const token = await issuer.sign({ sub: 'fred', scope: 'clips:read' });
    const response = await fetch(url, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
        params: {
          protocolVersion: '2025-11-25',
          capabilities: {},
          clientInfo: { name: 't', version: '1' },
        },
      }),
    });
    assert.equal(response.status, 503);
    assert.match(clipMcp!.said(), /The host answered 401/);
    assert.ok(!clipMcp!.said().includes(secret));
  });
});
