import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { BlockList } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { LogEntry } from '../../src/config/config.ts';
import type { Service } from '../../src/service.ts';
import { Changes } from '../../src/operations/changes.ts';
import { ensureFirstOrganization } from '../../src/users/queries.ts';
import type { Db, StoredSource, ProjectRow, UserRow } from '../../src/db/schema.ts';
import type { ClipWithSource } from '../../src/clips/queries.ts';
import { shareBeforePreviews } from '../../src/clips/preview-queries.ts';
import { isDrained, MachineHealth } from '../../src/operations/machine-health.ts';
import { openDatabase, type OpenDatabase } from '../../src/db/open.ts';
import type { WorkKind } from '../../src/queue/queue.ts';
import { Estimates } from '../../src/exports/forecast.ts';
import { beginAttempt, type JobAttempt } from '../../src/queue/attempt-queries.ts';
import { openQueue, type Clock } from '../../src/queue/open.ts';
import { makeFinders, type Edit } from 'clip-engine';
import { sentFiles } from '../../src/storage/public-files.ts';
import { createDiskIncomingFiles, createDiskStorage } from '../../src/storage/disk.ts';
import { completeUploadLimits } from '../../src/uploads/rules.ts';
import { UsageLimits } from '../../src/users/limits.ts';
import { openTokens } from '../../src/users/tokens.ts';
import { CollectedViews } from '../../src/views/collected.ts';
import { Links } from '../../src/links/links.ts';
import { openLinkKeys } from '../../src/links/queries.ts';
import { prepareDatabase } from 'clip-testkit/prepared-database';
import { noInputs } from 'clip-testkit/span-edit';

/**
 * What the jobs work with, without the server around it: rows are put in, and a job is called by
 * its own name.
 */
export class JobWorld {
  readonly service: Service;
  readonly database: OpenDatabase;
  readonly directory: string;
  readonly user: UserRow;
  readonly log: LogEntry[];

  private constructor(
    service: Service,
    database: OpenDatabase,
    directory: string,
    user: UserRow,
    log: LogEntry[],
  ) {
    this.service = service;
    this.database = database;
    this.directory = directory;
    this.user = user;
    this.log = log;
  }

  static async open(clock?: Clock): Promise<JobWorld> {
    const directory = await mkdtemp(join(tmpdir(), 'clip-jobs-'));
    const workDirectory = join(directory, 'work');
    await mkdir(workDirectory);
    await prepareDatabase(directory);
    const database = await openDatabase({ dataDir: directory });
    const { db } = database;
    const log: LogEntry[] = [];
    const tell = (entry: LogEntry) => void log.push(entry);
    await ensureFirstOrganization(db, []);
    const user = await db.selectFrom('users').selectAll().executeTakeFirstOrThrow();
    const changes = new Changes(db);
    const queue = await openQueue(database, tell, false, clock);
    const service: Service = {
      db,
      changes,
      workDirectory,
      log: tell,
      metrics: null,
      limits: new UsageLimits(),
      pages: {},
      hostSite: null,
      proxies: new BlockList(),
      presets: new Map(),
      ranking: null,
      exportQuality: 'standard',
      translator: null,
      transcribers: [],
      recognisesSpeech: false,
      speechModelState: null,
      allowPrivateSources: true,
      ingestWaitMs: 0,
      editQuietSeconds: 3,
      downloadWaitMs: 0,
      segments: false,
      storage: createDiskStorage(join(directory, 'files')),
      incomingFiles: createDiskIncomingFiles(join(directory, 'files')),
      uploadLimits: completeUploadLimits(),
      untakenUploadDays: 7,
      files: sentFiles,
      queue,
      machine: new MachineHealth({
        queue,
        log: tell,
        workDirectory,
        isOutdated: () => database.isOutdated(),
        isDrained: () => isDrained(db),
        clockSkewMs: async () => 0,
      }),
      tokens: await openTokens(db, 3600),
      links: new Links({
        byDefault: false,
        keys: await openLinkKeys(db),
        settingOf: (organizationId) => changes.accounts.privateClips(organizationId),
        files: sentFiles,
        publicUrl: () => 'http://service.test',
      }),
      estimates: new Estimates(db),
      views: new CollectedViews(db, tell),
      closing: new AbortController().signal,
      publicUrl: () => 'http://service.test',
      indexPlayerPages: false,
      maxSourceSeconds: Infinity,
      finders: makeFinders({ faces: false }),
    };
    return new JobWorld(service, database, directory, user, log);
  }

  async close(): Promise<void> {
    await this.service.queue.stop();
    await this.service.views.write();
    await this.database.close();
    await rm(this.directory, { recursive: true, force: true });
  }

  /**
   * A task that is processing, with a source of its own (the file is taken) and clips by their
   * edits. Without any it waits for its scan.
   */
  /** Stores a file that nobody reads. */
  async put(key: string): Promise<string> {
    const file = join(this.directory, randomUUID());
    await writeFile(file, key);
    await this.service.storage.put(key, file);
    return key;
  }

  async addTask(
    edits: readonly Edit[],
    file?: string,
  ): Promise<{ id: string; source: StoredSource; projects: ClipWithSource[] }> {
    const id = randomUUID();
    const key = `sources/${id}/video.mp4`;
    const bytes = file ? (await stat(file)).size : key.length;
    await (file ? this.service.storage.put(key, file) : this.put(key));
    const media = { duration: 4, width: 320, height: 180, frameRate: 25, hasAudio: true };
    const source: StoredSource = {
      key,
      transcriptKey: null,
      bytes,
      media: { ...media, videoCodec: 'h264', audioCodec: 'aac' },
    } as StoredSource;
    const { db } = this.service;
    await db
      .insertInto('tasks')
      .values({
        id,
        type: 'video-to-shorts',
        author_id: this.user.id,
        request: '{}',
        source: JSON.stringify(source),
        output_type: 'project',
        output_id: randomUUID(),
        status: 'processing',
        stage: edits.length > 0 ? 'preview' : 'queued',
        share: edits.length > 0 ? shareBeforePreviews : 0,
        scanned: edits.length > 0,
        finished_at: null,
        failure_code: null,
        failure_message: null,
      })
      .execute();
    if (edits.length === 0) return { id, source, projects: [] };
    const projects = await db
      .insertInto('projects')
      .values(
        edits.map((edit, position) => ({
          id: randomUUID(),
          author_id: this.user.id,
          task_id: id,
          folder_id: null,
          position,
          name: 'Clip',
          virality_score: null,
          virality_score_explanation: null,
          edit: JSON.stringify(edit),
          preview: 'preparing' as const,
          preview_key: null,
          poster_key: null,
        })),
      )
      .returningAll()
      .execute();
    await db
      .insertInto('edits')
      .values(
        projects.map((project) => ({ project_id: project.id, inputs: JSON.stringify(noInputs) })),
      )
      .execute();
    return { id, source, projects: projects.map((project) => ({ ...project, source })) };
  }

  /** An export of the clip that is queued. */
  async addExport(
    project: ProjectRow,
    more: { copied?: boolean; author_id?: string; turn?: number } = {},
    db: Db = this.service.db,
  ): Promise<string> {
    const id = randomUUID();
    await db
      .insertInto('exports')
      .values({
        id,
        organization_id: this.user.organization_id,
        author_id: this.user.id,
        project_id: project.id,
        folder_id: null,
        name: 'Clip',
        duration: 1,
        edit: JSON.stringify(project.edit),
        style: null,
        watermark: null,
        status: 'processing',
        stage: 'queued',
        share: 0,
        work: 1000,
        file_key: null,
        failure_code: null,
        failure_message: null,
        finished_at: null,
        started_at: null,
        share_at: null,
        estimated_ready_at: new Date(),
        ...more,
      })
      .execute();
    return id;
  }

  /** The next attempt at a row. */
  async begin(kind: WorkKind, id: string): Promise<JobAttempt> {
    return (await beginAttempt(this.service.db, kind, id))!.attempt;
  }

  exportRow(id: string) {
    return this.service.db
      .selectFrom('exports')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  }
}

/** The world of a suite: opened before its tests, and closed after them. */
export function jobWorld(): () => JobWorld {
  let world: JobWorld | undefined;
  before(async () => {
    world = await JobWorld.open();
  });
  after(() => world?.close());
  return () => world!;
}
