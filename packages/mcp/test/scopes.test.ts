import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { listNeededScopes } from '../src/scopes.ts';
import { createServer } from '../src/server.ts';
import { Agent } from './support/agent.ts';

describe('the scopes of a call', () => {
  it('are clips:read alone for exactly the tools that change nothing', async () => {
    const server = createServer({
      ...{ serviceUrl: 'http://127.0.0.1:9/v2', apiKey: 'key', user: null, playerUrl: null },
      ...{
        editorUrl: null,
        mayExport: true,
        hasWebhooks: false,
        mayShare: true,
        downloads: null,
        http: null,
      },
    });
    const [own, other] = InMemoryTransport.createLinkedPair();
    await server.connect(own);
    const agent = await Agent.on(other);
    const isReading = (name: string): boolean =>
      listNeededScopes({ method: 'tools/call', params: { name } }).length === 1;
    const tools = await agent.tools();
    assert.ok(tools.includes('export_clip'));
    assert.deepEqual(tools.filter(isReading), await agent.readingTools());
    for (const name of ['create_share_link', 'revoke_share_link']) {
      const params = { name };
      assert.deepEqual(listNeededScopes({ method: 'tools/call', params }), [
        'clips:read',
        'clips:share',
      ]);
    }
    await agent.close();
  });
});
