/**
 * The commands of README and `docs/` do what their pages say, as they are printed, in an empty
 * clone with an empty HOME and the machine's own Node. Started by `tools/newcomer.mjs` beside the
 * demo, with the lines of HTML that it has printed.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { launchBrowser, openPage } from 'clip-testkit/browser';
import { freePort } from '../../tools/free-port.ts';
import { withoutOwnNode } from '../../tools/install-dependencies.mjs';
import { runProgram } from '../../tools/run-program.ts';
import { shownFiles } from '../docs/shown-files.ts';
import { waitFor } from 'clip-testkit/wait-for';
import { serve } from 'clip-testkit/serve';

const checkout = fileURLToPath(new URL('../../', import.meta.url));

interface Block {
  readonly page: string;
  readonly text: string;
}

const pages = globSync(['README.md', 'docs/**/*.md', '{examples,packages,src}/**/README.md'], {
  cwd: checkout,
  exclude: ['**/node_modules/**'],
});
const readPage = (page: string): string => readFileSync(join(checkout, page), 'utf8');

const left = new Set<Block>(
  pages.flatMap((page) =>
    [...readPage(page).matchAll(/^( *)```(?:sh|bash|shell|console)\n([^]*?)^ *```/gm)].map(
      ([, indent = '', text = '']) => ({ page, text: text.replaceAll(`\n${indent}`, '\n').trim() }),
    ),
  ),
);

/** Returns the next block of a page that begins so. Blocks with the same text are done, too. */
function takeBlock(page: string, beginning = ''): string {
  const block = [...left].find((one) => one.page === page && one.text.startsWith(beginning));
  assert.ok(block, `${page} has no further block of commands that begins with "${beginning}"`);
  for (const one of left) if (one.text === block.text) left.delete(one);
  return block.text;
}

/** Blocks that are not run here, by their page and beginning, and what runs them, or the reason. */
const notHere: readonly (readonly [page: RegExp, beginning: string, reason: string])[] = [
  [/^(README|docs\/(index|start|tour))\.md$/, 'npm start', 'tools/newcomer.mjs'],
  [/tour\.md$/, 'git clone', 'tools/newcomer.mjs, with the address of this checkout'],
  [/tour\.md$/, 'node studio.mjs', 'tools/newcomer.mjs'],
  [/^README\.md$/, 'npm test', '.ci/run'],
  [/develop\.md$/, 'npm start', 'a list of commands: .ci/run and tools/newcomer.mjs run them'],
  [/hosts\/wordpress\.md$/, 'npm run wordpress:zip', 'tools/newcomer.mjs'],
  [/^(src|packages\/host)\/README\.md$/, 'npm install', 'shown by a registry, once published'],
  [/engine-cli\.md$/, 'npx clip-engine words', 'a model: packages/engine/test/cli/words.test.ts'],
  [/hosts\/deno\.md$/, 'export', 'Deno: npm run test:runtimes'],
  [/hosts\/fastify\.md$/, '', 'npm run test:frameworks'],
  [/hosts\/next\.md$/, '', 'npm run test:frameworks'],
  [/hosts\/workers\.md$/, '', 'npm run test:sites, up to the Cloudflare account'],
  [/^examples\//, '', 'npm run test:frameworks'],
  [/start\/bundlers\.md$/, 'np', 'npm run test:sites'],
  [/testing\.md$/, '', 'Jest: npm run test:sites'],
  [/agents\.md$/, 'CLIP_HOST_URL', 'a sign-in: packages/mcp/test/sign-in.suite.ts'],
  [/operate\.md$/, '', 'a file of the operator: packages/service/test/telemetry/tracing.suite.ts'],
  [/restore\.md$/, '', 'Postgres: packages/service/test/postgres/restore.suite.ts'],
  [/service-processes\.md$/, 'docker', 'no Docker engine'],
  [/deploy\/README\.md$/, '', 'the root of a server, or of a cluster'],
  [/host-contract\.md$/, '', 'npm test: packages/host/test/conformance.test.ts'],
];

const temporary = mkdtempSync(join(tmpdir(), 'clip-printed-'));
const clone = join(temporary, 'clip-kit');
const site = join(temporary, 'my-site');
const env: NodeJS.ProcessEnv = {
  ...withoutOwnNode(),
  HOME: temporary,
  npm_config_update_notifier: 'false',
  // It would be downloaded for the video, which has no subtitles.
  SPEECH_MODEL: 'off',
};
/** For programs that need a newer Node than the setup does. */
const newNode = { ...env, PATH: `${clone}/node_modules/.bin:${env['PATH']}` };

/** Replaces the placeholders of a block. */
const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  Object.entries(values).reduce((filled, [from, to]) => filled.replaceAll(from, to), text);

/** Runs commands as a shell does, and returns what they print. Fails if one of them does. */
async function run(cwd: string, text: string, environment = env): Promise<string> {
  const strict = 'curl() { command curl --fail-with-body --silent --show-error "$@"; }\n';
  const { code, output } = await runProgram(['bash', '-euo', 'pipefail', '-c', strict + text], {
    cwd,
    env: environment,
    signal: AbortSignal.timeout(600_000),
  });
  assert.equal(code, 0, `${text}\n${output}`);
  return output;
}

/** Starts a server as a shell does, and ends it after the test. */
async function start(
  t: { after(end: () => void): void },
  cwd: string,
  text: string,
  address: string,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const child = spawn('bash', ['-euc', text], {
    cwd,
    env: environment,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (more: string) => (output += more));
  }
  t.after(() => {
    if (child.exitCode === null) process.kill(-child.pid!, 'SIGKILL');
  });
  await waitFor(
    text,
    () => {
      assert.equal(child.exitCode, null, `${text}\n${output}`);
      return fetch(address).then(
        ({ status }) => status < 500,
        () => false,
      );
    },
    () => output,
  );
}

/** The web server of the talk that the pages name. */
const files = createServer((_, response) => {
  response.setHeader('Content-Type', 'video/mp4').end(readFileSync(join(clone, 'talk.mp4')));
});
const addTalk = (text: string): string =>
  text.replace(
    'https://example.com/talk.mp4',
    `http://127.0.0.1:${(files.address() as AddressInfo).port}/talk.mp4`,
  );

/** Somebody says four sentences, with subtitles beside the file. */
async function makeTalk(): Promise<void> {
  const says = 'Sleep is strange. Why do we sleep at all? Nobody knew until a mouse stayed awake.';
  await run(
    clone,
    `ffmpeg -v error -f lavfi -i testsrc2=s=320x180:r=10 -f lavfi -i "flite=text='${says}'" \
      -t 15 -af apad -c:v libx264 -preset ultrafast talk.mp4`,
  );
  const cues = says.split(/(?<=[.?]) /).map((text, at) => {
    const time = (seconds: number): string => `00:00:${String(seconds).padStart(2, '0')}.000`;
    return `${time(at * 5)} --> ${time(at * 5 + 4)}\n${text}\n`;
  });
  writeFileSync(join(clone, 'talk.vtt'), `WEBVTT\n\n${cues.join('\n')}`);
}

before(async () => {
  await run(temporary, `git clone --quiet ${checkout} clip-kit`);
  await makeTalk();
  files.listen(0, '127.0.0.1');
  await once(files, 'listening');
});
after(() => {
  files.close();
  rmSync(temporary, { recursive: true, force: true, maxRetries: 10 });
});

describe('the kit in a site of one’s own', () => {
  it('takes the commands of docs/start.md', async () => {
    const page = 'docs/start.md';
    await run(clone, takeBlock(page, 'npm run package'));
    mkdirSync(site);
    writeFileSync(join(site, 'package.json'), '{ "private": true, "type": "module" }');
    await run(site, takeBlock(page, 'npm install'));
    await run(site, takeBlock(page, 'mkdir'));
    const hash = (await run(site, takeBlock(page, 'echo'))).trim();
    const shown = [...readPage(page).matchAll(/^<script type="module" src="\/clip-kit.*$/gm)];
    assert.equal(shown.length, 2);
    for (const [script] of shown) await checkScript(script.replace('sha384-…', hash));
  });

  it('is installed with the programs of the pages', async () => {
    await run(temporary, takeBlock('docs/hosts/express.md', 'mkdir'));
    for (const { page, text } of left) {
      if (!/^npm install(?: \.\.\/\S+\.tgz)+$/.test(text)) continue;
      const folder = mkdtempSync(join(temporary, 'site-'));
      writeFileSync(join(folder, 'package.json'), '{ "private": true }');
      await run(folder, takeBlock(page, text));
    }
  });

  it('is copied where the pages of other kinds of sites say', async () => {
    await run(site, 'npm install alpinejs htmx.org @hotwired/turbo lit');
    mkdirSync(join(site, 'wiki'));
    for (const page of pages.filter((name) => name.startsWith('docs/'))) {
      for (const { text } of [...left].filter((one) => one.page === page)) {
        if (!/^(mkdir -p \S+ && |mkdir -p \S+\n)?cp -?\S* ?node_modules/.test(text)) continue;
        await run(site, takeBlock(page, text));
      }
    }
    const copied = readdirSync(join(site, 'public'));
    for (const file of ['clip-studio.js', 'alpine.js', 'htmx.js', 'turbo.js', 'lit']) {
      assert.ok(copied.includes(file), `${file} is not in ${copied.join(', ')}`);
    }
  });
});

/** The script defines the elements, on a page with nothing else. */
async function checkScript(script: string): Promise<void> {
  const { port, close } = await serve((request, response) => {
    const file = join(site, 'public', request.url!);
    if (request.url === '/') response.setHeader('Content-Type', 'text/html').end(script);
    else if (existsSync(file)) {
      response.setHeader('Content-Type', 'text/javascript').end(readFileSync(file));
    } else response.writeHead(204).end();
  });
  const browser = await launchBrowser();
  try {
    const { page, problems } = await openPage(browser);
    await page.goto(`http://localhost:${port}/`);
    await page.waitForFunction(() => customElements.get('clip-preview'));
    assert.deepEqual(problems, []);
  } finally {
    await browser.close();
    await close();
  }
}

describe('the command line', () => {
  it('makes clips of a talk, writes its files, and lists its moments', async () => {
    const page = 'docs/engine-cli.md';
    await run(clone, takeBlock(page, 'npm run cut'));
    await run(clone, takeBlock(page, 'npx clip-engine cut'));
    const [edit] = readdirSync(join(clone, 'shorts')).filter((name) => name.endsWith('.mp4'));
    assert.ok(edit, 'there is no clip');
    const files = takeBlock(page, 'npx clip-engine cut');
    const named = /shorts\/\S+\.edit\.json/.exec(files)![0];
    const [first = '', second = ''] = files.split('\n');
    await run(clone, first);
    await run(
      clone,
      second.replace(named, `"${globSync('shorts/*.edit.json', { cwd: clone })[0]!}"`),
    );
    await run(clone, takeBlock(page, 'npx clip-engine moments'));
  });
});

describe('the service', () => {
  const address = 'localhost:4400';
  const keyFile = join(clone, '.data/service/api-key');
  const ends: (() => void)[] = [];
  let port: number;

  after(() => ends.forEach((end) => end()));

  it('starts as its page says', async () => {
    port = await freePort();
    const text = takeBlock('docs/service.md', 'npm run service');
    await start(
      { after: (end) => ends.push(end) },
      clone,
      text,
      `http://localhost:${port}/readyz`,
      {
        ...env,
        PORT: `${port}`,
        // For the talk.
        CLIP_ALLOW_PRIVATE_SOURCES: '1',
      },
    );
    await waitFor('the key', () => existsSync(keyFile));
  });

  it('takes the calls of its page', async () => {
    const page = 'docs/service.md';
    const key = takeBlock(page, 'CLIP_API_KEY=');
    const call = (text: string, more: Record<string, string> = {}): Promise<string> =>
      run(clone, `${key}\n${fill(addTalk(text), { [address]: `localhost:${port}`, ...more })}`);
    const task = JSON.parse(await call(takeBlock(page, 'curl -X POST')));
    const read = JSON.parse(await call(takeBlock(page, 'curl'), { TASK_ID: task.id }));
    assert.equal(read.id, task.id);
    await call(takeBlock(page, 'curl'), { OUTPUT_ID: read.output_id });
  });

  it('takes the calls of other pages', async (t) => {
    const key = readFileSync(keyFile, 'utf8').trim();
    const known = { ...env, SERVICE: `http://localhost:${port}`, API_KEY: key };
    await run(clone, takeBlock('docs/appearance.md', 'curl -X PUT'), known);
    await run(clone, takeBlock('docs/muted-words.md', 'curl'), known);
    await run(clone, 'ffmpeg -v error -f lavfi -i sine -t 2 upbeat.mp3');
    const music = await run(clone, takeBlock('docs/music.md', 'curl'), known);
    assert.equal(JSON.parse(music).name, 'Upbeat');
    await run(clone, 'ffmpeg -v error -f lavfi -i testsrc2=s=320x180:r=25 -t 1 intro.mp4');
    await run(clone, 'ffmpeg -v error -f lavfi -i color=red:s=90x160 -frames:v 1 end-card.png');
    await run(clone, takeBlock('docs/bumpers.md', 'curl'), known);
    const webhook = await run(clone, takeBlock('docs/webhooks.md', 'curl -X POST'), known);
    assert.match(JSON.parse(webhook).secret, /^whsec_/);
    const ask = async (path: string, method = 'GET') => {
      const headers = { Authorization: `Bearer ${key}` };
      return (await fetch(`${known.SERVICE}/v2${path}`, { method, headers })).json();
    };
    const { id: USER_ID } = await ask('/users', 'POST');
    const token = takeBlock('docs/editor.md', 'curl -X POST');
    const issued = JSON.parse(await run(clone, token, { ...known, USER_ID }));
    assert.ok(issued.external_access_token, JSON.stringify(issued));
    const [{ output_id: FOLDER_ID }] = await ask('/tasks');
    const share = takeBlock('docs/share-links.md', 'curl -X POST');
    const { url } = JSON.parse(await run(clone, share, { ...known, FOLDER_ID }));
    assert.equal((await fetch(url)).status, 200);
    const [font] = globSync('**/*.woff2', { cwd: join(checkout, 'node_modules') });
    const fonts = takeBlock('docs/appearance.md', 'curl');
    if (!font) return void t.diagnostic('no font in WOFF2 to send');
    cpSync(join(checkout, 'node_modules', font), join(clone, 'BrandSans.woff2'));
    await run(clone, fonts, known);
  });

  it('shows a clip of the demo as the page for search engines says', async () => {
    const block = process.env['BLOCK'] ?? '';
    const values = {
      'https://clips.example': /player-url="([^"]+)"/.exec(block)![1]!,
      PROJECT_ID: /project="([^"]+)"/.exec(block)![1]!,
    };
    const said = await run(clone, fill(takeBlock('docs/recipes/seo.md'), values));
    assert.match(JSON.parse(said).html, /<iframe/);
  });

  it('serves the site of docs/hosts/express.md', async (t) => {
    const page = 'docs/hosts/express.md';
    const folder = join(temporary, 'my-clips');
    for (const { path, text } of shownFiles(readPage(page)))
      writeFileSync(join(folder, path), text);
    const key = readFileSync(keyFile, 'utf8').trim();
    const own = await freePort();
    const values = { [address]: `localhost:${port}`, 'CLIP_API_KEY=...': `CLIP_API_KEY=${key}` };
    const program = fill(takeBlock(page, 'CLIP_API_URL'), values);
    await start(t, folder, program, `http://localhost:${own}/?project=none`, {
      ...newNode,
      PORT: `${own}`,
    });
    const [token, made] = [takeBlock(page, 'curl'), takeBlock(page, 'curl')].map((text) =>
      text.replaceAll('localhost:3000', `localhost:${own}`),
    ) as [string, string];
    assert.ok(JSON.parse(await run(folder, token)).external_access_token);
    const [post, get] = made.split('\ncurl ') as [string, string];
    const { id } = JSON.parse(await run(folder, addTalk(post)));
    assert.equal(JSON.parse(await run(folder, `curl ${get.replace('TASK_ID', id)}`)).id, id);
  });

  it('is behind the program of docs/host-program.md', async (t) => {
    const folder = join(temporary, 'my-host');
    mkdirSync(folder);
    cpSync(keyFile, join(folder, 'api-key'));
    const own = await freePort();
    const text = fill(takeBlock('docs/host-program.md', 'npm install'), {
      'https://clips.example': `http://localhost:${port}`,
      'npm install': 'npm init -y >/dev/null && npm install',
    });
    await start(t, folder, text, `http://localhost:${own}/readyz`, { ...newNode, PORT: `${own}` });
  });

  it('is behind clip-mcp over HTTP', async (t) => {
    const own = await freePort();
    const text = takeBlock('docs/agents.md', 'CLIP_MCP_TOKEN').replace('4500', `${own}`);
    await start(t, clone, text, `http://127.0.0.1:${own}/mcp`, {
      ...env,
      CLIP_API_URL: `http://localhost:${port}/v2`,
      CLIP_API_KEY: readFileSync(keyFile, 'utf8').trim(),
      CLIP_PLAYER_URL: `http://localhost:${port}`,
    });
  });
});

describe('other starts of the service', () => {
  let usedData = '';

  /** Starts it as a page says, with data of its own. */
  async function startOther(t: TestContext, page: string, beginning: string): Promise<number> {
    const port = await freePort();
    const DATA_DIR = mkdtempSync(join(temporary, 'data-'));
    usedData = DATA_DIR;
    await start(t, clone, takeBlock(page, beginning), `http://localhost:${port}/readyz`, {
      ...env,
      PORT: `${port}`,
      DATA_DIR,
    });
    return port;
  }

  it('takes the users of docs/start/studio.md, and answers as docs/sign-in.md says', async (t) => {
    const page = 'docs/start/studio.md';
    const port = await startOther(t, page, 'openssl');
    await run(temporary, takeBlock(page, 'mkdir'));
    const folder = join(temporary, 'my-studio');
    for (const { path, text } of shownFiles(readPage(page)))
      writeFileSync(join(folder, path), text);
    takeBlock(page, 'node server.js');
    const secret = readFileSync(join(folder, 'clip-host-secret'), 'utf8').trim();
    const encode = (value: object): string =>
      Buffer.from(JSON.stringify(value)).toString('base64url');
    const iat = Math.floor(Date.now() / 1000);
    const signed = `${encode({ alg: 'HS256' })}.${encode({ aud: 'clip-host', sub: 'ann', iat, exp: iat + 60 })}`;
    const SESSION = `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
    await run(clone, takeBlock('docs/sign-in.md', 'openssl'));
    const call = fill(takeBlock('docs/sign-in.md', 'curl'), {
      'https://clips.example': `http://localhost:${port}`,
    });
    assert.match(await run(clone, call, { ...env, SESSION }), /^HTTP\/1\.1 204 /);
  });

  for (const [page, beginning] of [
    ['docs/host-program.md', 'HOST_SECRETS'],
    ['docs/webhooks.md', 'WEBHOOK_URL'],
    ['docs/recipes/gdpr.md', 'RETENTION'],
  ] as const) {
    it(`is ready as ${page} starts it`, async (t) => void (await startOther(t, page, beginning)));
  }

  it('has the commands of the pages for operators', async () => {
    await run(clone, takeBlock('docs/service-commands.md'));
    const [list = '', ...others] = takeBlock('docs/data.md').split('\n');
    const ofUsed = { ...env, DATA_DIR: usedData };
    await run(clone, list, ofUsed);
    await run(clone, takeBlock('docs/service-commands.md', 'npx clip-service plans'), ofUsed);
    // They need a user with data: packages/service/test/operations/commands.suite.ts.
    assert.equal(others.length, 2);
  });
});

describe('the pages', () => {
  it('print no other commands, but for those with a reason', () => {
    const used = new Set<string>();
    for (const { page, text } of [...left]) {
      const found = notHere.find(
        ([pattern, beginning]) => pattern.test(page) && text.startsWith(beginning),
      );
      assert.ok(found, `Nothing runs these commands of ${page}:\n${text}`);
      used.add(`${found[0]} ${found[1]}`);
    }
    for (const [pattern, beginning] of notHere) {
      assert.ok(used.has(`${pattern} ${beginning}`), `${pattern} "${beginning}" is on no page`);
    }
  });
});
