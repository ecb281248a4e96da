import type { Handler, HttpHost } from '../../../../test/support/http-host.ts';
import { HttpHost as Hosts } from '../../../../test/support/http-host.ts';

/** Runs in front of the correct host and breaks one rule. */
export type Breaker = (request: Request, host: Handler, world: HttpHost) => Promise<Response>;

interface RequestEdit {
  readonly url?: (url: URL) => void;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: string;
  readonly method?: string;
}

async function edited(request: Request, edit: RequestEdit): Promise<Request> {
  const url = new URL(request.url);
  edit.url?.(url);
  const headers = new Headers(request.headers);
  for (const [name, value] of Object.entries(edit.headers ?? {})) {
    if (value === null) headers.delete(name);
    else headers.set(name, value);
  }
  const method = edit.method ?? request.method;
  const text = edit.body ?? (await request.text());
  const body = method === 'GET' || !text ? {} : { body: text };
  return new Request(url, { method, headers, signal: request.signal, ...body });
}

const json = (
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(JSON.stringify(value), {
    status,
    headers: {
      'Content-Type': status < 400 ? 'application/json' : 'application/problem+json',
      'Cache-Control': 'no-store',
      ...headers,
    },
  });

const problem = (status: number, code: string): Response =>
  json({ type: 'about:blank', title: code, status, code }, status);

/** The correct answer with changed JSON. */
const changed = async (
  answer: Response,
  change: (value: Record<string, unknown>) => unknown,
): Promise<Response> =>
  json(change((await answer.json()) as Record<string, unknown>), answer.status);

function withHeader(answer: Response, name: string, value: string): Response {
  const headers = new Headers(answer.headers);
  headers.set(name, value);
  return new Response(answer.body, { status: answer.status, headers });
}

const pathOf = (request: Request): string => new URL(request.url).pathname.replace('/clips/', '');
const query = (request: Request): URLSearchParams => new URL(request.url).searchParams;
const session = (user: string): { Cookie: string } => ({ Cookie: `session=s-${user}-x` });
const isFrom = (request: Request, cookie: string): boolean =>
  request.headers.get('Cookie') === cookie;

/** Uses the first user for the second, if the request matches. */
const mixesUsersUp =
  (fits: (request: Request) => boolean): Breaker =>
  async (request, host) =>
    host(
      isFrom(request, Hosts.ben) && fits(request)
        ? await edited(request, { headers: { Cookie: Hosts.ann } })
        : request,
    );

/** Changes successful answers, if the request matches. */
const answers =
  (
    fits: (request: Request) => boolean,
    change: (answer: Response, request: Request) => Response | Promise<Response>,
  ): Breaker =>
  async (request, host) => {
    const asked = fits(request);
    const answer = await host(request);
    return asked ? change(answer, request) : answer;
  };

/** Changes requests before the correct host receives them. */
const requests =
  (change: (request: Request) => RequestEdit | null | Promise<RequestEdit | null>): Breaker =>
  async (request, host) => {
    const edit = await change(request.clone());
    return host(edit ? await edited(request, edit) : request);
  };

/** Finishes every render first. */
const finished =
  (breaker: Breaker): Breaker =>
  (request, host, world) => {
    world.finishAll();
    return breaker(request, host, world);
  };

const sameOrigin = { 'Sec-Fetch-Site': 'same-origin' };
const isList = (request: Request): boolean => pathOf(request) === 'exports';
const isToken = (request: Request): boolean => pathOf(request) === 'token';
const isStart = (request: Request): boolean => request.method === 'POST' && isList(request);
const isDownload = (request: Request): boolean => pathOf(request).endsWith('/download');
const isOne = (request: Request): boolean => /^exports\/[^/]+$/.test(pathOf(request));
const isEdit = (request: Request): boolean => pathOf(request).endsWith('/edit');
const isTaskList = (one: Request): boolean => one.method === 'GET' && pathOf(one) === 'tasks';
const isProject = (request: Request): boolean => pathOf(request).startsWith('projects');

/** Starts that are kept running until the check has asked about them. */
const slowStarts = new WeakMap<
  object,
  { readonly began: number; late: number; release: () => void }
>();

async function bodyWithout(request: Request, ...names: string[]): Promise<RequestEdit | null> {
  if (request.method !== 'POST') return null;
  try {
    const body = JSON.parse(await request.text()) as Record<string, unknown>;
    for (const name of names) delete body[name];
    return { body: JSON.stringify(body) };
  } catch {
    return null;
  }
}

/** How many holds each host was asked for, and the keys of the starts that it refused. */
const holds = new WeakMap<HttpHost, number>();
const refusedKeys = new WeakMap<HttpHost, Set<string>>();

/** For every rule, by its id, a host that breaks it. */
export const breakers: Readonly<Record<string, readonly Breaker[]>> = {
  'login-required': [
    requests((one) => (one.headers.has('Cookie') ? null : { headers: session('guest') })),
    answers(
      (one) => !one.headers.has('Cookie') && isList(one) && query(one).has('attempt'),
      () => json([]),
    ),
    answers(
      (one) => !one.headers.has('Cookie'),
      () => new Response(null, { status: 302, headers: { Location: '/login' } }),
    ),
  ],
  'identity-header': [
    requests((one) => {
      const id = one.headers.get('X-User-Id');
      return id === null ? null : { headers: session(id) };
    }),
    requests((one) => {
      const id = one.headers.get('X-On-Behalf-Of');
      return id === 'ben' && one.headers.has('Cookie') ? { headers: session(id) } : null;
    }),
  ],
  'identity-query': [
    requests((one) => {
      const id = query(one).get('user_id');
      return id === null
        ? null
        : { headers: session(id), url: (url) => url.searchParams.delete('user_id') };
    }),
  ],
  'cross-site-fetch': [
    requests((one) =>
      one.headers.get('Sec-Fetch-Site') === 'cross-site' ? { headers: sameOrigin } : null,
    ),
    requests((one) =>
      one.headers.get('Sec-Fetch-Site') === 'same-site' ? { headers: sameOrigin } : null,
    ),
  ],
  'cross-site-origin': [
    requests((one) => {
      const origin = one.headers.get('Origin');
      const fooled = origin?.includes('127.0.0.1') && !one.headers.has('Sec-Fetch-Site');
      return fooled ? { headers: sameOrigin } : null;
    }),
    requests((one) => (one.headers.get('Origin') === 'null' ? { headers: sameOrigin } : null)),
  ],
  'cross-site-neither': [
    requests((one) =>
      one.headers.has('Origin') || one.headers.has('Sec-Fetch-Site')
        ? null
        : { headers: sameOrigin },
    ),
  ],
  'cors-foreign': [
    answers(
      (one) => one.headers.has('Origin'),
      (answer, one) =>
        withHeader(answer, 'Access-Control-Allow-Origin', one.headers.get('Origin')!),
    ),
  ],
  'cors-wildcard': [
    answers(
      () => true,
      (answer) => withHeader(answer, 'Access-Control-Allow-Origin', '*'),
    ),
  ],
  'unknown-fields': [
    requests((one) => bodyWithout(one, 'clip_host_check')),
    requests((one) => bodyWithout(one, 'user_id')),
  ],
  'field-checks': [
    requests(async (one) =>
      /"watermark":"/.test(await one.clone().text()) ? bodyWithout(one, 'watermark') : null,
    ),
    requests(async (one) =>
      /"project_id":1\b/.test(await one.clone().text()) ? bodyWithout(one, 'project_id') : null,
    ),
  ],
  'field-errors': [
    answers(
      () => true,
      (answer) =>
        answer.status === 400 ? changed(answer, ({ errors: _, ...rest }) => rest) : answer,
    ),
  ],
  'query-checks': [
    requests(() => ({ url: (url) => url.searchParams.delete('clip_host_check') })),
    requests((one) =>
      isOne(one) && !query(one).has('project_id')
        ? { url: (url) => url.searchParams.set('project_id', 'any') }
        : null,
    ),
  ],
  'json-alone': [
    requests((one) =>
      one.headers.get('Content-Type') === 'text/plain'
        ? { headers: { 'Content-Type': 'application/json' } }
        : null,
    ),
  ],
  'json-broken': [
    requests(async (one) => ((await one.text()) === 'null' ? { body: '{}' } : null)),
    answers(isStart, (answer) =>
      answer.status === 400 ? new Response('SyntaxError', { status: 500 }) : answer,
    ),
  ],
  'body-limit': [
    requests(async (one) =>
      (await one.text()).length > 65_536
        ? { body: '{"project_id": "a"}', headers: { 'Content-Length': null } }
        : null,
    ),
  ],
  'path-tricks': [
    requests((one) => ({
      url: (url) => {
        if (!/%2f/i.test(one.url)) return;
        url.pathname = url.pathname.replaceAll(/%2f/gi, '/');
        url.search = '';
      },
    })),
  ],
  'unknown-path': [
    answers(
      (one) => pathOf(one) === 'clip-host-check',
      () => new Response('<h1>Not found</h1>', { status: 404 }),
    ),
  ],
  methods: [
    requests((one) => (one.method === 'PUT' ? { method: 'GET' } : null)),
    answers(
      (one) => one.method === 'OPTIONS',
      () => problem(500, 'internal-error'),
    ),
  ],
  'attempt-key': [
    requests((one) =>
      isStart(one) && !one.headers.has('Idempotency-Key')
        ? { headers: { 'Idempotency-Key': crypto.randomUUID() } }
        : null,
    ),
    requests((one) =>
      one.headers.get('Idempotency-Key') === 'short'
        ? { headers: { 'Idempotency-Key': crypto.randomUUID() } }
        : null,
    ),
  ],
  'token-shape': [
    answers(isToken, (answer) =>
      changed(answer, ({ external_access_token }) => ({ token: external_access_token })),
    ),
  ],
  'token-expiry': [
    answers(isToken, (answer) =>
      changed(answer, (token) => ({ ...token, expires_at: Math.floor(Date.now() / 1000) })),
    ),
    answers(isToken, (answer) =>
      changed(answer, (token) => ({ ...token, expires_at: '2020-01-31T10:00:00Z' })),
    ),
  ],
  'token-project': [
    async (request, host) =>
      /project_id/.test(await request.clone().text())
        ? problem(400, 'invalid-request')
        : host(request),
  ],
  'token-own': [mixesUsersUp(isToken)],
  start: [
    answers(isStart, (answer) =>
      changed(answer, ({ id, status, project_id }) => ({ id, status, projectId: project_id })),
    ),
    answers(isStart, async (answer) => json(await answer.json(), 200)),
  ],
  'start-again': [
    requests((one) =>
      isStart(one) ? { headers: { 'Idempotency-Key': crypto.randomUUID() } } : null,
    ),
  ],
  'start-mismatch': [
    async (request, host) => {
      const again = request.clone();
      const answer = await host(request);
      const headers = { 'Idempotency-Key': crypto.randomUUID() };
      return answer.status === 409 ? host(await edited(again, { headers })) : answer;
    },
  ],
  'start-found': [
    answers(
      (one) => query(one).has('attempt'),
      () => json([]),
    ),
  ],
  'start-listed': [
    answers(
      (one) => query(one).has('id'),
      () => json([]),
    ),
  ],
  list: [answers(isList, (answer) => changed(answer, (exports) => ({ exports })))],
  'export-shape': [
    answers(isList, async (answer) =>
      json(
        JSON.parse((await answer.text()).replaceAll('"processing"', '"in_progress"')),
        answer.status,
      ),
    ),
    answers(isOne, (answer) => changed(answer, ({ finished_at: _, ...rest }) => rest)),
    answers(isOne, (answer) =>
      changed(answer, (one) => ({ ...one, created_at: '2026-01-31 10:00:00' })),
    ),
  ],
  'list-filter': [
    requests((one) =>
      isList(one) ? { url: (url) => url.searchParams.delete('project_id') } : null,
    ),
    answers(
      (one) => query(one).has('project_id'),
      () => json([]),
    ),
  ],
  'list-by-id': [
    requests((one) => {
      const last = query(one).getAll('id').at(-1);
      return last === undefined ? null : { url: (url) => url.searchParams.set('id', last) };
    }),
    answers(
      (one) => query(one).has('id'),
      async (answer) =>
        (await answer.clone().text()) === '[]' ? problem(404, 'export-not-found') : answer,
    ),
  ],
  'list-by-many-ids': [
    answers(
      (one) => query(one).getAll('id').length > 50,
      () => problem(400, 'invalid-request'),
    ),
  ],
  read: [answers(isOne, (answer) => changed(answer, (one) => [one]))],
  'read-unknown': [
    answers(isOne, (answer) => (answer.status === 404 ? json(null) : answer)),
    answers(isOne, (answer) => (answer.status === 404 ? problem(403, 'forbidden') : answer)),
  ],
  'read-other-clip': [
    (request, host, world) =>
      requests((one) =>
        isOne(one)
          ? {
              url: (url) => {
                url.searchParams.set('project_id', world.project);
                url.searchParams.set('folder_id', world.folder);
              },
            }
          : null,
      )(request, host, world),
  ],
  'attempt-unknown': [
    answers(
      (one) => query(one).has('attempt'),
      () => problem(404, 'export-not-found'),
    ),
  ],
  'attempt-key-named': [
    answers(
      (one) => query(one).has('attempt'),
      (answer) => withHeader(answer, 'Idempotency-Key', 'another-key'),
    ),
    answers(
      (one) => query(one).has('attempt'),
      async (answer) => json(await answer.json(), answer.status),
    ),
  ],
  'attempt-in-flight': [
    async (request, host, world) => {
      if (isStart(request)) {
        const start = { began: performance.now(), late: 0, release: () => {} };
        slowStarts.set(world, start);
        await new Promise<void>((resolve) => (start.release = resolve));
        return host(request);
      }
      if (!query(request).has('attempt')) return host(request);
      const start = slowStarts.get(world);
      // The second late request comes after the answer to the first.
      if (start && performance.now() - start.began > 2500 && ++start.late > 1) start.release();
      return json([]);
    },
  ],
  'start-unknown-clip': [
    answers(isStart, (answer) =>
      answer.status === 404 ? problem(400, 'invalid-request') : answer,
    ),
    async (request, host, world) => {
      const key = request.headers.get('Idempotency-Key') ?? '';
      const refused = refusedKeys.get(world) ?? new Set();
      if (refused.has(key)) return problem(409, 'attempt-mismatch');
      refusedKeys.set(world, refused.add(key));
      return host(request);
    },
  ],
  'prefer-ignored': [
    answers(
      (one) => one.headers.get('Prefer') === 'wait=soon',
      () => problem(400, 'invalid-request'),
    ),
  ],
  wait: [
    async (request, host) => {
      const prefer = request.headers.get('Prefer');
      const answer = await host(await edited(request, { headers: { Prefer: null } }));
      return prefer === null ? answer : withHeader(answer, 'Preference-Applied', prefer);
    },
    answers(
      (one) => one.headers.has('Prefer'),
      (answer) => withHeader(answer, 'Preference-Applied', 'wait=60'),
    ),
  ],
  'wait-leave': [
    (request, host, world) => {
      const count = (holds.get(world) ?? 0) + (request.headers.has('Prefer') ? 1 : 0);
      holds.set(world, count);
      return count > 10 ? Promise.resolve(problem(503, 'service-unavailable')) : host(request);
    },
  ],
  settles: [
    finished(
      answers(
        (one) => query(one).has('id'),
        async (answer) => {
          const exports = (await answer.json()) as object[];
          return json(exports.map((one) => ({ ...one, src_url: null })));
        },
      ),
    ),
    finished(
      answers(
        (one) => query(one).has('id'),
        async (answer) => {
          const exports = (await answer.json()) as object[];
          return json(exports.map((one) => ({ ...one, finished_at: null })));
        },
      ),
    ),
  ],
  download: [
    finished(answers(isDownload, () => json({ url: 'https://clip.example/file.mp4' }))),
    finished(
      answers(
        isDownload,
        () =>
          new Response(null, {
            status: 302,
            headers: { Location: 'https://clip.example/f.mp4#external_access_token=abc' },
          }),
      ),
    ),
    finished(
      answers(isDownload, () => new Response('mp4', { headers: { 'Content-Type': 'video/mp4' } })),
    ),
    finished(
      answers(isDownload, (answer) => {
        answer.headers.set('Content-Disposition', 'attachment; filename="clip.mp4"');
        return answer;
      }),
    ),
  ],
  'download-unknown': [
    answers(
      isDownload,
      () =>
        new Response(null, { status: 302, headers: { Location: 'https://clip.example/f.mp4' } }),
    ),
  ],
  'other-read': [mixesUsersUp(isOne)],
  'other-list': [
    mixesUsersUp((one) => isList(one) && !query(one).size),
    mixesUsersUp((one) => query(one).has('id')),
    mixesUsersUp((one) => query(one).has('project_id')),
  ],
  'other-download': [finished(mixesUsersUp(isDownload))],
  'other-attempt': [mixesUsersUp((one) => query(one).has('attempt')), mixesUsersUp(isStart)],
  'other-start': [mixesUsersUp(isStart)],
  'other-account': [requests(() => ({ headers: { 'Clip-Account': null } }))],
  'other-project': [mixesUsersUp(isProject)],
  'projects-read': [
    answers(isProject, (answer) => changed(answer, ({ virality_score: _, ...rest }) => rest)),
  ],
  'projects-list': [answers(isProject, (answer) => changed(answer, (projects) => ({ projects })))],
  'edit-read': [
    answers(isEdit, (answer) => withHeader(answer, 'ETag', '"0"')),
    answers(isEdit, (answer) => changed(answer, ({ revision: _, ...edit }) => edit)),
  ],
  'edit-revision': [
    // Sends a revision of its own, whatever the page has read.
    requests((one) => (one.method === 'PATCH' ? { headers: { 'If-Match': '"1"' } } : null)),
    requests((one) =>
      one.method === 'PATCH' && !one.headers.has('If-Match')
        ? { headers: { 'If-Match': '"1"' } }
        : null,
    ),
  ],
  tasks: [
    answers(
      (one) => pathOf(one) === 'tasks/video-to-video',
      () => json({ id: 'task-1' }, 201),
    ),
  ],
  uploads: [
    answers(
      (one) => pathOf(one) === 'uploads',
      () => json({ id: 'upload-1' }, 201),
    ),
    answers(
      (one) => pathOf(one).startsWith('uploads/'),
      () => json({ id: 'upload-1' }),
    ),
  ],
  'other-upload': [
    mixesUsersUp((one) => pathOf(one).startsWith('uploads/') && one.method === 'GET'),
    mixesUsersUp((one) => pathOf(one).startsWith('uploads/') && one.method === 'DELETE'),
  ],
  'task-list': [
    answers(isTaskList, (answer) => changed(answer, (tasks) => ({ tasks }))),
    answers(isTaskList, () => json([])),
  ],
  'other-tasks': [mixesUsersUp(isTaskList)],
  'other-task': [
    mixesUsersUp((one) => pathOf(one).startsWith('tasks/') && one.method === 'GET'),
    mixesUsersUp((one) => pathOf(one).startsWith('tasks/') && one.method === 'DELETE'),
  ],
  'no-store': [
    answers(isList, (answer) => withHeader(answer, 'Cache-Control', 'private, max-age=5')),
  ],
  'problem-shape': [
    answers(
      (one) => !one.headers.has('Cookie'),
      (answer) => withHeader(answer, 'Content-Type', 'text/html'),
    ),
    answers(
      (one) => !one.headers.has('Cookie'),
      () => problem(401, 'forbidden'),
    ),
    answers(
      (one) => !one.headers.has('Cookie'),
      () => problem(401, 'not-logged-in'),
    ),
  ],
  'json-type': [answers(isList, (answer) => withHeader(answer, 'Content-Type', 'text/html'))],
  'no-echo': [
    answers(isToken, (answer, one) =>
      answer.status === 400
        ? changed(answer, (value) => ({ ...value, seen: one.headers.get('Authorization') }))
        : answer,
    ),
    answers(isList, (answer, one) =>
      withHeader(answer, 'X-Debug', one.headers.get('Cookie') ?? ''),
    ),
  ],
  'rate-limit': [
    answers(
      (one) => pathOf(one) === 'clip-host-check',
      () => problem(429, 'rate-limited'),
    ),
  ],
};
