/** The program of the recipe posts as the documents of the platforms say, as far as a fake can. */
import assert from 'node:assert/strict';
import { copyFile, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { signWebhook, importWebhookKey, decodeWebhookSecret } from '../../src/contract/webhook.ts';
import { freePort } from '../../tools/free-port.ts';
import { serve } from 'clip-testkit/serve';
import { waitFor } from 'clip-testkit/wait-for';

const root = fileURLToPath(new URL('../../', import.meta.url));
const program = join(root, 'examples/publish/publish.ts');
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const tokens = {
  YOUTUBE_TOKEN: 'token-of-youtube',
  TIKTOK_TOKEN: 'token-of-tiktok',
  INSTAGRAM_TOKEN: 'token-of-instagram',
  X_TOKEN: 'token-of-x',
};
const video = Buffer.alloc(5 * 1024 ** 2, 'video');

async function directoryFor(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'clip-publish-'));
  // The program that was just stopped may still be writing its last file.
  t.after(() => rm(directory, { recursive: true, force: true, maxRetries: 10 }));
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'));
  await copyFile(program, join(directory, 'publish.ts'));
  await writeFile(join(directory, 'package.json'), '{"type": "module"}');
  return directory;
}

interface Call {
  readonly method: string;
  /** The platform’s host and path, as the program asked for it. */
  readonly at: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** The platforms as their documents describe them. */
async function startPlatforms(t: TestContext) {
  const calls: Call[] = [];
  let isCutOff = false;
  const jsonOf = (call: Call) => JSON.parse(call.body.toString()) as Record<string, unknown>;
  function answerTo(call: Call): {
    status?: number;
    headers?: object;
    json?: unknown;
    bytes?: Buffer;
  } {
    const { at, method } = call;
    if (at.startsWith('files.example/')) {
      return { bytes: at.endsWith('.jpg') ? Buffer.from('cover') : video };
    }
    if (at.includes('/upload/youtube/v3/videos?uploadType=resumable')) {
      return { headers: { Location: 'https://upload.example/session' } };
    }
    if (at === 'upload.example/session') {
      const range = call.headers['content-range'];
      // The first try is cut off after a megabyte.
      if (range === `bytes 0-${video.length - 1}/${video.length}` && !isCutOff) {
        isCutOff = true;
        return { status: 503 };
      }
      if (range === `bytes */${video.length}`) {
        return { status: 308, headers: { Range: 'bytes=0-1048575' } };
      }
      return { json: { id: 'youtube-id' } };
    }
    if (at.includes('/youtube/v3/videos?part=processingDetails')) {
      return { json: { items: [{ processingDetails: { processingStatus: 'succeeded' } }] } };
    }
    if (at.includes('/creator_info/query/')) {
      return { json: { data: { privacy_level_options: ['SELF_ONLY'] } } };
    }
    if (at.endsWith('/video/init/')) {
      return { json: { data: { publish_id: 'p1', upload_url: 'https://upload.example/tiktok' } } };
    }
    if (at.endsWith('/status/fetch/')) return { json: { data: { status: 'PUBLISH_COMPLETE' } } };
    if (at.endsWith('/77/media_publish')) return { json: { id: 'reel' } };
    if (at.endsWith('/77/media')) return { json: { id: 'container' } };
    if (at.includes('/container?fields=status_code')) {
      const asked = calls.filter((one) => one.at === at).length;
      return { json: { status_code: asked > 1 ? 'FINISHED' : 'IN_PROGRESS' } };
    }
    if (at.endsWith('/media/upload/initialize')) return { json: { data: { id: 'm1' } } };
    if (at.endsWith('/m1/finalize')) {
      return { json: { data: { id: 'm1', processing_info: { state: 'pending' } } } };
    }
    if (at.includes('command=STATUS')) {
      return { json: { data: { id: 'm1', processing_info: { state: 'succeeded' } } } };
    }
    if (at.endsWith('/2/tweets') && method === 'POST') return { json: { data: { id: '99' } } };
    return { json: {} };
  }
  const { port, close } = await serve((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { method = '', url = '', headers } = request;
      const call = { method, at: url.slice(1), headers, body: Buffer.concat(chunks) };
      calls.push(call);
      const { status = 200, headers: sent = {}, json, bytes } = answerTo(call);
      response.writeHead(status, { ...sent }).end(bytes ?? JSON.stringify(json ?? {}));
    })();
  });
  t.after(close);
  return { calls, jsonOf, port, at: (part: string) => calls.filter(({ at }) => at.includes(part)) };
}

/** Starts the program; every address that it asks leads to the platforms above. */
async function start(t: TestContext, platforms: { port: number }) {
  const directory = await directoryFor(t);
  const preload = `const real = globalThis.fetch;
globalThis.fetch = (url, init) =>
  real(String(url).replace('https://', 'http://127.0.0.1:${platforms.port}/'), init);`;
  await writeFile(join(directory, 'preload.mjs'), preload);
  const port = await freePort();
  const child = spawn(process.execPath, ['--import', './preload.mjs', 'publish.ts'], {
    cwd: directory,
    env: {
      ...{ PATH: process.env['PATH'], ...tokens, WEBHOOK_SECRET: secret },
      ...{ INSTAGRAM_USER_ID: '77', PORT: String(port), POLL_MS: '5' },
    },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  }
  t.after(() => child.kill());
  await waitFor('the program', async () => said.includes('Waiting for exports.') || undefined);
  const notes = async (): Promise<Map<string, string>> => {
    const folder = join(directory, 'published');
    const names = await readdir(folder).catch(() => []);
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
    return new Map(names.map((name, index) => [name, texts[index]!]));
  };
  const send = async (event: unknown, age = 0): Promise<number> => {
    const timestamp = String(Math.floor(Date.now() / 1000) - age);
    const body = JSON.stringify(event);
    const key = await importWebhookKey(decodeWebhookSecret(secret));
    const signature = await signWebhook(key, { id: 'msg_1', timestamp, body });
    const headers = {
      ...{ 'webhook-id': 'msg_1', 'webhook-timestamp': timestamp, 'webhook-signature': signature },
      'Content-Type': 'application/json',
    };
    const url = `http://127.0.0.1:${port}/publish`;
    return (await fetch(url, { method: 'POST', headers, body })).status;
  };
  return { send, notes, said: () => said, port };
}

const ready = {
  type: 'export.ready',
  timestamp: '2026-11-27T10:00:00.000Z',
  data: {
    id: 'export-1',
    status: 'ready',
    src_url: 'https://files.example/clip.mp4',
    cover_url: 'https://files.example/cover.jpg',
    project_id: 'p',
    created_at: '2026-11-27T10:00:00.000Z',
    name: 'Why do bees <dance>?',
    author_id: 'a',
    description: 'They say where the flowers are.',
    tags: ['bees', 'waggle dance'],
  },
};

describe('examples/publish', () => {
  it('posts a finished export to each platform, once, and tells no token', async (t) => {
    const platforms = await startPlatforms(t);
    const { send, notes, said } = await start(t, platforms);
    assert.equal(await send(ready), 204);
    const posted = await waitFor('the posts', async () => {
      const all = await notes();
      return all.size === 4 && [...all.values()].every(Boolean) ? all : undefined;
    });
    assert.deepEqual(Object.fromEntries(posted), {
      'export-1.youtube': 'https://youtu.be/youtube-id',
      'export-1.tiktok': 'p1',
      'export-1.instagram': 'reel',
      'export-1.x': 'https://x.com/i/status/99',
    });
    const { at, jsonOf } = platforms;
    const caption = 'Why do bees <dance>?\n\nThey say where the flowers are.\n\n#bees #waggledance';

    const [begun] = at('uploadType=resumable');
    assert.equal(begun!.headers['x-upload-content-length'], String(video.length));
    const { snippet, status } = jsonOf(begun!) as Record<string, Record<string, unknown>>;
    assert.deepEqual(
      [snippet!['title'], snippet!['tags']],
      ['Why do bees dance?', ready.data.tags],
    );
    assert.equal(status!['privacyStatus'], 'private');
    const [, , rest] = at('upload.example/session');
    assert.equal(
      rest!.headers['content-range'],
      `bytes 1048576-${video.length - 1}/${video.length}`,
    );
    assert.ok(rest!.body.equals(video.subarray(1048576)));
    assert.equal(at('thumbnails/set?videoId=youtube-id')[0]!.body.toString(), 'cover');

    const { post_info, source_info } = jsonOf(at('/video/init/')[0]!) as Record<string, object>;
    assert.deepEqual(post_info, { title: caption, privacy_level: 'SELF_ONLY' });
    const whole = { video_size: video.length, chunk_size: video.length, total_chunk_count: 1 };
    assert.deepEqual(source_info, { source: 'FILE_UPLOAD', ...whole });
    assert.ok(at('upload.example/tiktok')[0]!.body.equals(video));

    assert.deepEqual(jsonOf(at('/77/media')[0]!), {
      ...{ media_type: 'REELS', video_url: ready.data.src_url, cover_url: ready.data.cover_url },
      caption,
    });
    assert.deepEqual(jsonOf(at('/77/media_publish')[0]!), { creation_id: 'container' });

    assert.equal(at('/m1/append').length, 2, 'parts of four megabytes');
    assert.deepEqual(jsonOf(at('/2/tweets')[0]!), {
      text: ready.data.name,
      media: { media_ids: ['m1'] },
    });

    const before = platforms.calls.length;
    assert.equal(await send(ready), 204);
    await waitFor('the file', async () => platforms.calls.length > before || undefined);
    assert.deepEqual(
      platforms.calls.slice(before).map((call) => call.at),
      ['files.example/clip.mp4'],
      'nothing is posted twice',
    );
    for (const token of Object.values(tokens)) {
      assert.ok(!said().includes(token));
      assert.ok(platforms.calls.every((call) => !call.at.includes(token)));
    }
  });

  it('refuses what is not signed, and what is old', async (t) => {
    const platforms = await startPlatforms(t);
    const { send, port } = await start(t, platforms);
    const body = JSON.stringify(ready);
    const unsigned = await fetch(`http://127.0.0.1:${port}/publish`, { method: 'POST', body });
    assert.equal(unsigned.status, 401);
    assert.equal(await send(ready, 600), 401);
    assert.equal(await send({ type: 'else' }), 400);
    assert.deepEqual(platforms.calls, []);
  });
});
