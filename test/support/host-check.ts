import { main } from '../../packages/host/src/check/main.ts';
import type { FakeService } from './fake-service.ts';

/**
 * `clip-host-check` with a start. The renders of the service end after the rules about held
 * requests.
 */
export async function runHostCheck(
  args: readonly string[],
  service: FakeService,
): Promise<{ readonly code: number; readonly text: string }> {
  let text = '';
  const code = await main([...args, '--start'], {
    out: (more) => {
      text += more;
      if (!text.includes('wait-leave:')) return;
      for (const { id, status } of service.world.exports.values()) {
        if (status === 'processing') service.world.finish(id);
      }
    },
    error: (more) => (text += more),
    colour: false,
  });
  return { code, text };
}
