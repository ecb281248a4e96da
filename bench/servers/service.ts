/**
 * The whole service, as `npm run service` starts it: API and worker in one process, the database
 * embedded.
 */
import { startService } from '../../service/src/service.ts';
import { serve } from './child.ts';

await serve<{ dataDir: string }>(async ({ dataDir }) => {
  const service = await startService({
    port: 0,
    host: '127.0.0.1',
    dataDir,
    allowPrivateSources: true,
  });
  return {
    url: `http://127.0.0.1:${service.port}`,
    facts: { apiKey: service.apiKey ?? '', pid: String(process.pid) },
    close: () => service.close(),
  };
});
