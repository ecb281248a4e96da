#!/usr/bin/env node
import { serve } from '@hono/node-server';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createHttpApp, createTokenAccess } from './http.ts';
import { openOAuth } from './oauth.ts';
import { findManagedUser } from './people.ts';
import { createServer } from './server.ts';
import { readSettings, SettingsError, usage, type Settings } from './settings.ts';

async function listen(settings: Settings, http: NonNullable<Settings['http']>): Promise<void> {
  const { access, address: hostname, port } = http;
  const app =
    typeof access === 'string'
      ? createHttpApp(createTokenAccess(access), () => createServer(settings))
      : createHttpApp(await openOAuth(access, settings), async (person) =>
          createServer({ ...settings, user: await findManagedUser(access, person) }),
        );
  const server = serve({ fetch: app.fetch, port, hostname }, ({ port: open }) => {
    const of = typeof access === 'string' ? '/mcp' : ` for ${access.publicUrl}`;
    console.error(`clip-mcp listens on http://${hostname}:${open}${of}`);
  });
  server.on('error', (error) => {
    console.error(`Port ${port} cannot be used: ${error.message}`);
    process.exit(1);
  });
}

if (process.argv.includes('--help')) {
  console.log(usage);
  process.exit(0);
}
try {
  const settings = readSettings(process.argv.slice(2), process.env);
  if (settings.http) await listen(settings, settings.http);
  else await createServer(settings).connect(new StdioServerTransport());
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  console.error(error.message);
  process.exit(1);
}
