import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { listNeededScopes, type Scope } from './scopes.ts';

/** Decides who may use the server. */
export interface Access {
  /** The address that clients use. */
  readonly url: URL;
  /** Says where people sign in; null where nobody does. */
  readonly metadata: object | null;
  /** Returns the id of the caller with this header, who may do all of it; or what refuses them. */
  admit(authorization: string, needed: readonly Scope[]): Promise<string | Response>;
}

const hashText = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Lets in all who have the token, on this machine. */
export function createTokenAccess(token: string): Access {
  const wanted = hashText(`Bearer ${token}`);
  const refuse = () =>
    new Response('Send the header Authorization: Bearer, with CLIP_MCP_TOKEN.', {
      status: 401,
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  return {
    url: new URL('http://localhost/mcp'),
    metadata: null,
    admit: async (sent) => (timingSafeEqual(hashText(sent), wanted) ? 'token' : refuse()),
  };
}

/** A client that has connected. What its person answers comes with another request. */
interface Session {
  readonly caller: string;
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  usedAt: number;
}

const idleMs = 60 * 60_000;
const maxSessionsOfCaller = 20;

/** Opens a session; ends those that wait too long, the first of `open` waiting longest. */
async function openSession(
  open: Map<string, Session>,
  caller: string,
  server: McpServer,
): Promise<Session> {
  const own = [...open.values()].filter((one) => one.caller === caller);
  const surplus = own.slice(0, Math.max(0, own.length + 1 - maxSessionsOfCaller));
  for (const one of open.values()) {
    if (surplus.includes(one) || one.usedAt < Date.now() - idleMs) await one.server.close();
  }
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => {
      open.set(id, session);
      server.server.onclose = () => open.delete(id);
    },
  });
  const session = { caller, server, transport, usedAt: Date.now() };
  await server.connect(transport);
  return session;
}

/** Returns the caller's session, which now waits shortest; undefined also for one of another. */
function findSession(open: Map<string, Session>, caller: string, id: string): Session | undefined {
  const session = open.get(id);
  if (session?.caller !== caller) return undefined;
  open.delete(id);
  open.set(id, Object.assign(session, { usedAt: Date.now() }));
  return session;
}

const limitBody = bodyLimit({
  maxSize: 1024 * 1024,
  onError: (c) => c.text('The request is too large.', 413),
});

const loopback = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Streamable HTTP. Only for whom `access` admits, and only by the names of the server, so that no
 * web page reaches it by a name that points here. `create`: a server for a caller.
 */
export function createHttpApp(
  { url, metadata, admit }: Access,
  create: (caller: string) => McpServer | Promise<McpServer>,
): Hono {
  const app = new Hono();
  const open = new Map<string, Session>();
  app.use(async (c, next) => {
    const { hostname } = new URL(c.req.url);
    const origin = c.req.header('Origin');
    const isOwn = [url.hostname, ...loopback].includes(hostname);
    if (isOwn && (!origin || URL.parse(origin)?.hostname === hostname)) return next();
    return c.text('Use the address of this server: other names and pages are refused.', 403);
  });
  for (const end of metadata ? ['', url.pathname] : []) {
    app.get(`/.well-known/oauth-protected-resource${end}`, (c) => c.json(metadata!));
  }
  app.all(url.pathname, limitBody, async (c) => {
    const parsedBody: unknown = await c.req.json().catch(() => null);
    const authorization = c.req.header('Authorization') ?? '';
    const caller = await admit(authorization, listNeededScopes(parsedBody));
    if (caller instanceof Response) return caller;
    if (!['POST', 'DELETE'].includes(c.req.method)) {
      return c.text('Only POST and DELETE.', 405, { Allow: 'POST, DELETE' });
    }
    const id = c.req.header('Mcp-Session-Id');
    if (id === undefined && !isInitializeRequest(parsedBody)) {
      return c.text('Send initialize first, then its Mcp-Session-Id.', 400);
    }
    const session =
      id === undefined
        ? await openSession(open, caller, await create(caller))
        : findSession(open, caller, id);
    if (!session) return c.text('There is no such session. Send initialize.', 404);
    return session.transport.handleRequest(c.req.raw, { parsedBody });
  });
  app.notFound((c) => c.text(`The server is at ${url.pathname}.`, 404));
  app.onError((error, c) => {
    console.error(error.message);
    return c.text('The service cannot be reached now. Try again later.', 503);
  });
  return app;
}
