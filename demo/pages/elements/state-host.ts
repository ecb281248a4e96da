import { Hono } from 'hono';
import {
  problemStatuses,
  problemTitles,
  type Export,
  type ProblemCode,
  type Project,
  type Task,
} from 'clip-kit/contract';

function answerProblem(code: ProblemCode, more: object = {}): Response {
  const status = problemStatuses[code];
  const body = { type: 'about:blank', title: problemTitles[code], status, code, ...more };
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store' },
  });
}

/** Never answers; ends when the element gives up. */
const holdRequest = (signal: AbortSignal): Promise<Response> =>
  new Promise((resolve) => {
    const leave = () => resolve(new Response(null, { status: 503 }));
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave);
  });

const minuteMs = 60_000;

/** An Export Object in the state of its id: `processing`, `ready` or `error`. */
const exportIn = (status: Export['status'], project: string, now: number): Export => ({
  id: status,
  status,
  src_url: status === 'ready' ? '/sample/sample.mp4' : null,
  estimated_ready_at: new Date(now + minuteMs).toISOString(),
  project_id: project,
  created_at: new Date(now - 0.6 * minuteMs).toISOString(),
  finished_at: status === 'processing' ? null : new Date(now).toISOString(),
  name: 'The half-hour rule',
  author_id: 'states',
  folder_id: null,
  descriptions: null,
  watermarked: false,
});

const isStatus = (text: string): text is Export['status'] =>
  ['processing', 'ready', 'error'].includes(text);

/** A task that never ends. */
const task: Task = {
  name: 'Four small ideas',
  source_seconds: 130,
  id: 'state',
  type: 'video-to-shorts',
  status: 'processing',
  created_at: new Date(0).toISOString(),
  output_type: 'folder',
  output_id: 'state',
  progress: { stage: 'scan', share: 0.4, seconds_left: 90 },
};

const makeTask = (name: string): Task =>
  name === 'many' ? { ...task, status: 'ready', progress: null, clip_count: 40 } : task;

/** Titles that a line, a card or a phone cannot hold. */
const longTitles = [
  'Warum Aufmerksamkeitsspannen in Geschwindigkeitsbegrenzungsverhandlungen kürzer werden',
  '朝の三十分を取り戻すために、通知をすべて切ってから起きる人たちが最初にしていること',
  'Everything that a good half-hour rule changes about the way you read, rest and remember',
];

/** Forty clips with long titles, from those of the sample. */
const makeManyClips = (made: readonly Project[]): Project[] =>
  Array.from({ length: made.length && 40 }, (_, index) => ({
    ...made[index % made.length]!,
    id: `many-${index}`,
    name: longTitles[index % longTitles.length]!,
  }));

/**
 * A host that puts an element into one of its states and keeps it there, for the pages that show
 * them: `/:case` is the element's `endpoint`.
 * @param readClips reads the clips of the sample
 */
export function createStateHost(
  readClips: () => Promise<readonly Project[]>,
  now: () => number = Date.now,
): Hono {
  const app = new Hono();
  app.post('/:case/token', (c) => {
    switch (c.req.param('case')) {
      case 'hold':
        return holdRequest(c.req.raw.signal);
      case 'unauthenticated':
        return answerProblem('unauthenticated');
      default:
        return c.json({ external_access_token: 'shown-in-a-state-page', expires_at: null });
    }
  });
  app.post('/:case/exports', (c) => {
    switch (c.req.param('case')) {
      case 'hold':
        return holdRequest(c.req.raw.signal);
      case 'limit':
        return answerProblem('export-limit');
      case 'unknown':
        return answerProblem('service-unavailable');
      case 'unresolved':
        return answerProblem('outcome-unknown', { started_at: new Date(now()).toISOString() });
      default:
        return answerProblem('clip-not-found');
    }
  });
  app.get('/:case/exports', async (c) => {
    if (c.req.param('case') === 'hold') return holdRequest(c.req.raw.signal);
    const ids = (c.req.queries('id') ?? []).filter(isStatus);
    return c.json(ids.map((id) => exportIn(id, 'state', now())));
  });
  app.get('/:case/exports/:id', (c) => {
    const id = c.req.param('id');
    return isStatus(id)
      ? c.json(exportIn(id, c.req.query('project_id') ?? 'state', now()))
      : answerProblem('export-not-found');
  });
  app.get('/:case/projects', (c) => {
    switch (c.req.param('case')) {
      case 'hold':
        return holdRequest(c.req.raw.signal);
      case 'unauthenticated':
        return answerProblem('unauthenticated');
      case 'empty':
        return c.json([]);
      default:
        return readClips().then(
          (made) => c.json(c.req.param('case') === 'many' ? makeManyClips(made) : made),
          () => answerProblem('service-error'),
        );
    }
  });
  app.get('/:case/tasks', (c) => {
    switch (c.req.param('case')) {
      case 'hold':
        return holdRequest(c.req.raw.signal);
      case 'unauthenticated':
        return answerProblem('unauthenticated');
      case 'unknown':
        return answerProblem('service-unavailable');
      case 'empty':
      case 'limit':
        return c.json([]);
      default:
        return c.json([makeTask(c.req.param('case'))]);
    }
  });
  app.post('/:case/tasks/:type?', () => answerProblem('export-limit'));
  app.get('/:case/tasks/:id', (c) => c.json(makeTask(c.req.param('case'))));
  return app;
}

/**
 * Answers the page's own requests below `/states/` in the page: the errors among them would
 * otherwise be failed requests in its console.
 */
export function answerInPage(host: Hono): void {
  const fetchFromNetwork = globalThis.fetch;
  const states = new Hono().route('/states', host);
  globalThis.fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, location.href);
    if (!pathname.startsWith('/states/')) return fetchFromNetwork(input, init);
    const request = new Request(input, init);
    const answer = await states.fetch(request);
    request.signal.throwIfAborted();
    return answer;
  };
}
