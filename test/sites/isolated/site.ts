import type { Site } from '../site.ts';
import strict from '../strict-csp/site.ts';

export default {
  ...strict,
  title: 'Strict CSP and Cross-Origin-Embedder-Policy',
  serve: { command: ['node', '--import', './isolate.js', 'server.js'] },
  look: async (page, origin) => {
    await page.goto(origin);
    if (!(await page.evaluate(() => crossOriginIsolated))) throw new Error('not isolated');
  },
} satisfies Site;
