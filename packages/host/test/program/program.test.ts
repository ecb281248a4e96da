/** The program as an operator runs it: a process of its own. */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { SignJWT } from 'jose';
import { FakeService } from 'clip-testkit/fake-service';
import { readSettings, usage, CommandLineError } from '../../src/program/command-line.ts';
import { startProgram } from '../../src/program/program.ts';

const main = fileURLToPath(new URL('../../src/program/main.ts', import.meta.url));
const secret = 'the secret of a site, of 32 bytes or more';
const page = 'https://www.example.com';

function sign(sub: string, key = secret): Promise<string> {
  const iat = Math.floor(Date.now() / 1000);
  return new SignJWT({ aud: 'clip-host', sub, iat, exp: iat + 300 })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(key));
}

function temporary(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'clip-host-program-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return directory;
}

interface Run {
  readonly child: ChildProcess;
  /** Resolves with the exit code. */
  readonly ended: Promise<number>;
  output(): string;
  /** The first line of the log that has this event. */
  line(event: string): Promise<Record<string, unknown>>;
}

function run(t: TestContext, args: readonly string[], cwd = temporary(t)): Run {
  const child = spawn(process.execPath, [main, ...args], {
    cwd,
    env: { PATH: process.env['PATH'] },
  });
  const ended = once(child, 'close').then(([code]) => code as number);
  t.after(() => {
    child.kill('SIGKILL');
    return ended;
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (more: string) => (output += more));
  }
  const find = (event: string) =>
    output
      .split('\n')
      .filter((text) => /^\{.*\}$/.test(text))
      .map((text) => JSON.parse(text) as Record<string, unknown>)
      .find((line) => line['event'] === event);
  return {
    child,
    ended,
    output: () => output,
    async line(event) {
      for (let found = find(event); ; found = find(event)) {
        if (found) return found;
        assert.equal(child.exitCode, null, output);
        await Promise.race([once(child.stdout, 'data'), ended]);
      }
    },
  };
}

/** A host in front of a service, on a free port. */
async function start(t: TestContext, more: readonly string[] = [], directory = temporary(t)) {
  const service = await FakeService.open();
  const [key, secrets] = [join(directory, 'key'), join(directory, 'secret')];
  writeFileSync(key, `${service.apiKey}\n`);
  writeFileSync(secrets, `${secret}\n`);
  const args = ['--service', service.baseUrl, '--api-key-file', key, '--secret-file', secrets];
  const program = run(t, [...args, '--origin', page, '--port', '0', ...more], directory);
  // After the program, which keeps its connections open.
  t.after(() => service.close());
  const { message } = await program.line('started');
  const endpoint = String(message).split(' ').at(-1)!;
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(endpoint + path, {
      ...init,
      headers: { Authorization: `Bearer ${await sign('ann')}`, Origin: page, ...init.headers },
    });
  return { program, service, endpoint, ask, directory };
}

describe('npx clip-host', () => {
  it('serves users with a session, and keeps them over a restart', async (t) => {
    const first = await start(t);
    const answer = await first.ask('/exports');
    assert.equal(answer.status, 200, first.program.output());
    assert.equal(answer.headers.get('Access-Control-Allow-Origin'), page);
    assert.equal((await fetch(`${first.endpoint}/exports`)).status, 401);
    const users = () => first.service.sent('POST', /users$/).length;
    assert.equal(users(), 1);
    first.program.child.kill('SIGTERM');
    assert.equal(await first.program.ended, 0);
    const second = await start(t, ['--service', first.service.baseUrl], first.directory);
    writeFileSync(join(first.directory, 'key'), first.service.apiKey);
    await second.ask('/exports');
    assert.equal(users(), 1, 'the user is known');
  });

  it('keeps its store from the other users of the machine, also one that they could read', async (t) => {
    const directory = temporary(t);
    writeFileSync(join(directory, 'old.sqlite'), '', { mode: 0o644 });
    for (const store of ['new.sqlite', 'old.sqlite']) {
      const { ask } = await start(t, ['--store', store], directory);
      await ask('/exports');
    }
    const stores = readdirSync(directory).filter((name) => name.includes('sqlite'));
    assert.deepEqual(
      stores.map((name) => [name, statSync(join(directory, name)).mode & 0o777]),
      ['new.sqlite', 'old.sqlite']
        .flatMap((name) => [name, `${name}-shm`, `${name}-wal`])
        .map((name) => [name, 0o600]),
    );
  });

  it('logs lines of JSON, and no secret, session or key', async (t) => {
    const { program, service, ask } = await start(t);
    await ask('/exports?project_id=clip-of-ann');
    const line = await program.line('request');
    assert.deepEqual(
      [line['method'], line['path'], line['status'], line['level']],
      ['GET', '/host/exports', 200, 'info'],
    );
    assert.match(String(line['time']), /^\d{4}-\d\d-\d\dT/);
    const output = program.output();
    for (const text of [secret, service.apiKey, 'eyJ', 'clip-of-ann']) {
      assert.ok(!output.includes(text), text);
    }
  });

  it('says whether it runs, and whether its store answers', async (t) => {
    const { endpoint } = await start(t);
    for (const path of ['/healthz', '/readyz']) {
      assert.equal((await fetch(new URL(path, endpoint))).status, 200);
    }
  });

  it('answers what is open when it is told to stop, and takes nothing new', async (t) => {
    const { program, service, ask, endpoint } = await start(t);
    await ask('/exports');
    const list = service.hold('GET', /exports$/);
    const asked = ask('/exports?project_id=p');
    await list.arrived;
    program.child.kill('SIGTERM');
    await program.line('stopping');
    await assert.rejects(fetch(new URL('/healthz', endpoint)));
    list.release();
    assert.notEqual((await asked).status, 0);
    assert.equal(await program.ended, 0);
  });

  it('prints how it is used', async (t) => {
    const program = run(t, ['--help']);
    assert.equal(await program.ended, 0);
    assert.equal(program.output(), `${usage}\n`);
  });

  it('says what is missing, and ends with 2', async (t) => {
    const program = run(t, ['--service', 'https://clips.example/v2']);
    assert.equal(await program.ended, 2);
    assert.match(program.output(), /^The API key of the service is missing\. Set --api-key-file/);
    assert.match(program.output(), /clip-host --help\n$/);
  });

  it('says which port is taken', async (t) => {
    const { endpoint, directory } = await start(t);
    const { port } = new URL(endpoint);
    const file = (name: string) => join(directory, name);
    const program = run(t, [
      ...['--service', 'https://clips.example/v2', '--api-key-file', file('key')],
      ...['--secret-file', file('secret'), '--port', port],
    ]);
    assert.equal(await program.ended, 1);
    assert.equal(
      program.output(),
      `Port ${port} is taken by another program. Stop it, or choose another with --port.\n`,
    );
  });
});

const needed = {
  CLIP_API_URL: 'https://clips.example/v2',
  CLIP_API_KEY: 'key-1',
  HOST_SECRETS: secret.replaceAll(' ', '-'),
};

describe('a request that does not arrive', { timeout: 30_000 }, () => {
  async function startInside(t: TestContext) {
    const service = await FakeService.open();
    const store = join(temporary(t), 'store.sqlite');
    const args = ['--port', '0', '--store', store];
    const environment = { ...needed, CLIP_API_URL: service.baseUrl, CLIP_API_KEY: service.apiKey };
    const program = await startProgram(readSettings(args, environment)!, () => {}, 100);
    t.after(() => program.close().then(() => service.close()));
    const open = (text: string) => {
      const socket = connect(Number(new URL(program.endpoint).port)).on('error', () => {});
      socket.resume().write(text);
      return socket;
    };
    return { open };
  }
  const slowHead = 'POST /host/token HTTP/1.1\r\nHost: a\r\nX-Slow: ';
  const half = 'HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n{';
  for (const [what, text] of [
    ['its head', slowHead],
    ['a body that is read', `POST /host/views ${half}`],
    ['a body that nobody reads', `GET /healthz ${half}`],
  ] as const) {
    it(`is closed: ${what}`, async (t) => {
      const { open } = await startInside(t);
      await once(open(text), 'close');
    });
  }
});

describe('the settings of the program', () => {
  it('may all come from the environment', () => {
    const settings = readSettings([], {
      ...needed,
      HOST_ORIGINS: `${page} https://example.com`,
      HOST_PUBLIC_URL: 'https://clips.example/host/',
      HOST_STORE: 'postgres://db/clips',
      PORT: '8080',
    });
    assert.deepEqual(settings, {
      service: { baseUrl: 'https://clips.example/v2', apiKey: 'key-1' },
      sessions: { secrets: [needed.HOST_SECRETS] },
      origins: [page, 'https://example.com'],
      publicUrl: new URL('https://clips.example/host/'),
      basePath: '/host',
      port: 8080,
      address: undefined,
      store: 'postgres://db/clips',
    });
  });

  it('are those of the command line where both are given', () => {
    const settings = readSettings(['--port', '1', '--origin', 'https://a.example'], {
      ...needed,
      PORT: '2',
      HOST_ORIGINS: page,
    });
    assert.equal(settings!.port, 1);
    assert.deepEqual(settings!.origins, ['https://a.example']);
  });

  for (const [name, args, environment, message] of [
    ['an option that does not exist', ['--sercice', 'x'], {}, /'--sercice'/],
    ['no service', [], { CLIP_API_URL: '' }, /--service must be/],
    ['a service that is no address', ['--service', 'clips'], {}, /--service must be/],
    ['no secret', [], { HOST_SECRETS: '' }, /openssl rand -hex 32/],
    ['a file that is not there', ['--secret-file', '/none'], { HOST_SECRETS: '' }, /\(ENOENT\)/],
    ['a secret that is given twice', ['--secret-file', '/none'], {}, /Set either --secret-file/],
    ['no port', ['--port', '65536'], {}, /whole number from 0 to 65535/],
    ['a public address that is none', ['--public-url', 'clips'], {}, /--public-url must be/],
  ] as const) {
    it(`are refused: ${name}`, () => {
      assert.throws(
        () => readSettings(args, { ...needed, ...environment }),
        (error: Error) =>
          error instanceof CommandLineError &&
          message.test(error.message) &&
          !error.message.includes(needed.HOST_SECRETS),
      );
    });
  }
});
