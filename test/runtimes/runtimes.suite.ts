/**
 * The built host in each runtime, tested over HTTP: the same requests, the same answers. `npm run
 * test:runtimes` runs this.
 */
import { it } from 'node:test';
import { describeConformance } from '../support/conformance.ts';
import { FakeService } from '../support/fake-service.ts';
import { assertPassesFileOn } from '../support/passed-file.ts';
import { runtimes, startRuntime } from './start-runtime.ts';

const directory = process.env['RUNTIMES_DIRECTORY'];
if (!directory) throw new Error('Run this by: npm run test:runtimes');

for (const runtime of runtimes) {
  // workerd does not report a client that disconnects: its slot is free when its hold is over,
  // after 25 seconds.
  const seesLeaving = !runtime.startsWith('workerd');
  describeConformance(runtime, (env) => startRuntime(runtime, directory, env), seesLeaving);
  it(`${runtime} passes a file on as it comes, until the client leaves`, async (t) => {
    const service = await FakeService.open();
    t.after(() => service.close());
    const host = await startRuntime(runtime, directory, {
      CLIP_API_URL: service.baseUrl,
      CLIP_API_KEY: service.apiKey,
    });
    t.after(() => host.stop());
    await assertPassesFileOn(host.url, service);
  });
}
