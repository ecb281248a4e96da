import type { ServerResponse } from 'node:http';
import type { Export } from '../../src/contract/export.ts';
import type { Behaviour } from './page-behaviour.ts';
import { sessionOf } from 'clip-testkit/site-session';

/** What a host was sent. */
export interface SentRequest {
  method: string;
  path: string;
  query: string;
  key: string | null;
  prefer: string | null;
  account: string | null;
  cacheControl: string | null;
  session: string | null;
  cookie: boolean;
  body: Record<string, unknown> | undefined;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const htmlOf = (status: number, text: string): Response =>
  new Response(`<!doctype html><h1>${text}</h1>`, {
    status,
    headers: { 'Content-Type': 'text/html' },
  });

/** Nobody gets this answer: the connection is closed. */
function dropped(response: ServerResponse): Response {
  response.destroy();
  return new Response();
}

/** The same answer with another body. */
async function changed<T>(answer: Response, change: (body: T) => unknown): Promise<Response> {
  if (!answer.ok) return answer;
  return Response.json(change((await answer.json()) as T), answer);
}

/**
 * What lies between a page and its host: it delays, drops and refuses, and makes of this host one
 * that others wrote.
 */
export class PageFaults {
  readonly sent: SentRequest[] = [];
  /** Requests that are still being answered. */
  open = 0;
  readonly #behaviour: Behaviour;

  constructor(behaviour: Behaviour) {
    this.#behaviour = behaviour;
  }

  /** `path`: below the host's mount. `host`: gives the answer. */
  async carry(
    request: Request,
    path: string,
    response: ServerResponse,
    host: (request: Request) => Promise<Response>,
  ): Promise<Response> {
    await this.#note(request, path, response);
    const behaviour = this.#behaviour;
    const { method } = request;
    const refused = this.#refused(request, path);
    if (refused) return refused;
    if (path === '/token') {
      await this.#delay('tokenDelay', response);
      if (this.#counts('failTokens')) return htmlOf(503, 'Service Unavailable');
    }
    const isStart = method === 'POST' && /^\/exports$|\/words$/.test(path);
    if (isStart && behaviour.start === 'drop') return dropped(response);
    if (isStart && behaviour.start === 'hang') return new Promise(() => {});
    await this.#endSession(request);
    if (!behaviour.holds) request.headers.delete('Prefer');
    const answer = await this.#asOtherHost(request, path, host);
    if (isStart) {
      await this.#delay('startDelay', response);
      if (behaviour.start === 'act-then-drop') return dropped(response);
      if (behaviour.start === 'act-then-fail') return htmlOf(502, 'Bad Gateway');
    }
    const isOpening = method === 'POST' && path === '/uploads' && answer.ok;
    return isOpening && behaviour.losesOpens ? dropped(response) : answer;
  }

  async #note(request: Request, path: string, response: ServerResponse): Promise<void> {
    const { method, headers } = request;
    // Beacons are plain text.
    const isJson = /^(application\/json|text\/plain)/.test(headers.get('Content-Type') ?? '');
    const text = isJson ? await request.clone().text() : '';
    this.sent.push({
      method,
      path,
      query: new URL(request.url).search,
      key: headers.get('Idempotency-Key'),
      prefer: headers.get('Prefer'),
      account: headers.get('Clip-Account'),
      cacheControl: headers.get('Cache-Control'),
      session: headers.get('Authorization'),
      cookie: headers.has('Cookie'),
      body: text ? (JSON.parse(text) as Record<string, unknown>) : undefined,
    });
    this.open++;
    response.on('close', () => this.open--);
  }

  #refused({ method, headers }: Request, path: string): Response | null {
    const { elsewhere, csrf, start, refuseDelete, retryAfter } = this.#behaviour;
    if (elsewhere) return htmlOf(404, 'Not Found');
    const isRead = method === 'GET' || method === 'HEAD';
    if (!isRead && csrf !== null && headers.get('X-CSRF-Token') !== csrf) {
      return Response.json({ code: 'csrf_failed', title: 'Refused' }, { status: 403 });
    }
    if (method === 'DELETE' && refuseDelete) return Response.json({}, { status: refuseDelete });
    const isDown =
      (method === 'POST' && path === '/exports' && start === 'down') ||
      (isRead && path === '/exports' && this.#counts('failPolls')) ||
      (isRead && path.startsWith('/projects') && this.#counts('failLists'));
    if (!isDown) return null;
    const answer = htmlOf(503, 'Service Unavailable');
    if (retryAfter) answer.headers.set('Retry-After', String(retryAfter));
    return answer;
  }

  #counts(name: 'failTokens' | 'failPolls' | 'failLists'): boolean {
    return this.#behaviour[name] > 0 && this.#behaviour[name]-- > 0;
  }

  /** Until the time is over that is set at the moment, or the page has left. */
  async #delay(name: 'tokenDelay' | 'startDelay', response: ServerResponse): Promise<void> {
    const began = Date.now();
    while (!response.destroyed && Date.now() < began + this.#behaviour[name]) await pause(5);
  }

  /** The session that a request carries, as it is when it has ended or has a wrong signature. */
  async #endSession({ headers }: Request): Promise<void> {
    const { session } = this.#behaviour;
    if (!session?.expired || !headers.has('Authorization')) return;
    session.expired--;
    headers.set('Authorization', `Bearer ${await sessionOf('ann', { endedMs: 3_600_000 })}`);
  }

  async #asOtherHost(
    request: Request,
    path: string,
    host: (request: Request) => Promise<Response>,
  ): Promise<Response> {
    const { hidesRunning, brokenClips } = this.#behaviour;
    const answer = await host(request);
    if (hidesRunning && path === '/exports' && request.method === 'GET') {
      return changed<Export[]>(answer, (all) => all.filter((one) => one.status !== 'processing'));
    }
    if (brokenClips && path === '/projects') {
      return changed<object[]>(answer, (all) => [
        ...Array.from({ length: brokenClips }, () => ({})),
        ...all,
      ]);
    }
    return answer;
  }
}
