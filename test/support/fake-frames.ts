import type { IncomingMessage, ServerResponse } from 'node:http';

const gif = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');
const posters = new Map<string, number>();

/**
 * `/strict-policy`, `/framing-policy`, `/placeholder` (a page without the elements' script), and
 * pages that replace `{app_url}/embed/{id}` and `{player_url}/player/{id}` below `/frames`. Each of
 * them reports to its parent page the URL that it was opened with, and every change of its
 * fragment. Below `/frames/hang` nothing ever answers, `/frames/missing` does not exist,
 * `/frames/refused` may not be framed, and `/frames/handshakeData` also posts `clip-ready`,
 * `/frames/wide` with a size, `/frames/slow` before an image that never comes, so that its `load`
 * does not either. Each posts what it is sent as `say`, and leaves for the address that it is sent
 * as `go`. Pages below `/frames/media` do so too, and speak player.js (`media-page.js`).
 * `/frames/poster/{times}/{name}` is an image that is missing for the first requests.
 */
export function answerFrame(request: IncomingMessage, response: ServerResponse): boolean {
  const { pathname } = new URL(request.url ?? '/', 'http://frames');
  if (pathname === '/strict-policy') {
    response.writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-src 'self'; require-trusted-types-for 'script'; trusted-types lit-html",
    });
    response.end(
      '<!doctype html><html lang="en"><title>Strict</title><body><script type="module" src="/test/support/csp-page.ts"></script></body></html>',
    );
    return true;
  }
  if (pathname === '/framing-policy') {
    response.writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': "frame-src 'self'",
    });
    response.end(
      '<!doctype html><html lang="en"><title>Framing</title><body><script type="module" src="/test/support/framing-page.ts"></script></body></html>',
    );
    return true;
  }
  if (pathname === '/placeholder') {
    const styled = request.url?.includes('styled');
    const link = '<link rel="stylesheet" href="/src/elements/placeholder.css">';
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    response.end(
      `<!doctype html><html lang="en"><title>Placeholder</title>${styled ? link : ''}<body><script type="module" src="/test/support/placeholder-page.ts"></script></body></html>`,
    );
    return true;
  }
  if (!pathname.startsWith('/frames/')) return false;
  if (pathname.startsWith('/frames/hang/')) return true;
  const poster = /^\/frames\/poster\/(\d+)\//.exec(pathname);
  if (poster) {
    const before = posters.get(pathname) ?? 0;
    posters.set(pathname, before + 1);
    if (before < Number(poster[1])) response.writeHead(404).end();
    else response.writeHead(200, { 'Content-Type': 'image/gif' }).end(gif);
    return true;
  }
  response.writeHead(pathname.startsWith('/frames/missing/') ? 404 : 200, {
    'Content-Type': 'text/html; charset=utf-8',
    ...(pathname.startsWith('/frames/refused/') && { 'X-Frame-Options': 'DENY' }),
  });
  const handshakeData = /^\/frames\/(handshakeData|media|slow)\//.test(pathname)
    ? "parent.postMessage({ type: 'clip-ready' }, '*');"
    : pathname.startsWith('/frames/wide/')
      ? "parent.postMessage({ type: 'clip-ready', width: 400, height: 300 }, '*');"
      : '';
  const player = pathname.startsWith('/frames/media/')
    ? '<script src="/node_modules/player.js/dist/player-0.1.0.js"></script><script src="/test/support/media-page.js"></script>'
    : '';
  const image = pathname.startsWith('/frames/slow/') ? '<img src="/frames/hang/a.png" alt="">' : '';
  response.end(`<!doctype html><html lang="en"><title>Clip</title><link rel="icon" href="data:,"><body><h1>Clip</h1>${image}${player}<script>
const load = Math.random();
const tell = (type) => parent.postMessage({ frame: type, href: location.href, referrer: document.referrer, load, length: history.length, features: document.featurePolicy?.allowedFeatures() ?? null }, '*');
addEventListener('hashchange', () => tell('hashchange'));
addEventListener('message', ({ data }) => {
  if (data?.say) parent.postMessage(data.say, '*');
  if (data?.go) location.href = data.go;
});
tell('load');${handshakeData}
</script></body></html>`);
  return true;
}
