import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { SignJWT, UnsecuredJWT } from 'jose';
import { serve } from 'clip-testkit/serve';
import { createHttpApp } from '../src/http.ts';
import { openOAuth } from '../src/oauth.ts';
import { createServer } from '../src/server.ts';
import { SettingsError } from '../src/settings.ts';
import {
  startAuthorizationServer,
  type AuthorizationServer,
} from './support/authorization-server.ts';

const publicUrl = 'https://mcp.example.com/mcp';
const metadataUrl = 'https://mcp.example.com/.well-known/oauth-protected-resource/mcp';
const all = 'clips:read clips:change clips:export';

const settings = {
  ...{ serviceUrl: 'http://127.0.0.1:9/v2', apiKey: 'key', user: null, playerUrl: null },
  ...{
    editorUrl: null,
    mayExport: true,
    hasWebhooks: false,
    mayShare: false,
    downloads: null,
    http: null,
  },
};

const initialize = {
  ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
};

const makeCall = (name: string, input = {}) => ({
  ...{ jsonrpc: '2.0', id: 2, method: 'tools/call' },
  params: { name, arguments: input },
});

describe('a server for people who sign in', () => {
  let issuer: AuthorizationServer;
  let app: ReturnType<typeof createHttpApp>;
  const callers: string[] = [];

  const open = async (more: { userClaim?: string; issuer?: string } = {}, mayExport = true) => {
    const signIn = {
      publicUrl,
      issuer: issuer.issuer,
      userClaim: null,
      hostUrl: '',
      hostSecret: '',
    };
    return createHttpApp(
      await openOAuth({ ...signIn, ...more }, { mayExport, mayShare: false }),
      (caller) => {
        callers.push(caller);
        return createServer(settings);
      },
    );
  };

  before(async () => {
    issuer = await startAuthorizationServer(publicUrl);
    app = await open();
  });
  after(() => issuer?.close());

  const send = (
    token: string | null,
    body: unknown = initialize,
    headers: Record<string, string> = {},
    to = app,
  ) =>
    to.request('http://mcp.example.com/mcp', {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...(token !== null && { Authorization: `Bearer ${token}` }),
        ...headers,
      },
    });

  it('says where they do', async () => {
    const wanted = {
      resource: publicUrl,
      resource_name: 'Clips',
      authorization_servers: [issuer.issuer],
      scopes_supported: all.split(' '),
      bearer_methods_supported: ['header'],
    };
    for (const end of ['', '/mcp']) {
      const path = `/.well-known/oauth-protected-resource${end}`;
      assert.deepEqual(await (await app.request(`http://mcp.example.com${path}`)).json(), wanted);
    }
    const { status, headers } = await send(null);
    assert.equal(status, 401);
    assert.equal(
      headers.get('WWW-Authenticate'),
      `Bearer scope="${all}", resource_metadata="${metadataUrl}"`,
    );
  });

  it('takes a token of the issuer for this server', async () => {
    for (const typ of ['at+jwt', 'application/at+jwt', 'JWT', undefined]) {
      const response = await send(await issuer.sign({ sub: 'ann', scope: all }, { typ }));
      assert.equal(response.status, 200, await response.text());
      assert.ok(response.headers.get('Mcp-Session-Id'));
    }
  });

  it('refuses every other token, and says why', async () => {
    const other = await startAuthorizationServer(publicUrl);
    const ann = { sub: 'ann', scope: all };
    const now = Math.floor(Date.now() / 1000);
    const own = { iss: issuer.issuer, aud: publicUrl, exp: now + 60, ...ann };
    const shared = new SignJWT(own).setProtectedHeader({ alg: 'HS256' });
    const refused = {
      expired: await issuer.sign({ ...ann, exp: now - 1 }),
      'without an end': await issuer.sign({ ...ann, exp: undefined }),
      'not valid yet': await issuer.sign({ ...ann, nbf: now + 60 }),
      'for another server': await issuer.sign({ ...ann, aud: 'https://other.example.com/mcp' }),
      'for the whole site': await issuer.sign({ ...ann, aud: 'https://mcp.example.com/' }),
      'for nobody': await issuer.sign({ ...ann, aud: undefined }),
      'of nobody': await issuer.sign({ scope: all }),
      'of another issuer': await other.sign(ann),
      'of another issuer, as this one': await other.sign({ ...ann, iss: issuer.issuer }),
      'of another issuer with the same keys': await issuer.sign({ ...ann, iss: publicUrl }),
      'for a logout': await issuer.sign(ann, { typ: 'logout+jwt' }),
      'bound to a key': await issuer.sign({ ...ann, cnf: { jkt: 'x' } }),
      'with a shared secret': await shared.sign(new TextEncoder().encode('test'.repeat(8))),
      unsigned: new UnsecuredJWT(own).encode(),
      'not one': 'x',
    };
    await other.close();
    for (const [what, token] of Object.entries(refused)) {
      const { status, headers } = await send(token);
      assert.equal(status, 401, what);
      assert.match(
        headers.get('WWW-Authenticate')!,
        /error="invalid_token".*resource_metadata/,
        what,
      );
    }
    const [first = ''] = [(await send(refused.expired)).headers.get('WWW-Authenticate')!];
    assert.match(first, /error_description="The token was refused: 'exp' claim/);
  });

  it('asks for the scope that a call needs, beside those of the token', async () => {
    const reader = await issuer.sign({ sub: 'ann', scope: 'openid clips:read' });
    const maker = await issuer.sign({ sub: 'ann', scope: 'clips:read clips:change' });
    const refusedFor = async (token: string, body: unknown): Promise<string | undefined> => {
      const { status, headers } = await send(token, body);
      if (status !== 403) return undefined;
      const header = headers.get('WWW-Authenticate')!;
      assert.match(header, /, error="insufficient_scope", resource_metadata="/);
      return /^Bearer scope="([^"]*)"/.exec(header)![1];
    };
    assert.equal(await refusedFor(await issuer.sign({ sub: 'ann' }), initialize), 'clips:read');
    assert.equal(await refusedFor(reader, makeCall('list_clips')), undefined);
    const changing = 'clips:read clips:change';
    assert.equal(await refusedFor(reader, makeCall('change_edit')), changing);
    assert.equal(await refusedFor(reader, { ...makeCall('list_clips'), params: {} }), all);
    assert.equal(await refusedFor(reader, makeCall('a tool of tomorrow')), changing);
    assert.equal(await refusedFor(reader, [initialize, makeCall('change_edit')]), changing);
    assert.equal(await refusedFor(maker, makeCall('create_clips')), undefined);
    const counted = { export_when_ready: { count: 1 } };
    assert.equal(await refusedFor(maker, makeCall('create_clips', counted)), all);
    assert.equal(await refusedFor(maker, makeCall('export_clip')), all);
  });

  it('opens a session to the person alone who has started it', async () => {
    const ann = await issuer.sign({ sub: 'ann', scope: all });
    const bob = await issuer.sign({ sub: 'bob', scope: all });
    const id = (await send(ann)).headers.get('Mcp-Session-Id')!;
    const list = { jsonrpc: '2.0', id: 3, method: 'tools/list' };
    const session = { 'Mcp-Session-Id': id };
    assert.equal((await send(ann, list, session)).status, 200);
    assert.equal((await send(bob, list, session)).status, 404);
    assert.equal((await send(ann, list, { 'Mcp-Session-Id': 'x' })).status, 404);
    assert.equal((await send(ann, list)).status, 400);
    const another = await issuer.sign({ sub: 'ann', scope: 'clips:read' });
    assert.equal((await send(another, list, session)).status, 200);
    const end = { method: 'DELETE', headers: { ...session, Authorization: `Bearer ${ann}` } };
    assert.equal((await app.request('http://mcp.example.com/mcp', end)).status, 200);
    assert.equal((await send(ann, list, session)).status, 404);
  });

  it('ends the session of a person that waits longest, if there are too many', async () => {
    const carl = await issuer.sign({ sub: 'carl', scope: all });
    const list = { jsonrpc: '2.0', id: 3, method: 'tools/list' };
    const start = async () => (await send(carl)).headers.get('Mcp-Session-Id')!;
    const ask = async (id: string) => (await send(carl, list, { 'Mcp-Session-Id': id })).status;
    const [first, second] = [await start(), await start()];
    for (let count = 2; count < 20; count++) await start();
    assert.equal(await ask(first), 200);
    await start();
    assert.deepEqual([await ask(first), await ask(second)], [200, 404]);
  });

  it('ends a session that nobody has used for an hour, when another begins', async (t) => {
    const list = { jsonrpc: '2.0', id: 3, method: 'tools/list' };
    const signIn = (sub: string) => issuer.sign({ sub, scope: all });
    const start = async (sub: string) =>
      (await send(await signIn(sub))).headers.get('Mcp-Session-Id')!;
    const ask = async (sub: string, id: string) =>
      (await send(await signIn(sub), list, { 'Mcp-Session-Id': id })).status;
    const [ofDan, ofEve] = [await start('dan'), await start('eve')];
    const passMinutes = (minutes: number): void =>
      t.mock.timers.setTime(Date.now() + minutes * 60_000);
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
    passMinutes(40);
    assert.equal(await ask('eve', ofEve), 200);
    passMinutes(40);
    await start('fay');
    assert.deepEqual([await ask('dan', ofDan), await ask('eve', ofEve)], [404, 200]);
  });

  it('says to everyone how to sign in, and opens no stream of its own', async () => {
    const get = async (headers = {}) =>
      (await app.request('http://mcp.example.com/mcp', { headers })).status;
    assert.equal(await get(), 401);
    const token = await issuer.sign({ sub: 'ann', scope: all });
    assert.equal(await get({ Authorization: `Bearer ${token}` }), 405);
  });

  it('refuses a request that is too large', async () => {
    const token = await issuer.sign({ sub: 'ann', scope: all });
    const large = makeCall('change_edit', { text: 'x'.repeat(1024 * 1024) });
    assert.equal((await send(token, large)).status, 413);
  });

  it('knows a person by the issuer and its name, or by the claim that the site has', async () => {
    const bySite = await open({ userClaim: 'site_user' });
    const idOf = async (claims: object, to = app) => {
      callers.length = 0;
      const { status } = await send(
        await issuer.sign({ scope: all, ...claims }),
        initialize,
        {},
        to,
      );
      return status === 200 ? callers[0]! : status;
    };
    const ann = await idOf({ sub: 'ann' });
    assert.match(`${ann}`, /^mcp-[0-9a-f]{64}$/);
    assert.equal(await idOf({ sub: 'ann', site_user: '7' }), ann);
    assert.notEqual(await idOf({ sub: 'bob' }), ann);
    assert.equal(await idOf({ sub: 'ann', site_user: '7' }, bySite), '7');
    for (const site_user of [undefined, '', 7, ['7']]) {
      assert.equal(await idOf({ sub: 'ann', site_user }, bySite), 401);
    }
  });

  it('refuses pages of other sites, and other names', async () => {
    const token = await issuer.sign({ sub: 'ann', scope: all });
    for (const Origin of ['https://evil.example', 'http://localhost:3000', 'null']) {
      assert.equal((await send(token, initialize, { Origin })).status, 403, Origin);
    }
    const own = { Origin: 'https://mcp.example.com' };
    assert.equal((await send(token, initialize, own)).status, 200);
    for (const path of ['/mcp', '/.well-known/oauth-protected-resource/mcp']) {
      assert.equal((await app.request(`http://evil.example${path}`)).status, 403);
    }
  });

  it('admits nobody while the keys of the issuer cannot be read', async () => {
    const gone = await startAuthorizationServer(publicUrl);
    const away = await open({ issuer: gone.issuer });
    const token = await gone.sign({ sub: 'ann', scope: all });
    await gone.close();
    assert.equal((await send(token, initialize, {}, away)).status, 503);
  });

  it('does not start with an issuer that is not safe', async (t) => {
    let said: Record<string, unknown> = {};
    let path = '';
    const server = await serve((request, response) => {
      response.statusCode = request.url === path ? 200 : 404;
      response.end(JSON.stringify(said));
    });
    t.after(() => server.close());
    const named = `${server.origin}/realms/clips`;
    const good = {
      issuer: named,
      jwks_uri: 'https://login.example.com/keys',
      code_challenge_methods_supported: ['S256'],
      authorization_endpoint: 'https://login.example.com/auth',
      token_endpoint: 'https://login.example.com/token',
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    };
    const rejects = (pattern: RegExp) =>
      assert.rejects(open({ issuer: named }), (error: Error) => {
        assert.ok(error instanceof SettingsError);
        assert.match(error.message, pattern);
        return true;
      });
    await rejects(/cannot be read from here/);
    for (path of [
      '/.well-known/oauth-authorization-server/realms/clips',
      '/realms/clips/.well-known/openid-configuration',
    ]) {
      said = good;
      assert.ok(await open({ issuer: named }));
      said = { ...good, code_challenge_methods_supported: ['plain'] };
      await rejects(/must contain "S256"/);
      said = { ...good, code_challenge_methods_supported: undefined };
      await rejects(/code_challenge_methods_supported/);
      said = { ...good, issuer: 'https://login.example.com' };
      await rejects(/does not fit: issuer: /);
      said = { ...good, jwks_uri: 'http://login.example.com/keys' };
      await rejects(/jwks_uri: must be an https URL/);
    }
  });
});
