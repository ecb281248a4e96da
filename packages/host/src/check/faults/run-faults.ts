import type { Exchange } from '../exchange.ts';
import type { CheckWorld } from '../world.ts';
import type { FaultService } from './fault-service.ts';
import { runVector } from './run-vector.ts';
import type { Vector } from './vector.ts';

export interface FaultResult {
  readonly vector: Vector;
  /** What the host did wrong; null if nothing. */
  readonly fault: string | null;
}

/** Longer than any host waits for its service. */
const answerTimeoutMs = 120_000;

/**
 * Runs the vectors on a host that calls the service, all at the same time: some take two minutes.
 * `kill` kills the host when all its starts are at the service, and starts it again.
 */
export async function runFaults(
  vectors: readonly Vector[],
  world: CheckWorld,
  service: FaultService,
  report: (result: FaultResult) => void,
  kill?: (arrived: Promise<void>) => Promise<void>,
): Promise<FaultResult[]> {
  return Promise.all(
    vectors.map(async (vector) => {
      const clip = service.clipOf(vector);
      const fault = await runVector(vector, {
        start: (key, more): Promise<Exchange> =>
          world.post(
            'exports',
            { project_id: clip, ...more },
            { headers: { 'Idempotency-Key': key }, timeoutMs: answerTimeoutMs },
          ),
        ask: (key) => world.get('exports', { query: { attempt: key }, timeoutMs: answerTimeoutMs }),
        made: () => service.service.madeOf(clip),
        until: (milliseconds) =>
          world.pause(service.service.lastStartAt(clip) + milliseconds - Date.now()),
        ...(kill && { kill: () => kill(arrivalOf(clip, world, service)) }),
      });
      const result = { vector, fault };
      report(result);
      return result;
    }),
  );
}

async function arrivalOf(
  clip: string,
  world: CheckWorld,
  { service }: FaultService,
): Promise<void> {
  while (!service.startsOf(clip)) await world.pause(20);
}
