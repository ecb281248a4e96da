import { isObject, jsonOf, type Exchange } from '../http.ts';
import type { ListFault, StartFault } from './late-service.ts';
import read from './vectors.json' with { type: 'json' };

/** What a host may answer to a step. */
type Outcome =
  /** 200 or 201 with the export, or 200 with a list of only that export. */
  | 'export'
  /** A 5xx with `unknown_outcome: true`. */
  | 'unknown'
  /** 202 and `[]`. */
  | 'in-flight'
  /** 200 and `[]`, with the promise that nothing was started. */
  | 'nothing'
  /** 200 and `[]`, without that promise. */
  | 'no-promise'
  /** A 4xx. */
  | 'refused'
  /** A 5xx of a question. */
  | 'failed';

/** A request of a page. */
interface Step {
  /** `start`: `POST /exports`. `ask`: `GET /exports?attempt=`. */
  readonly do: 'start' | 'ask';
  /** Stands for an attempt key. */
  readonly key: 'a' | 'b';
  /** When it is sent: milliseconds after the last start reached the service; at once if omitted. */
  readonly atMs?: number;
  /** Whether the start asks for a watermark. */
  readonly watermark?: boolean;
  /** How often it is sent at the same time. */
  readonly times?: number;
  /** The host is killed when the start is at the service, and started again. */
  readonly kill?: boolean;
  readonly expect?: readonly Outcome[];
}

/** A service that fails in a certain way, and what a host must make of it. */
export interface Vector extends ListFault {
  readonly name: string;
  /** What becomes of the starts that reach the service, in their order. Later ones work. */
  readonly starts: readonly StartFault[];
  readonly steps: readonly Step[];
  /** How many exports the service has of the clip at the end. */
  readonly exports: number;
}

/** The fault vectors: `docs/decisions/0020` says why each ends as it does. */
export const vectors = read as readonly Vector[];

/** The host under test, as a page of one user sees it. */
interface FaultWorld {
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
function outcomeOf(exchange: Exchange, key: string): string {
  const { status, headers, failure } = exchange.received;
  const body = jsonOf(exchange);
  if (Array.isArray(body)) {
    if (status === 202 && !body.length) return 'in-flight';
    if (status !== 200) return `${status} with a list`;
    if (body.length) return body.length === 1 ? 'export' : `${body.length} exports`;
    return headers['idempotency-key'] === key ? 'nothing' : 'no-promise';
  }
  const object = isObject(body) ? body : {};
  if (status === 200 || status === 201) return 'id' in object ? 'export' : `${status} without one`;
  if (status >= 500) return object['unknown_outcome'] === true ? 'unknown' : 'failed';
  if (status >= 400) return 'refused';
  return status ? `${status}` : `no answer (${failure})`;
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
      const [found] = [jsonOf(exchange)].flat() as { readonly id?: unknown }[];
      if (ids.has(key) && ids.get(key) !== found!.id) return `${where}: another export than before`;
      ids.set(key, found!.id);
    }
  }
  const made = world.made();
  const wanted = vector.exports;
  return made === wanted ? null : `${made} exports were paid for instead of ${wanted}`;
}
