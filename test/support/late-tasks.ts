import { taskSchema, type Task } from '../../src/contract/task.ts';
import {
  BrokenConnection,
  type StartFault,
} from '../../packages/host/src/check/faults/late-service.ts';

/** How long this project's service remembers a key. */
const keyLifeMs = 24 * 60 * 60 * 1000;

interface MadeTask {
  readonly task: Task;
  readonly key: string | null;
  readonly source: string;
  readonly madeAt: number;
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  Response.json(body, { status, headers });

/** A service whose starts of tasks fail in certain ways. As in the specification, it lists none. */
export class LateTasks {
  readonly apiKey = 'key-of-the-late-tasks';
  /** The tasks that were made, each of them paid for. */
  readonly made: MadeTask[] = [];
  /** What becomes of the next starts; later ones work. */
  readonly faults: StartFault[] = [];
  /** Whether it starts nothing twice for a key, and says so. */
  keepsKeys: boolean;
  #users = 0;

  constructor(keepsKeys: boolean) {
    this.keepsKeys = keepsKeys;
  }

  async answer(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname.replace(/^\/v2\//, '');
    const key = request.headers.get('Idempotency-Key');
    if (path === 'users') {
      const id = `user-${++this.#users}`;
      return json(201, { id, email: `${id}@guests.example`, organizationId: 'o', isGuest: true });
    }
    if (path === 'exports')
      return json(200, [], this.keepsKeys && key ? { 'Idempotency-Key': key } : {});
    if (request.method === 'POST') return this.#start(request, path, key);
    const found = this.made.find(({ task }) => path === `tasks/${task.id}`);
    return found ? json(200, found.task) : json(404, { error: 'status 404' });
  }

  async #start(request: Request, path: string, key: string | null): Promise<Response> {
    const { work = true, workMs = 0, answer } = this.faults.shift() ?? {};
    await new Promise((resolve) => setTimeout(resolve, workMs));
    const { source_video_url: source } = (await request.json()) as { source_video_url: string };
    let made = this.made.find(
      (one) => this.keepsKeys && one.key === key && Date.now() - one.madeAt < keyLifeMs,
    );
    if (work && !made) {
      const task = taskSchema.parse({
        id: `task-${this.made.length + 1}`,
        type: path.replace('tasks/', ''),
        status: 'processing',
        created_at: new Date().toISOString(),
        output_type: 'folder',
        output_id: `folder-${this.made.length + 1}`,
      });
      made = { task, key, source, madeAt: Date.now() };
      this.made.push(made);
    }
    if (answer === 'drop') throw new BrokenConnection();
    return made && answer === undefined ? json(201, made.task) : json(answer ?? 503, {});
  }
}
