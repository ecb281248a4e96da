import { isObject, jsonOf, type Exchange } from '../exchange.ts';
import type { Outcome, Step, Vector } from './vector.ts';

/** The host under test, as a page of one user sees it. */
export interface FaultWorld {
  /** `POST /exports` of the vector's clip with this key. */
  start(key: string, body: Readonly<Record<string, unknown>>): Promise<Exchange>;
  /** `GET /exports?attempt=KEY` */
  ask(key: string): Promise<Exchange>;
  /** How many exports of the clip the service has made. */
  made(): number;
  /** Resolves at this time since the last start reached the service. */
  until(milliseconds: number): Promise<void>;
  /** Kills the host as soon as the service has received the start, and starts it again. */
  readonly kill?: () => Promise<void>;
}

/** What a host answered; a text for an answer that is not one of the outcomes. */
function outcomeOf(exchange: Exchange, key: string): Outcome | string {
  const { status, headers } = exchange.received;
  const body = jsonOf(exchange);
  if (Array.isArray(body)) {
    if (status === 202 && !body.length) return 'in-flight';
    if (status !== 200) return `${status} with a list`;
    if (body.length) return body.length === 1 ? 'export' : `${body.length} exports`;
    return headers['idempotency-key'] === key ? 'nothing' : 'no-promise';
  }
  const object = isObject(body) ? body : {};
  if (status === 200 || status === 201)
    return 'id' in object ? 'export' : `${status} without an export`;
  if (status >= 400 && status < 500) return 'refused';
  if (status >= 500) return object['unknown_outcome'] === true ? 'unknown' : 'failed';
  return status ? `${status}` : `no answer (${exchange.received.failure})`;
}

function idOf(exchange: Exchange): unknown {
  const body = [jsonOf(exchange)].flat()[0];
  return isObject(body) ? body['id'] : undefined;
}

/** A watermark that no service needs to fetch. */
const watermark = { src_url: 'https://example.com/watermark.png' };

async function sendStep(step: Step, world: FaultWorld, key: string): Promise<Exchange[]> {
  if (step.atMs !== undefined) await world.until(step.atMs);
  const send = () =>
    step.do === 'ask' ? world.ask(key) : world.start(key, step.watermark ? { watermark } : {});
  if (!step.kill) return Promise.all(Array.from({ length: step.times ?? 1 }, send));
  // Nobody gets the answer of a host that is killed.
  void send();
  await world.kill!();
  return [];
}

/** Runs a vector; returns what the host did wrong, or null. */
export async function runVector(vector: Vector, world: FaultWorld): Promise<string | null> {
  const keys = { a: `fault-a-${crypto.randomUUID()}`, b: `fault-b-${crypto.randomUUID()}` };
  const ids = new Map<string, unknown>();
  for (const [number, step] of vector.steps.entries()) {
    const key = keys[step.key];
    const where = `step ${number + 1} (${step.do} ${step.key})`;
    for (const exchange of await sendStep(step, world, key)) {
      const outcome = outcomeOf(exchange, key);
      if (step.expect && !(step.expect as readonly string[]).includes(outcome)) {
        return `${where}: expected ${step.expect.join(' or ')}, got ${outcome}`;
      }
      if (outcome !== 'export') continue;
      const known = ids.get(key) ?? idOf(exchange);
      ids.set(key, known);
      if (idOf(exchange) !== known) return `${where}: another export than before`;
    }
  }
  const made = world.made();
  return made === vector.exports
    ? null
    : `${made} exports were paid for instead of ${vector.exports}`;
}
