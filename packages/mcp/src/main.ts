#!/usr/bin/env node
import { serve } from '@hono/node-server';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createHttpApp } from './http.ts';
import { createServer } from './server.ts';
import { readSettings, SettingsError, usage, type Settings } from './settings.ts';

function readSettingsOrExit(): Settings {
  if (process.argv.includes('--help')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return readSettings(process.argv.slice(2), process.env);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}

const settings = readSettingsOrExit();
if (settings.http) {
  const app = createHttpApp(settings.http.token, () => createServer(settings));
  const { port } = settings.http;
  const server = serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, ({ port: open }) => {
    console.error(`clip-mcp listens on http://127.0.0.1:${open}/mcp`);
  });
  server.on('error', (error) => {
    console.error(`Port ${port} cannot be used: ${error.message}`);
    process.exit(1);
  });
} else {
  await createServer(settings).connect(new StdioServerTransport());
}
