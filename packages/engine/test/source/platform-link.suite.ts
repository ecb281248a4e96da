import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, connect, type Server as NetServer, type Socket } from 'node:net';
import { delimiter, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { installPackages } from '../../../../tools/install-packages.mjs';
import { run } from '../../src/program/ffmpeg-process.ts';
import { fetchFromPlatform, fetchPlatformSubtitles } from '../../src/source/platform-link.ts';
import { SourceError } from '../../src/source/source-error.ts';
import { makeVideo, temporaryDirectory } from 'clip-testkit/media-footage';

// Not part of the usual tests, because it needs yt-dlp: npm run test:long.
// Not by `findProgram`, which would remember it: the tests put a script in front of it.
function place(): string {
  return spawnSync('sh', ['-c', 'command -v yt-dlp'], { encoding: 'utf8' }).stdout.trim();
}
if (!place()) installPackages('ytDlp');
const program = place();

async function listen(server: NetServer): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

describe('yt-dlp, on a site that its extractor of Rumble takes for its own', () => {
  const signal = new AbortController().signal;
  const path = process.env['PATH'];
  const asked: string[] = [];
  const tunnels: string[] = [];
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let site: Server;
  const proxy = createHttpServer();

  before(async () => {
    directory = await temporaryDirectory();
    const at = (name: string) => join(directory.path, name);
    await makeVideo(at('site.mp4'), { seconds: 2 });
    await run(
      'openssl',
      // prettier-ignore
      ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes',
        '-subj', '/CN=rumble.com', '-keyout', at('key.pem'), '-out', at('cert.pem')],
      { signal, deadlineSeconds: 30 },
    );
    const video = await readFile(at('site.mp4'));
    const subtitles = 'WEBVTT\n\n00:00.500 --> 00:01.500\nHello there.\n';
    const answers: Readonly<Record<string, object>> = {
      v1talk: {
        title: 'A talk',
        duration: 2,
        live: 0,
        ua: { mp4: { 360: { url: 'https://media.example/talk.mp4', meta: { w: 640, h: 360 } } } },
        cc: { en: { language: 'English', path: 'https://media.example/talk.vtt' } },
      },
      v1rtmp: { title: 'A talk', ua: { mp4: { 360: { url: 'rtmp://media.example/talk' } } } },
    };
    site = createServer(
      { key: await readFile(at('key.pem')), cert: await readFile(at('cert.pem')) },
      ({ url = '', headers }, response) => {
        const { pathname, searchParams } = new URL(url, `https://${headers.host}`);
        asked.push(`${headers.host}${pathname}`);
        const answer = answers[searchParams.get('v') ?? ''];
        if (pathname === '/embedJS/u3/' && answer) response.end(JSON.stringify(answer));
        else if (pathname === '/talk.mp4') response.end(video);
        else if (pathname === '/talk.vtt') response.end(subtitles);
        else if (pathname === '/page') response.end('<video src="https://media.example/talk.mp4">');
        else response.writeHead(404).end();
      },
    );
    const sitePort = await listen(site);
    // In place of the real one, all hosts are the site.
    proxy.on('connect', ({ url = '' }, client: Socket) => {
      tunnels.push(url);
      const upstream = connect(sitePort, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        client.pipe(upstream).pipe(client);
      });
      for (const socket of [client, upstream]) socket.on('error', () => {});
    });
    const proxyPort = await listen(proxy);
    await writeFile(
      at('yt-dlp'),
      `#!/bin/sh
for arg; do
  shift
  case "$arg" in http://127.0.0.1:*) arg=http://127.0.0.1:${proxyPort} ;; esac
  set -- "$@" "$arg"
done
exec "${program}" --no-check-certificates "$@"
`,
      { mode: 0o755 },
    );
    process.env['PATH'] = [directory.path, path].join(delimiter);
  });
  after(async () => {
    process.env['PATH'] = path;
    site.close();
    proxy.close();
    await directory.remove();
  });

  const fetched = (id: string, maxBytes = 1e9) =>
    fetchFromPlatform(`https://rumble.com/embed/${id}`, {
      ...{ path: join(directory.path, 'source'), allowPrivate: false, maxBytes, signal },
    });
  const refusal = (code: string) => (error: unknown) => {
    assert.ok(error instanceof SourceError, String(error));
    assert.equal(error.code, code);
    return true;
  };

  it('downloads the video, all through the proxy', async () => {
    const { bytes } = await fetched('v1talk');
    const file = await readFile(join(directory.path, 'source'));
    assert.equal(bytes, file.length);
    assert.deepEqual(file, await readFile(join(directory.path, 'site.mp4')));
    assert.deepEqual(asked, ['rumble.com/embedJS/u3/', 'media.example/talk.mp4']);
    assert.deepEqual([...new Set(tunnels)], ['rumble.com:443', 'media.example:443']);
  });

  it('downloads the subtitles in a language', async () => {
    const file = await fetchPlatformSubtitles('https://rumble.com/embed/v1talk', {
      ...{ directory: directory.path, allowPrivate: false, language: 'en', signal },
    });
    assert.match(await readFile(file!, 'utf8'), /Hello there\./);
    const options = { directory: directory.path, allowPrivate: false, language: 'de', signal };
    assert.equal(await fetchPlatformSubtitles('https://rumble.com/embed/v1talk', options), null);
  });

  it('downloads no video over the limit', async () => {
    await assert.rejects(fetched('v1talk', 1000), refusal('source-too-large'));
  });

  it('downloads nothing over a protocol that does not go through the proxy', async () => {
    await assert.rejects(fetched('v1rtmp'), ({ cause }: Error) => {
      assert.match(String(cause), /Requested format is not available/);
      return true;
    });
  });

  it('takes no video out of any page', async () => {
    const before = tunnels.length;
    const options = { path: join(directory.path, 'source'), allowPrivate: false, signal };
    await assert.rejects(
      fetchFromPlatform('https://loom.com/page', options),
      refusal('source-unreachable'),
    );
    assert.equal(tunnels.length, before);
  });

  it('leaves nothing of what it could not finish', async () => {
    await assert.rejects(fetched('v1gone'), refusal('source-unreachable'));
    const left = (await readdir(directory.path)).filter((name) => name.startsWith('source.'));
    assert.deepEqual(left, []);
  });
});
