import { HttpHost, type Handler } from '../../../../test/support/http-host.ts';

/** Runs in front of the correct host and breaks one rule. */
export type Breaker = (request: Request, host: Handler, world: HttpHost) => Promise<Response>;

interface RequestEdit {
  readonly url?: (url: URL) => void;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: string;
  readonly method?: string;
}
type Fits = (request: Request) => boolean;
type Fields = Record<string, unknown>;

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

function json(value: unknown, status = 200): Response {
  const type = status < 400 ? 'application/json' : 'application/problem+json';
  const headers = { 'Content-Type': type, 'Cache-Control': 'no-store' };
  return new Response(JSON.stringify(value), { status, headers });
}
const problem = (status: number, code: string): Response =>
  json({ type: 'about:blank', title: code, status, code }, status);
const redirect = (Location: string): Response =>
  new Response(null, { status: 302, headers: { Location } });

function withHeader(answer: Response, name: string, value: string): Response {
  const headers = new Headers(answer.headers);
  headers.set(name, value);
  return new Response(answer.body, { status: answer.status, headers });
}

const pathOf = (request: Request): string => new URL(request.url).pathname.replace('/clips/', '');
const query = (request: Request): URLSearchParams => new URL(request.url).searchParams;
const has =
  (...names: readonly string[]): Fits =>
  (request) =>
    names.some((name) => query(request).has(name));
const session = (user: string): { Cookie: string } => ({ Cookie: `session=s-${user}-x` });

/** Changes answers, if the request matches. */
const answers =
  (fits: Fits, change: (answer: Response, request: Request) => Response | Promise<Response>) =>
  async (request: Request, host: Handler): Promise<Response> => {
    const asked = fits(request);
    const answer = await host(request);
    return asked ? change(answer, request) : answer;
  };
/** Changes the JSON of answers. */
const changes = (fits: Fits, change: (value: Fields) => unknown): Breaker =>
  answers(fits, async (answer) => json(change((await answer.json()) as Fields), answer.status));
/** Changes every export of a list. */
const changesEach = (fits: Fits, change: Fields): Breaker =>
  changes(fits, (list) => (list as unknown as object[]).map((one) => ({ ...one, ...change })));
/** Gives another answer. */
const says = (fits: Fits, answer: () => Response): Breaker => answers(fits, answer);
/** Gives another answer instead of one with this status. */
const saysFor = (status: number, fits: Fits, other: () => Response): Breaker =>
  answers(fits, (answer) => (answer.status === status ? other() : answer));
/** Sets a header of answers. */
const sets = (fits: Fits, name: string, value: string | ((request: Request) => string)): Breaker =>
  answers(fits, (answer, one) =>
    withHeader(answer, name, typeof value === 'string' ? value : value(one)),
  );

/** Changes requests before the correct host receives them. */
const requests =
  (change: (request: Request) => RequestEdit | null | Promise<RequestEdit | null>): Breaker =>
  async (request, host) => {
    const edit = await change(request.clone());
    return host(edit ? await edited(request, edit) : request);
  };
const edits = (fits: Fits, edit: RequestEdit): Breaker =>
  requests((request) => (fits(request) ? edit : null));
/** Sends these headers to the correct host instead. */
const passes = (fits: Fits, headers: Readonly<Record<string, string | null>>): Breaker =>
  edits(fits, { headers });
/** Uses the first user for the second, if the request matches. */
const mixesUsersUp = (fits: Fits): Breaker =>
  passes((one) => one.headers.get('Cookie') === HttpHost.ben && fits(one), {
    Cookie: HttpHost.ann,
  });
/** Drops fields of a body. */
const drops = (isBody: RegExp, ...names: readonly string[]): Breaker =>
  requests(async (request) => {
    const text = await request.text();
    if (request.method !== 'POST' || !isBody.test(text)) return null;
    try {
      const entries = Object.entries(JSON.parse(text) as Fields);
      const kept = entries.filter(([name]) => !names.includes(name));
      return { body: JSON.stringify(Object.fromEntries(kept)) };
    } catch {
      return null;
    }
  });
/** Finishes every render first. */
const finished =
  (breaker: Breaker): Breaker =>
  (request, host, world) => {
    world.finishAll();
    return breaker(request, host, world);
  };

const all: Fits = () => true;
const isList: Fits = (one) => pathOf(one) === 'exports';
const isToken: Fits = (one) => pathOf(one) === 'token';
const isStart: Fits = (one) => one.method === 'POST' && isList(one);
const isDownload: Fits = (one) => pathOf(one).endsWith('/download');
const isOne: Fits = (one) => /^exports\/[^/]+$/.test(pathOf(one));
const isAllowance: Fits = (one) => pathOf(one).endsWith('/allowance');
const isLinks: Fits = (one) => pathOf(one).endsWith('/links');
const isEdit: Fits = (one) => pathOf(one).endsWith('/edit');
const isPatch: Fits = (one) => one.method === 'PATCH';
const isTaskList: Fits = (one) => one.method === 'GET' && pathOf(one) === 'tasks';
const isProject: Fits = (one) => pathOf(one).startsWith('projects');
const isNobody: Fits = (one) => !one.headers.has('Cookie');
const isUnknown: Fits = (one) => pathOf(one) === 'clip-host-check';
const asks =
  (method: string, path: string): Fits =>
  (one) =>
    one.method === method && pathOf(one).startsWith(path);
const sends =
  (name: string, value: string | null): Fits =>
  (one) =>
    one.headers.get(name) === value;

const sameOrigin = { 'Sec-Fetch-Site': 'same-origin' };
const newKey = (): RequestEdit => ({ headers: { 'Idempotency-Key': crypto.randomUUID() } });
const playable = 'https://clip.example/f.mp4';

/** The starts that are kept running until the check has asked about them. */
const slowStarts = new WeakMap<object, { began: number; late: number; release: () => void }>();
/** How many holds each host was asked for, and the keys of the starts that it refused. */
const holds = new WeakMap<HttpHost, number>();
const refusedKeys = new WeakMap<HttpHost, Set<string>>();

/** For every rule, by its id, a host that breaks it. */
export const breakers: Readonly<Record<string, readonly Breaker[]>> = {
  'login-required': [
    passes(isNobody, session('guest')),
    says(
      (one) => isNobody(one) && isList(one) && has('attempt')(one),
      () => json([]),
    ),
    says(isNobody, () => redirect('/login')),
  ],
  'identity-header': [
    requests(({ headers }) => {
      const id = headers.get('X-User-Id');
      return id === null ? null : { headers: session(id) };
    }),
    passes((one) => sends('X-On-Behalf-Of', 'ben')(one) && !isNobody(one), session('ben')),
  ],
  'identity-query': [
    requests((one) => {
      const id = query(one).get('user_id');
      const url = (url: URL) => url.searchParams.delete('user_id');
      return id === null ? null : { headers: session(id), url };
    }),
  ],
  'cross-site-fetch': [
    passes(sends('Sec-Fetch-Site', 'cross-site'), sameOrigin),
    passes(sends('Sec-Fetch-Site', 'same-site'), sameOrigin),
  ],
  'cross-site-origin': [
    passes(({ headers }) => {
      const looksOwn = headers.get('Origin')?.includes('127.0.0.1');
      return !!looksOwn && !headers.has('Sec-Fetch-Site');
    }, sameOrigin),
    passes(sends('Origin', 'null'), sameOrigin),
  ],
  'cross-site-neither': [
    passes((one) => sends('Origin', null)(one) && sends('Sec-Fetch-Site', null)(one), sameOrigin),
  ],
  'cors-foreign': [
    sets(
      (one) => one.headers.has('Origin'),
      'Access-Control-Allow-Origin',
      ({ headers }) => headers.get('Origin')!,
    ),
  ],
  'cors-wildcard': [sets(all, 'Access-Control-Allow-Origin', '*')],
  'unknown-fields': [drops(/./, 'clip_host_check'), drops(/./, 'user_id')],
  'field-checks': [
    drops(/"watermark":"/, 'watermark'),
    drops(/"project_id":1\b/, 'project_id'),
    requests(async (one) =>
      isStart(one) && !/project_id/.test(await one.text()) ? { body: '{"project_id": "a"}' } : null,
    ),
  ],
  'field-errors': [
    answers(all, async (answer) => {
      if (answer.status !== 400) return answer;
      const { errors: _, ...rest } = (await answer.json()) as Fields;
      return json(rest, 400);
    }),
  ],
  'query-checks': [
    edits(all, { url: (url) => url.searchParams.delete('clip_host_check') }),
    edits((one) => isOne(one) && !has('project_id')(one), {
      url: (url) => url.searchParams.set('project_id', 'any'),
    }),
  ],
  'json-alone': [
    passes(sends('Content-Type', 'text/plain'), { 'Content-Type': 'application/json' }),
  ],
  'json-broken': [
    requests(async (one) => ((await one.text()) === 'null' ? { body: '{}' } : null)),
    saysFor(400, isStart, () => new Response('SyntaxError', { status: 500 })),
  ],
  'body-limit': [
    requests(async (one) =>
      (await one.text()).length > 65_536
        ? { body: '{"project_id": "a"}', headers: { 'Content-Length': null } }
        : null,
    ),
  ],
  'path-tricks': [
    edits((one) => /%2f/i.test(one.url), {
      url: (url) => {
        url.pathname = url.pathname.replaceAll(/%2f/gi, '/');
        url.search = '';
      },
    }),
  ],
  'unknown-path': [says(isUnknown, () => new Response('<h1>Not found</h1>', { status: 404 }))],
  methods: [
    edits((one) => one.method === 'PUT', { method: 'GET' }),
    says(
      (one) => one.method === 'OPTIONS',
      () => problem(500, 'internal-error'),
    ),
  ],
  'attempt-key': [
    requests((one) => (isStart(one) && sends('Idempotency-Key', null)(one) ? newKey() : null)),
    requests((one) => (sends('Idempotency-Key', 'short')(one) ? newKey() : null)),
  ],
  'token-shape': [changes(isToken, ({ external_access_token: token }) => ({ token }))],
  'token-expiry': [
    changes(isToken, (token) => ({ ...token, expires_at: Math.floor(Date.now() / 1000) })),
    changes(isToken, (token) => ({ ...token, expires_at: '2020-01-31T10:00:00Z' })),
  ],
  'token-project': [
    async (request, host) =>
      /project_id/.test(await request.clone().text())
        ? problem(400, 'invalid-request')
        : host(request),
  ],
  'token-own': [mixesUsersUp(isToken)],
  start: [
    changes(isStart, ({ id, status, project_id }) => ({ id, status, projectId: project_id })),
    answers(isStart, async (answer) => json(await answer.json(), 200)),
  ],
  'start-again': [requests((one) => (isStart(one) ? newKey() : null))],
  'start-mismatch': [
    async (request, host) => {
      const again = request.clone();
      const answer = await host(request);
      return answer.status === 409 ? host(await edited(again, newKey())) : answer;
    },
  ],
  'start-found': [says(has('attempt'), () => json([]))],
  'start-listed': [says(has('id'), () => json([]))],
  list: [changes(isList, (exports) => ({ exports }))],
  'export-shape': [
    changes(isList, (exports) =>
      JSON.parse(JSON.stringify(exports).replaceAll('"processing"', '"in_progress"')),
    ),
    changes(isOne, ({ finished_at: _, ...rest }) => rest),
    changes(isOne, (one) => ({ ...one, created_at: '2026-01-31 10:00:00' })),
    changes(isOne, (one) => ({ ...one, progress: { stage: 'render', share: 80 } })),
  ],
  'list-filter': [
    edits(isList, { url: (url) => url.searchParams.delete('project_id') }),
    says(has('project_id'), () => json([])),
  ],
  'list-by-id': [
    requests((one) => {
      const last = query(one).getAll('id').at(-1);
      return last === undefined ? null : { url: (url) => url.searchParams.set('id', last) };
    }),
    answers(has('id'), async (answer) =>
      (await answer.clone().text()) === '[]' ? problem(404, 'export-not-found') : answer,
    ),
  ],
  'list-by-many-ids': [
    says(
      (one) => query(one).getAll('id').length > 50,
      () => problem(400, 'invalid-request'),
    ),
  ],
  read: [changes(isOne, (one) => [one])],
  'read-unknown': [
    saysFor(404, isOne, () => json(null)),
    saysFor(404, isOne, () => problem(403, 'forbidden')),
  ],
  'read-other-clip': [
    (request, host, world) =>
      edits(isOne, {
        url: ({ searchParams }) => {
          searchParams.set('project_id', world.project);
          searchParams.set('folder_id', world.folder);
        },
      })(request, host, world),
  ],
  'attempt-unknown': [says(has('attempt'), () => problem(404, 'export-not-found'))],
  'attempt-key-named': [
    sets(has('attempt'), 'Idempotency-Key', 'another-key'),
    changes(has('attempt'), (exports) => exports),
  ],
  'attempt-in-flight': [
    async (request, host, world) => {
      if (isStart(request)) {
        const start = { began: performance.now(), late: 0, release: () => {} };
        slowStarts.set(world, start);
        await new Promise<void>((resolve) => (start.release = resolve));
        return host(request);
      }
      if (!has('attempt')(request)) return host(request);
      const start = slowStarts.get(world);
      // The second late request comes after the answer to the first.
      if (start && performance.now() - start.began > 2500 && ++start.late > 1) start.release();
      return json([]);
    },
  ],
  'start-unknown-clip': [
    saysFor(404, isStart, () => problem(400, 'invalid-request')),
    async (request, host, world) => {
      const key = request.headers.get('Idempotency-Key') ?? '';
      const refused = refusedKeys.get(world) ?? new Set();
      if (refused.has(key)) return problem(409, 'attempt-mismatch');
      refusedKeys.set(world, refused.add(key));
      return host(request);
    },
  ],
  'prefer-ignored': [says(sends('Prefer', 'wait=soon'), () => problem(400, 'invalid-request'))],
  wait: [
    async (request, host) => {
      const prefer = request.headers.get('Prefer');
      const answer = await host(await edited(request, { headers: { Prefer: null } }));
      return prefer === null ? answer : withHeader(answer, 'Preference-Applied', prefer);
    },
    sets((one) => one.headers.has('Prefer'), 'Preference-Applied', 'wait=60'),
  ],
  'wait-leave': [
    (request, host, world) => {
      const count = (holds.get(world) ?? 0) + (request.headers.has('Prefer') ? 1 : 0);
      holds.set(world, count);
      return count > 10 ? Promise.resolve(problem(503, 'service-unavailable')) : host(request);
    },
  ],
  settles: [
    finished(changesEach(has('id'), { src_url: null })),
    finished(changesEach(has('id'), { finished_at: null })),
  ],
  download: [
    finished(says(isDownload, () => json({ url: playable }))),
    finished(says(isDownload, () => redirect(`${playable}#external_access_token=abc`))),
    finished(
      says(isDownload, () => new Response('a', { headers: { 'Content-Type': 'video/mp4' } })),
    ),
    finished(sets(isDownload, 'Content-Disposition', 'attachment; filename="clip.mp4"')),
  ],
  'download-unknown': [says(isDownload, () => redirect(playable))],
  'other-read': [mixesUsersUp(isOne)],
  'other-list': [
    mixesUsersUp((one) => isList(one) && !query(one).size),
    mixesUsersUp(has('id')),
    mixesUsersUp(has('project_id')),
  ],
  'other-download': [finished(mixesUsersUp(isDownload))],
  'other-attempt': [mixesUsersUp(has('attempt')), mixesUsersUp(isStart)],
  'other-start': [mixesUsersUp(isStart)],
  'other-account': [passes(all, { 'Clip-Account': null })],
  'other-project': [mixesUsersUp(isProject)],
  'projects-read': [changes(isProject, ({ virality_score: _, ...rest }) => rest)],
  'projects-list': [changes(isProject, (projects) => ({ projects }))],
  'allowance-read': [changes(isAllowance, ({ used: _, ...rest }) => rest)],
  'links-create': [changes(isLinks, ({ player_url: _, ...rest }) => rest)],
  'other-links': [mixesUsersUp(isLinks)],
  'edit-read': [sets(isEdit, 'ETag', '"0"'), changes(isEdit, ({ revision: _, ...edit }) => edit)],
  'edit-revision': [
    // Sends a revision of its own, whatever the page has read.
    passes(isPatch, { 'If-Match': '"1"' }),
    passes((one) => isPatch(one) && sends('If-Match', null)(one), { 'If-Match': '"1"' }),
  ],
  tasks: [says(asks('POST', 'tasks/video-to-video'), () => json({ id: 'task-1' }, 201))],
  uploads: [
    says(
      (one) => pathOf(one) === 'uploads',
      () => json({ id: 'upload-1' }, 201),
    ),
    says(
      (one) => pathOf(one).startsWith('uploads/'),
      () => json({ id: 'upload-1' }),
    ),
  ],
  'other-upload': [mixesUsersUp(asks('GET', 'uploads/')), mixesUsersUp(asks('DELETE', 'uploads/'))],
  'task-list': [changes(isTaskList, (tasks) => ({ tasks })), says(isTaskList, () => json([]))],
  'other-tasks': [mixesUsersUp(isTaskList)],
  'other-task': [mixesUsersUp(asks('GET', 'tasks/')), mixesUsersUp(asks('DELETE', 'tasks/'))],
  'no-store': [sets(isList, 'Cache-Control', 'private, max-age=5')],
  'problem-shape': [
    sets(isNobody, 'Content-Type', 'text/html'),
    says(isNobody, () => problem(401, 'forbidden')),
    says(isNobody, () => problem(401, 'not-logged-in')),
  ],
  'json-type': [sets(isList, 'Content-Type', 'text/html')],
  'no-echo': [
    answers(isToken, async (answer, { headers }) => {
      const body = (await answer.json()) as Fields;
      return json({ ...body, seen: headers.get('Authorization') }, answer.status);
    }),
    sets(isList, 'X-Debug', ({ headers }) => headers.get('Cookie') ?? ''),
  ],
  'rate-limit': [says(isUnknown, () => problem(429, 'rate-limited'))],
};
