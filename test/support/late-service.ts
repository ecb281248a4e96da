/** What becomes of one start at the service. */
export interface StartFault {
  /** Whether the export is made; true by default. */
  readonly work?: boolean;
  /** How long that takes, whether or not anybody still waits for it. */
  readonly workMs?: number;
  /** When the answer comes. An answer without a fault never comes before the work is done. */
  readonly answerMs?: number;
  /** A status instead of the export, or a connection that breaks. */
  readonly answer?: number | 'drop';
}

/** How the service lists the exports of a clip. */
export interface ListFault {
  /** Whether the service keeps attempt keys. The specification's own does not (4.6). */
  readonly keepsKeys?: boolean;
  /** How long after it was made an export is in the list. */
  readonly listLateMs?: number;
  /** The first page is empty, and names a next one. */
  readonly listCut?: boolean;
  /** How many questions for the list fail first. */
  readonly listFails?: number;
  /** Export Objects do not say whether they have a watermark. */
  readonly hidesWatermark?: boolean;
}

/** What becomes of the starts of a clip, in their order (later ones work), and of its list. */
export interface ServiceFaults extends ListFault {
  readonly starts: readonly StartFault[];
}

export interface LateServiceOptions {
  readonly apiKey: string;
  /** What becomes of the start with this number (from 0) of a clip. */
  startOf(project: string, number: number): StartFault;
  listOf(project: string): ListFault;
  /** The clip's edit at this moment, and how long an export takes: without, it never ends. */
  editOf?(project: string): { readonly revision?: number; readonly renderMs?: number };
  /** When an export of the clip should be ready; null: it does not say. In a day by default. */
  estimateOf?(project: string): number | null;
}

interface MadeExport {
  readonly id: string;
  readonly project: string;
  readonly author: string;
  readonly madeAt: number;
  readonly watermarked: boolean;
  readonly revision?: number | undefined;
}

/** What the service knows of a clip. */
export interface Clip {
  /** How many starts have arrived, and when the last one did. */
  starts: number;
  lastStartAt: number;
  lists: number;
  /** In the order in which they were made. */
  readonly exports: MadeExport[];
  /** What is being made or was made for a key. */
  readonly byKey: Map<string, Promise<MadeExport | null>>;
}

/** Thrown instead of an answer: the connection breaks. */
export class BrokenConnection extends Error {}

async function pause(milliseconds: number): Promise<void> {
  if (milliseconds) await new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/**
 * A service that speaks the specification and fails as a service may: late, after the work, or
 * without it. It has every clip that it is asked for, and goes on working when the caller leaves.
 */
export class LateService {
  readonly #options: LateServiceOptions;
  readonly #clips = new Map<string, Clip>();
  readonly #users: string[] = [];

  constructor(options: LateServiceOptions) {
    this.#options = options;
  }

  /** The answer to a request below `/v2`. Throws a {@link BrokenConnection} instead of some. */
  async answer(request: Request): Promise<Response> {
    const isKey = request.headers.get('Authorization') === `Bearer ${this.#options.apiKey}`;
    if (!isKey) return problem(401);
    const { pathname, searchParams } = new URL(request.url);
    const path = pathname.split('/').slice(2).map(decodeURIComponent);
    const call = `${request.method} ${path[0]}`;
    if (call === 'POST users') {
      const [, user] = path;
      if (user && !this.#users.includes(user)) return problem(404);
      if (user) return json(200, { external_access_token: `token-of-${user}` });
      const id = `user-${this.#users.length + 1}`;
      this.#users.push(id);
      return json(201, { id, email: `${id}@guests.example`, organizationId: 'org', isGuest: true });
    }
    const author = request.headers.get('X-On-Behalf-Of') ?? 'owner';
    if (author !== 'owner' && !this.#users.includes(author)) return problem(403);
    if (call === 'GET exports') return this.#list(request, author, searchParams.get('project_id'));
    const at = path.indexOf('exports');
    const project = path[at - 1] ?? '';
    if (path[0] !== 'projects' || at < 2) return problem(404);
    if (request.method === 'POST') return this.#start(request, author, project);
    const found = this.clipOf(project).exports.find(({ id }) => id === path[at + 1]);
    return found?.author === author ? json(200, this.#object(found)) : problem(404);
  }

  clipOf(project: string): Clip {
    const clip = { starts: 0, lastStartAt: 0, lists: 0, exports: [], byKey: new Map() };
    if (!this.#clips.has(project)) this.#clips.set(project, clip);
    return this.#clips.get(project)!;
  }

  async #start(request: Request, author: string, project: string): Promise<Response> {
    const clip = this.clipOf(project);
    const { startOf, listOf } = this.#options;
    const fault = startOf(project, clip.starts++);
    clip.lastStartAt = Date.now();
    const { answer, answerMs = 0 } = fault;
    const key = listOf(project).keepsKeys ? request.headers.get('Idempotency-Key') : null;
    const body = (await request.json()) as { watermark?: unknown };
    let work = key === null ? undefined : clip.byKey.get(key);
    if (!work) {
      work = this.#work(fault, clip, { author, project, watermarked: !!body.watermark });
      if (key !== null && fault.work !== false) clip.byKey.set(key, work);
    }
    // A broken connection after the work must not come before it.
    const made = answer === undefined || answer === 'drop' ? work : null;
    const [first] = await Promise.all([made, pause(answerMs)]);
    if (answer === 'drop') throw new BrokenConnection();
    return first ? json(201, this.#object(first)) : problem(answer ?? 503);
  }

  async #work(
    { work = true, workMs = 0 }: StartFault,
    clip: Clip,
    wanted: Pick<MadeExport, 'author' | 'project' | 'watermarked'>,
  ): Promise<MadeExport | null> {
    if (!work) return null;
    await pause(workMs);
    const id = `export-${wanted.project}-${clip.exports.length + 1}`;
    const { revision } = this.#options.editOf?.(wanted.project) ?? {};
    const made = { id, ...wanted, madeAt: Date.now(), revision };
    clip.exports.push(made);
    return made;
  }

  async #list(request: Request, author: string, project: string | null): Promise<Response> {
    if (project === null) {
      const all = [...this.#clips.values()].flatMap(({ exports }) => exports);
      return json(200, this.#listed(all.filter((item) => item.author === author)));
    }
    const clip = this.clipOf(project);
    const { listFails = 0, listCut, keepsKeys } = this.#options.listOf(project);
    if (clip.lists++ < listFails) return problem(503);
    const key = keepsKeys ? request.headers.get('Idempotency-Key') : null;
    if (key !== null) {
      const made = clip.exports.length ? await clip.byKey.get(key) : null;
      return json(200, made ? [this.#object(made)] : [], { 'Idempotency-Key': key });
    }
    const own = clip.exports.filter((item) => item.author === author);
    if (!listCut || new URL(request.url).searchParams.has('after')) {
      return json(200, this.#listed(own));
    }
    const next = `</v2/exports?project_id=${encodeURIComponent(project)}&after=1>; rel="next"`;
    return json(200, [], { Link: next });
  }

  #listed(exports: readonly MadeExport[]): object[] {
    const isListed = ({ project, madeAt }: MadeExport): boolean =>
      Date.now() - madeAt >= (this.#options.listOf(project).listLateMs ?? 0);
    return exports.filter(isListed).map((item) => this.#object(item));
  }

  #object({ id, project, author, madeAt, watermarked, revision }: MadeExport): object {
    const { editOf, estimateOf = () => madeAt + 86_400_000, listOf } = this.#options;
    const estimate = estimateOf(project);
    const isReady = Date.now() - madeAt >= (editOf?.(project).renderMs ?? Infinity);
    return {
      id,
      project_id: project,
      status: isReady ? 'ready' : 'processing',
      src_url: null,
      estimated_ready_at: estimate === null ? null : new Date(estimate).toISOString(),
      created_at: new Date(madeAt).toISOString(),
      finished_at: null,
      name: 'Clip',
      author_id: author,
      folder_id: null,
      descriptions: null,
      ...(!listOf(project).hidesWatermark && { watermarked }),
      ...(revision !== undefined && { revision }),
    };
  }
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers });

/** The specification does not say what the body of an error is. */
const problem = (status: number): Response => json(status, { error: `status ${status}` });
