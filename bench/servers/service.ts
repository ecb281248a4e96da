/** The whole service, as `npm run service` starts it: API and worker in one process. */
import { logLines } from '../../packages/service/src/operations/log-lines.ts';
import { startService } from '../../packages/service/src/service.ts';
import { serve } from './child.ts';

await serve<{ dataDir: string; apiKey?: string }>(async (settings) => {
  const service = await startService({
    port: 0,
    host: '127.0.0.1',
    allowPrivateSources: true,
    log: logLines('info'),
    ...settings,
  });
  return {
    url: `http://127.0.0.1:${service.port}`,
    facts: { apiKey: service.apiKey ?? '' },
    close: () => service.close(),
  };
});
