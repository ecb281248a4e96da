import type { Export, Project, Task } from 'clip-kit/contract';
import type { GalleryEntry } from '../../gallery/entries.ts';

/** The owner of the gallery's clips. Nobody logs in as this user. */
const galleryUser = 'gallery';

/** The host or the service refused; the message is for people. */
export class Declined extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface Problem {
  title?: string;
  detail?: string;
  errors?: { message: string }[];
}

/** Calls the host as pages do, for a user of its own. */
export class HostCalls {
  readonly #endpoint: string;
  readonly #sign: (userId: string) => string;

  /** `sign`: a session of a user of this site. */
  constructor(endpoint: string, sign: (userId: string) => string) {
    this.#endpoint = endpoint;
    this.#sign = sign;
  }

  createTask(type: GalleryEntry['task']['type'], body: object): Promise<Task> {
    return this.#ask(`tasks/${type}`, {
      body,
      headers: { 'Idempotency-Key': crypto.randomUUID() },
    });
  }

  readTask(id: string): Promise<Task> {
    return this.#ask(`tasks/${encodeURIComponent(id)}`);
  }

  /** The clips that a task made, best first. */
  async readClips({ output_type, output_id }: Task): Promise<Project[]> {
    const id = encodeURIComponent(output_id);
    return output_type === 'folder'
      ? this.#ask(`projects?folder_id=${id}`)
      : [await this.#ask<Project>(`projects/${id}`)];
  }

  startExport(clip: Project, options: object): Promise<Export> {
    const folder = clip.folder_id ? { folder_id: clip.folder_id } : {};
    return this.#ask('exports', {
      body: { project_id: clip.id, ...folder, ...options },
      headers: { 'Idempotency-Key': crypto.randomUUID() },
    });
  }

  /** The exports among these ids that exist. */
  async readExports(ids: readonly string[]): Promise<Export[]> {
    if (!ids.length) return [];
    return this.#ask(`exports?${ids.map((id) => `id=${encodeURIComponent(id)}`).join('&')}`);
  }

  async #ask<T>(
    path: string,
    { body, headers }: { body?: object; headers?: Record<string, string> } = {},
  ): Promise<T> {
    const response = await fetch(`${this.#endpoint}/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        ...headers,
        Authorization: `Bearer ${this.#sign(galleryUser)}`,
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }).catch(() => {
      throw new Declined(503, 'The clip service cannot be reached.');
    });
    if (response.ok) return (await response.json()) as T;
    const problem = (await response.json().catch(() => ({}))) as Problem;
    const fields = problem.errors?.map(({ message }) => message).join(' ');
    const why = fields || problem.detail || problem.title || `status ${response.status}`;
    throw new Declined(response.status, why);
  }
}
