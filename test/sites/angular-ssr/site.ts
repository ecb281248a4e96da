import assert from 'node:assert/strict';
import type { Site } from '../site.ts';

export default {
  title: 'Angular 22 with SSR',
  docs: ['start/angular'],
  build: ['ng', 'build'],
  client: ['dist/browser'],
  serve: { command: ['node', 'dist/server/server.mjs'] },
  rendered: 'hydrated',
  look: async (_, origin) => {
    const html = await (await fetch(`${origin}/clip`)).text();
    const tag = /<clip-export-button.*?>/.exec(html)?.[0];
    // Inputs as attributes, and what holds a press until the listeners are there too.
    assert.match(tag ?? html, / watermark="\{&quot;src_url&quot;:.*&quot;pos_x&quot;:0\.9\}"/);
    assert.match(tag ?? html, / hydrating="/);
  },
} satisfies Site;
