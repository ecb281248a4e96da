import { type ViewBatch, viewsRequestSchema } from 'clip-kit/contract';
import { computeHmac } from '../http/hmac.ts';
import { answerHeaders, HostProblem, parseOrRefuse } from '../http/host-problem.ts';
import { emptyQuerySchema, parseJson, readQuery, readText } from '../http/json-body.ts';

/** Largest body: far more than a page sends at once. */
const maxViewsBytes = 16 * 1024;

interface ViewsOptions {
  /** Receives each batch; omitted: this host takes none. */
  readonly onViews: ((batch: ViewBatch) => void | Promise<void>) | undefined;
  /** Processes that have the same secret know a visitor by the same hash. */
  readonly secret: string;
  readonly now: () => number;
  /** Counts a request of a visitor. Throws 429 for too many. */
  readonly take: (visitor: string) => void;
}

/**
 * Creates the route that accepts the views of visitors, who need not be signed in: `POST
 * {basePath}/views`. Its requests come from pages that may call the host; the visitor's address is
 * null if the runtime does not say it.
 */
export function createViewsRoute({ onViews, secret, now, take }: ViewsOptions) {
  return async (request: Request, address: string | null): Promise<Response> => {
    if (request.method !== 'POST') {
      throw new HostProblem('method-not-allowed', { headers: { Allow: 'POST' } });
    }
    if (!onViews) {
      throw new HostProblem('not-supported', {
        detail: 'This host does not accept views: set onViews.',
      });
    }
    const visitor = address && (await hashVisitor(secret, now(), address));
    take(visitor ?? '');
    // As plain text too: a beacon cannot ask another origin before.
    readQuery(new URL(request.url), emptyQuerySchema);
    const body = parseJson(await readText(request, maxViewsBytes));
    const { views } = parseOrRefuse(viewsRequestSchema, body);
    await onViews({ visitor, views });
    return new Response(null, { status: 204, headers: answerHeaders });
  };
}

/** Returns a visitor of today: tomorrow the same address has another hash. */
async function hashVisitor(secret: string, nowMs: number, address: string): Promise<string> {
  const day = new Date(nowMs).toISOString().slice(0, 10);
  const key = await computeHmac(secret, `clip-host visitors ${day}`);
  const hash = await computeHmac(key, getNetwork(address));
  return [...hash.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns the network of one subscriber: an IPv4 address, or the first half of an IPv6 address. */
export function getNetwork(address: string): string {
  const ipv4 = /(?:^|:)(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  if (ipv4 || !address.includes(':')) return ipv4 ?? address;
  const [left = [], right = []] = address
    .replace(/%.*/, '')
    .split('::')
    .map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  const groups = [...left, ...zeros, ...right].slice(0, 4);
  return groups.map((group) => parseInt(group, 16).toString(16)).join(':');
}
