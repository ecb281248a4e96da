import type { Export, Project, Task } from 'clip-kit/contract';
import type { ClipHost } from 'clip-host';
import type { GalleryEntry } from '../../gallery/entries.ts';

/** The owner of the gallery's clips. Nobody logs in as this user. */
export const galleryUser = { id: 'gallery' } as const;

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

/**
 * Calls the host contract as pages do, but without a network: every request goes through the host
 * to the service. Only requests that were created here count as {@link galleryUser}'s.
 */
export class HostCalls {
  readonly #made = new WeakSet<Request>();
  readonly #host: () => ClipHost;

  /** `host` is read at each call, because the host itself needs to know these calls. */
  constructor(host: () => ClipHost) {
    this.#host = host;
  }

  /** The gallery's user if the request is one of its own, otherwise null. */
  userOf(request: Request): typeof galleryUser | null {
    return this.#made.has(request) ? galleryUser : null;
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
    const request = new Request(`http://localhost/clips/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        ...headers,
        'Sec-Fetch-Site': 'same-origin',
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    this.#made.add(request);
    const response = await this.#host()(request);
    if (response.ok) return (await response.json()) as T;
    const problem = (await response.json().catch(() => ({}))) as Problem;
    const fields = problem.errors?.map(({ message }) => message).join(' ');
    const why = fields || problem.detail || problem.title || `status ${response.status}`;
    throw new Declined(response.status, why);
  }
}
