import { createHash, timingSafeEqual } from 'node:crypto';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { Hono } from 'hono';

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

const hashText = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Streamable HTTP at `/mcp`, without sessions: each request has a server of its own. Only for who
 * has the token, and only by the names of this machine, so that no web page reaches it by a name
 * that points here.
 */
export function createHttpApp(token: string, create: () => McpServer): Hono {
  const app = new Hono();
  const wanted = hashText(`Bearer ${token}`);
  app.use(async (c, next) => {
    if (!loopback.has(new URL(c.req.url).hostname)) {
      return c.text('Use http://127.0.0.1: other names are refused.', 403);
    }
    if (!timingSafeEqual(hashText(c.req.header('Authorization') ?? ''), wanted)) {
      return c.text('Send the header Authorization: Bearer, with CLIP_MCP_TOKEN.', 401, {
        'WWW-Authenticate': 'Bearer',
      });
    }
    return next();
  });
  app.post('/mcp', async (c) => {
    const transport = new WebStandardStreamableHTTPServerTransport({});
    const server = create();
    await server.connect(transport);
    c.req.raw.signal.addEventListener('abort', () => void server.close());
    return transport.handleRequest(c.req.raw);
  });
  app.all('/mcp', (c) => c.text('Only POST: there are no sessions.', 405, { Allow: 'POST' }));
  app.notFound((c) => c.text('The server is at /mcp.', 404));
  return app;
}
