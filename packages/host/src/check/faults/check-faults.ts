import type { Output } from '../output.ts';
import type { CheckWorld } from '../world.ts';
import { FaultService } from './fault-service.ts';
import { runFaults, type FaultResult } from './run-faults.ts';
import { vectors } from './vectors.ts';

const lineOf = ({ vector, fault }: FaultResult): string =>
  fault === null ? `holds   ${vector.name}` : `BROKEN  ${vector.name}\n        ${fault}`;

/** Runs the vectors that need no kill of the host; returns the exit code. */
export async function checkFaults(
  world: CheckWorld,
  port: number,
  { out, error }: Output,
  json: boolean,
): Promise<0 | 1 | 2> {
  const suitable = vectors.filter(({ steps }) => steps.every(({ kill }) => !kill));
  let service: FaultService;
  try {
    service = await FaultService.open(port, suitable);
  } catch (cause) {
    error(`The service cannot listen on port ${port}: ${(cause as Error).message}\n`);
    return 2;
  }
  try {
    const { baseUrl, apiKey } = service;
    error(`A service that fails listens at ${baseUrl}\nIts key: ${apiKey}\n`);
    error(`Start your host with it. Waiting for ${world.options.endpoint} ...\n`);
    while ((await world.get('exports')).received.status !== 200) await world.pause(500);
    const results = await runFaults(suitable, world, service, (result) => {
      if (!json) out(`${lineOf(result)}\n`);
    });
    const broken = results.filter(({ fault }) => fault !== null).length;
    const summary = { held: results.length - broken, broken };
    out(
      json
        ? `${JSON.stringify({ ...summary, results: results.map(({ vector, fault }) => ({ name: vector.name, fault })) }, null, 2)}\n`
        : `\n${summary.held} held, ${broken} broken\n`,
    );
    return broken ? 1 : 0;
  } finally {
    await service.close();
  }
}
