/**
 * Sites of another origin than the host, which sign who is logged in by the blocks of the docs in
 * PHP and Python: from a file to a download, with sessions that end in the middle of it, and with
 * two people in one browser. In the engine that `TEST_BROWSER` names.
 */
import assert from 'node:assert/strict';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { freePort } from '../../tools/free-port.ts';
import { openTab, untilTrue, type Tab } from 'clip-testkit/any-tab';
import { World } from 'clip-testkit/world';
import { shownFiles } from '../docs/shown-files.ts';
import { startProgram, type Program } from '../support/program.ts';

const secret = 'the secret of the sites in this test, of 32 bytes';

const page = (serviceUrl: string): string => `<!doctype html>
<html lang="en">
  <title>Studio</title>
  <link rel="icon" href="data:,">
  <script>
    const errors = [];
    addEventListener('error', ({ message }) => errors.push(message));
    // The address of a download, which the page goes to.
    const downloads = [];
    const send = window.fetch;
    window.fetch = async (...request) => {
      const response = await send(...request);
      if (String(request[0]).endsWith('/download')) {
        response.clone().json().then(({ url }) => url && downloads.push(url), () => {});
      }
      return response;
    };
  </script>
  <script type="module" src="/clip-studio.js"></script>
  <clip-config endpoint="${serviceUrl}/host" session="/clip-session" player-url="${serviceUrl}" app-url="${serviceUrl}">
    <clip-create for="videos" count="2" length="6"></clip-create>
    <clip-videos id="videos" for="clips"></clip-videos>
    <clip-list id="clips"></clip-list>
    <div id="editor"></div>
  </clip-config>
</html>`;

/** `/log-in?user=` is the site's own log-in, which the block asks. */
const phpSite = `<?php
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($path === '/clip-session') { require 'clip-session.php'; exit; }
if ($path === '/log-in') {
  session_start();
  $_SESSION['user'] = ($_GET['user'] ?? '') ?: null;
  exit('ok');
}
if ($path === '/') { header('Content-Type: text/html'); exit(file_get_contents('page.html')); }
return false;
`;

/** Its sessions end while they are used: each is good for 3 more seconds, and does not say so. */
const pythonSite = `import json, os, time
from http.cookies import SimpleCookie
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlparse
import clip_session

class Late:
    # The host allows for clocks that differ by a minute.
    time = staticmethod(lambda: time.time() - 900 - 57)

clip_session.time = Late

class Site(SimpleHTTPRequestHandler):
    def do_GET(self):
        path = urlparse(self.path).path
        if path == "/":
            self.path = "/page.html"
        if path not in ("/clip-session", "/log-in"):
            return super().do_GET()
        self.send_response_only(200)
        if path == "/log-in":
            user = parse_qs(urlparse(self.path).query).get("user", [""])[0]
            self.send_header("Set-Cookie", f"user={user}")
            self.end_headers()
            return
        cookie = SimpleCookie(self.headers.get("Cookie", "")).get("user")
        body = json.dumps({"session": clip_session.clip_session(cookie.value)}).encode()
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass

ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Site).serve_forever()
`;

interface SiteKind {
  /** The page of the docs, and its file. */
  readonly shown: readonly [page: string, file: string];
  readonly main: readonly [file: string, text: string];
  readonly command: (port: number) => readonly string[];
}

const kinds: Readonly<Record<'PHP' | 'Python', SiteKind>> = {
  PHP: {
    shown: ['sign-in/php', 'clip-session.php'],
    main: ['site.php', phpSite],
    command: (port) => ['php', '-S', `127.0.0.1:${port}`, 'site.php'],
  },
  Python: {
    shown: ['sign-in/python', 'clip_session.py'],
    main: ['site.py', pythonSite],
    command: () => ['python3', 'site.py'],
  },
};

const element = (tag: string): string => `document.querySelector('${tag}')`;
const firstButton = `${element('clip-list')}.shadowRoot.querySelector('clip-export-button')`;

describe('a site that signs sessions', () => {
  let world: World;
  let directory: string;
  const sites: Partial<Record<keyof typeof kinds, Program>> = {};

  before(async () => {
    const ports = { PHP: await freePort(), Python: await freePort() };
    const origins = Object.values(ports).map((port) => `http://127.0.0.1:${port}`);
    world = await World.start({ hostSite: { secrets: [secret], origins } });
    directory = await mkdtemp(join(tmpdir(), 'signed-sites-'));
    await copyFile('dist/cdn/clip-studio.js', join(directory, 'clip-studio.js'));
    await copyFile(join(world.directory, 'footage/talk.mp4'), join(directory, 'talk.mp4'));
    await writeFile(join(directory, 'page.html'), page(world.service.url));
    for (const [name, { shown, main, command }] of Object.entries(kinds)) {
      const files = shownFiles(await readFile(`docs/${shown[0]}.md`, 'utf8'));
      const { text } = files.find(({ path }) => path === shown[1])!;
      await writeFile(join(directory, shown[1]), text);
      await writeFile(join(directory, main[0]), main[1]);
      const port = ports[name as keyof typeof kinds];
      sites[name as keyof typeof kinds] = await startProgram(command(port), {
        port,
        cwd: directory,
        env: { CLIP_HOST_SECRET: secret },
      });
    }
  });
  after(async () => {
    for (const site of Object.values(sites)) await site.stop();
    await world?.close();
    await rm(directory, { recursive: true, force: true });
  });

  for (const kind of ['Python', 'PHP'] as const) {
    describe(
      kind === 'PHP' ? 'in PHP' : 'in Python, whose sessions end while they are used',
      () => {
        let tab: Tab;
        const logIn = (user: string) => tab.evaluate(`fetch('/log-in?user=${user}').then(() => 1)`);
        const go = async (user: string) => {
          await tab.go(sites[kind]!.url);
          await logIn(user);
          await tab.go(sites[kind]!.url);
        };
        before(async () => {
          tab = await openTab();
          await go(`ann-${kind}`);
        });
        after(() => tab?.close());

        it('takes a file, and shows its clips', async () => {
          await untilTrue(tab, `${element('clip-create')}.status === 'idle'`);
          await tab.evaluate(`(() => {
          fetch('/talk.mp4').then((response) => response.blob()).then((blob) => {
            const data = new DataTransfer();
            data.items.add(new File([blob], 'talk.mp4', { type: 'video/mp4' }));
            const input = ${element('clip-create')}.shadowRoot.querySelector('input[type=file]');
            input.files = data.files;
            input.dispatchEvent(new Event('change', { bubbles: true }));
          });
        })()`);
          const start = `${element('clip-create')}.shadowRoot.querySelector('.start:not([aria-disabled=true])')`;
          await untilTrue(tab, start);
          await tab.evaluate(`${start}.click()`);
          await untilTrue(
            tab,
            `${element('clip-list')}.status === 'ready' && ${element('clip-list')}.clips.length > 0`,
          );
        });

        it('opens a clip in the editor', async () => {
          await tab.evaluate(`(() => {
          const embed = document.createElement('clip-embed');
          Object.assign(embed, { project: ${element('clip-list')}.clips[0].id, edit: true, loading: 'eager' });
          document.querySelector('#editor').append(embed);
        })()`);
          await untilTrue(tab, `${element('clip-embed')}.status === 'ready'`);
          await tab.evaluate(`${element('clip-embed')}.remove()`);
        });

        it('exports a clip, once, and gives the file an address of its own', async () => {
          await tab.evaluate(`${firstButton}.scrollIntoView()`);
          await tab.evaluate(`${firstButton}.start()`);
          await untilTrue(tab, `${firstButton}.status === 'ready'`);
          await tab.evaluate(`${firstButton}.shadowRoot.querySelector('.download').click()`);
          await untilTrue(tab, 'downloads.length > 0');
          const url = String(await tab.evaluate('downloads[0]'));
          assert.match(url, /\/host\/exports\/[^/]+\/download\?grant=/);
          const file = await fetch(url);
          assert.equal(file.headers.get('Content-Type'), 'video/mp4');
          assert.ok((await file.arrayBuffer()).byteLength > 1000);
          const exports = `${element('clip-list')}.clips.length`;
          assert.ok(Number(await tab.evaluate(exports)) > 0);
        });

        it('keeps the session out of the page', async () => {
          const kept = await tab.evaluate(`[
          document.documentElement.outerHTML, location.href,
          JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage }),
        ].join('')`);
          assert.doesNotMatch(String(kept), /eyJ/);
          assert.deepEqual(await tab.evaluate('errors'), []);
        });

        it('shows another person nothing of the first', async () => {
          await logIn(`bob-${kind}`);
          await tab.evaluate(`void dispatchEvent(new Event('clip-session-change'))`);
          await untilTrue(
            tab,
            `${element('clip-videos')}.status === 'ready' && !${element('clip-videos')}.videos.length`,
          );
          await logIn(`ann-${kind}`);
          await tab.evaluate(`void dispatchEvent(new Event('clip-session-change'))`);
          await untilTrue(tab, `${element('clip-videos')}.videos.length === 1`);
        });

        if (kind === 'PHP') {
          it('says to sign in when nobody is logged in, and goes on when somebody is', async () => {
            await logIn('');
            await tab.evaluate(`void dispatchEvent(new Event('clip-session-change'))`);
            await untilTrue(tab, `${element('clip-videos')}.status === 'signed-out'`);
            await logIn(`ann-${kind}`);
            await tab.evaluate(`void dispatchEvent(new Event('clip-session-change'))`);
            await untilTrue(tab, `${element('clip-videos')}.videos.length === 1`);
          });
        }
      },
    );
  }
});
