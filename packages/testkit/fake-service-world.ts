import { randomUUID } from 'node:crypto';
import type {
  EditChanges,
  EditDocument,
  Export,
  ExportFilter,
  Project,
  Share,
  Status,
  Task,
  TaskType,
  NewUpload,
  Upload,
  User,
} from 'clip-kit/contract';

const legacyWords: Readonly<Record<Status, string>> = {
  processing: 'in_progress',
  ready: 'completed',
  error: 'failed',
};

/** How the format differs between deployments (section 3.3). */
export interface Vocabulary {
  readonly legacy: boolean;
}

/** What the person of a task sees of it. */
type TaskFields = Partial<Omit<Task, 'type'>>;

/** An upload, with what has arrived of the file. */
export interface FakeUpload {
  readonly author: string;
  readonly upload: Upload;
  readonly bytes: Buffer;
}

const dayMs = 24 * 60 * 60 * 1000;

/**
 * The fake service's data: in memory, and changed only by requests and by the test, never by time.
 */
export class FakeWorld {
  /** The user of the key itself. */
  readonly owner = 'owner-1';
  readonly users = new Map<string, User>();
  readonly projects = new Map<string, Project>();
  readonly exports = new Map<string, Export>();
  /** What people have changed of a clip, if it was changed. */
  readonly changes = new Map<string, EditChanges>();
  /** Clips that people have made, by their keys. */
  readonly made = new Map<string, Project>();
  /** How long links are valid, and how many were made. */
  linkSeconds = 3600;
  linksMade = 0;
  /** Share links by their ids, with the clip or folder of each. */
  readonly shares = new Map<string, Share & { of: string }>();
  /** In the order of their creation. */
  readonly tasks = new Map<string, Task & { author: string }>();
  readonly uploads = new Map<string, FakeUpload>();
  /** What an upload was asked for with, and its id, by user and key. */
  readonly uploadKeys = new Map<string, { asked: string; id: string }>();
  /** What was started with a key and when, by user and key. */
  readonly startKeys = new Map<string, { readonly id: string; readonly at: number }>();
  /** Is told of each export that is started. */
  onExport: ((one: Export) => void) | null = null;
  readonly now: () => number;
  readonly #publicUrl: (exportId: string) => string;
  readonly #settled = new Map<string, () => void>();

  constructor(now: () => number, publicUrl: (exportId: string) => string) {
    this.now = now;
    this.#publicUrl = publicUrl;
  }

  /** What was started with a key; it is remembered for a day. */
  keyOf(author: string, key: string): { readonly id: string; readonly at: number } | undefined {
    const made = this.startKeys.get(`${author} ${key}`);
    return made && this.now() - made.at < dayMs ? made : undefined;
  }

  addUser(): User {
    const id = `user-${this.users.size + 1}-${randomUUID().slice(0, 8)}`;
    const user = { id, email: `${id}@guests.example`, organizationId: 'org-1', isGuest: true };
    this.users.set(id, user);
    return user;
  }

  addProject(author: string, folder: string | null = null, more: Partial<Project> = {}): Project {
    const project: Project = {
      id: randomUUID(),
      author_id: author,
      folder_id: folder,
      name: 'Clip no. 1',
      created_at: this.#iso(),
      virality_score: folder === null ? null : 0.5,
      virality_score_explanation: folder === null ? null : 'A question is asked and answered.',
      ...more,
    };
    this.projects.set(project.id, project);
    return project;
  }

  addTask(author: string, type: TaskType, more: TaskFields = {}): Task {
    const folder = type === 'video-to-shorts';
    const task = {
      id: randomUUID(),
      type,
      status: 'processing' as const,
      created_at: this.#iso(),
      output_type: folder ? ('folder' as const) : ('project' as const),
      output_id: folder ? randomUUID() : this.addProject(author).id,
      name: 'Upload',
      author,
      ...more,
    };
    this.tasks.set(task.id, task);
    return task;
  }

  /** Something happens to a task. */
  changeTask(taskId: string, more: TaskFields): void {
    this.tasks.set(taskId, { ...this.tasks.get(taskId)!, ...more });
  }

  /** The user's tasks, newest first. */
  tasksOf(author: string): Task[] {
    return [...this.tasks.values()].filter((task) => task.author === author).toReversed();
  }

  addUpload(author: string, { name, size }: NewUpload, urlOf: (id: string) => string): Upload {
    const id = randomUUID();
    const upload: Upload = {
      id,
      status: 'open',
      protocol: 'tus',
      url: urlOf(id),
      name,
      size,
      offset: 0,
      created_at: this.#iso(),
      expires_at: new Date(this.now() + dayMs).toISOString(),
    };
    this.uploads.set(id, { author, upload, bytes: Buffer.alloc(0) });
    return upload;
  }

  /** Bytes of an upload have arrived. */
  receive(uploadId: string, more: Uint8Array): void {
    const known = this.uploads.get(uploadId)!;
    const bytes = Buffer.concat([known.bytes, more]);
    const status = bytes.length === known.upload.size ? 'finished' : 'open';
    this.uploads.set(uploadId, {
      ...known,
      bytes,
      upload: { ...known.upload, offset: bytes.length, status },
    });
  }

  /** The upload, if it is this user's. */
  uploadOf(author: string, uploadId: string): Upload | null {
    const known = this.uploads.get(uploadId);
    return known?.author === author ? known.upload : null;
  }

  addExport(author: string, project: Project, watermarked = false): Export {
    const one: Export = {
      id: randomUUID(),
      status: 'processing',
      src_url: null,
      estimated_ready_at: new Date(this.now() + 40_000).toISOString(),
      project_id: project.id,
      created_at: this.#iso(),
      finished_at: null,
      name: project.name,
      author_id: author,
      folder_id: project.folder_id,
      descriptions: null,
      watermarked,
      // That of this moment: a later change does not reach the export.
      ...(project.revision !== undefined && { revision: project.revision }),
    };
    this.exports.set(one.id, one);
    this.onExport?.(one);
    return one;
  }

  /** Edits the clip. */
  edit(projectId: string, changes: EditChanges): void {
    const project = this.projects.get(projectId)!;
    this.projects.set(projectId, { ...project, revision: (project.revision ?? 1) + 1 });
    this.changes.set(projectId, changes);
  }

  editOf({ id, name, revision = 1 }: Project): EditDocument {
    const changes = this.changes.get(id) ?? {};
    const { start = 10, end = 30, title = name, style_preset_id = null } = changes;
    return {
      project_id: id,
      revision,
      editable: { start: 0, end: 60 },
      ranges: [{ start, end }],
      duration: end - start,
      words: [{ key: '0', start, end: start + 1, text: 'Hello' }],
      shots: [{ start, end, mode: 'crop', x: 0.5, y: 0.5, zoom: 1 }],
      title,
      titles: [name],
      description: changes.description ?? '',
      tags: changes.tags ?? [],
      cover: null,
      style_preset_id,
      music: null,
      intro: null,
      outro: null,
      captions: { position: null },
      editing_options: { captions: true },
      dimensions: { width: 1080, height: 1920 },
      changes,
      preview: 'preparing',
      edit: {},
    };
  }

  /** Ends a render. */
  finish(exportId: string, status: 'ready' | 'error' = 'ready'): Export {
    const one: Export = {
      ...this.exports.get(exportId)!,
      status,
      src_url: status === 'ready' ? this.#publicUrl(exportId) : null,
      finished_at: this.#iso(),
    };
    this.exports.set(exportId, one);
    this.#settled.get(exportId)?.();
    return one;
  }

  /** Ends every running render. */
  finishAll(): void {
    for (const { id, status } of this.exports.values())
      if (status === 'processing') this.finish(id);
  }

  /** Resolves once the export is no longer rendering. */
  settled(exportId: string): Promise<void> {
    if (this.exports.get(exportId)!.status !== 'processing') return Promise.resolve();
    return new Promise((resolve) => this.#settled.set(exportId, resolve));
  }

  /**
   * The clip, if it is this user's and in the folder of the path (any folder if the path has none).
   */
  clipOf(author: string, projectId: string, folder?: string): Project | null {
    const project = this.projects.get(projectId);
    return project?.author_id === author && (folder === undefined || project.folder_id === folder)
      ? project
      : null;
  }

  exportsOf(author: string, filter: ExportFilter): Export[] {
    return [...this.exports.values()].filter(
      (one) =>
        one.author_id === author &&
        (filter.folder_id === undefined || one.folder_id === filter.folder_id) &&
        (filter.project_id === undefined || one.project_id === filter.project_id),
    );
  }

  #iso(): string {
    return new Date(this.now()).toISOString();
  }
}

export const wireExport = (
  { watermarked, ...one }: Export,
  { legacy, hidesWatermark }: Vocabulary & { readonly hidesWatermark: boolean },
): object => ({
  ...one,
  ...(!hidesWatermark && { watermarked }),
  status: legacy ? legacyWords[one.status] : one.status,
  render_node: 'an internal field',
});

export const wireRecord = (one: Export, { legacy }: Vocabulary): object => ({
  id: one.id,
  status: legacy ? legacyWords[one.status] : one.status,
  projectId: one.project_id,
  estimatedReadyAt: one.estimated_ready_at,
  renderNode: 'an internal field',
});

export function wireTask(
  task: Task,
  { legacy, extensions }: Vocabulary & { readonly extensions: boolean },
): object {
  const { id, type, status, created_at, output_type, output_id, progress } = task;
  const { name, source_seconds, picture_url, clip_count, failure, notes, source_task_id } = task;
  const { metadata = {}, export_ids } = task;
  return {
    id,
    type: legacy ? type.replaceAll('-', '_') : type,
    status: legacy ? legacyWords[status] : status,
    created_at,
    output_type,
    output_id,
    ...(progress && { progress }),
    ...(extensions && {
      ...{
        name,
        source_seconds,
        picture_url,
        clip_count,
        failure,
        notes,
        source_task_id,
        metadata,
        export_ids,
      },
    }),
  };
}
