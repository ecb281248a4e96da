import { cp, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { loadPresets } from 'clip-engine';
import type { Plan } from '../../src/config/config.ts';
import type { Service } from '../../src/service.ts';
import { changePlan, createKey, createOrganization } from '../../src/users/queries.ts';
import { createApp } from '../../src/api/app.ts';
import { ingestRows, fetchTaskSource } from '../../src/worker/ingest.ts';
import { makeRowJob } from '../../src/worker/run-job.ts';
import { makeFootage } from 'clip-testkit/footage';
import { JobWorld } from './job-world.ts';
import { insertLibrary, settleExport, type Library } from 'clip-testkit/rows';
import { startSourceServer, type SourceServer } from 'clip-testkit/source-server';
import { ApiCalls } from 'clip-testkit/world';

/**
 * The API without a socket, on a service that only fetches sources: what is started stays queued
 * until the test changes its row.
 */
export class QuietWorld extends ApiCalls {
  readonly jobs: JobWorld;
  readonly url: string;
  readonly #service: Service;
  readonly #app: ReturnType<typeof createApp>;
  readonly #stopListening: () => Promise<void>;

  private constructor(jobs: JobWorld, service: Service, key: string, sources: SourceServer) {
    const app = createApp(service);
    super((path, init) => app.request(path, init, {}), key, sources);
    this.jobs = jobs;
    this.url = service.publicUrl();
    this.#service = service;
    this.#app = app;
    this.#stopListening = jobs.database.listen(service.changes);
  }

  static async start(changes: Partial<Service> = {}): Promise<QuietWorld> {
    const jobs = await JobWorld.open();
    const footage = join(jobs.directory, 'footage');
    await mkdir(footage);
    await makeFootage(footage);
    const waits = { ingestWaitMs: 3_600_000, downloadWaitMs: 3_600_000 };
    const presets = await loadPresets(undefined);
    const service = { ...jobs.service, presets, ...waits, ...changes };
    await service.queue.work(
      'ingest',
      { concurrency: 4 },
      makeRowJob(service, ingestRows, fetchTaskSource),
    );
    const key = await createKey(service.db, jobs.user.organization_id);
    return new QuietWorld(jobs, service, key, await startSourceServer(footage));
  }

  async close(): Promise<void> {
    await this.#stopListening();
    await this.sources.close();
    await this.jobs.close();
  }

  /** The API with other settings. */
  calls(changes: Partial<Service>): ApiCalls {
    const app = createApp({ ...this.#service, ...changes });
    return new ApiCalls((path, init) => app.request(path, init, {}), this.key, this.sources);
  }

  /** As a browser does: any address of the service. */
  fetch = async (url: string, init: RequestInit = {}): Promise<Response> =>
    this.#app.request(url, init, {});

  createOrganization = (name: string) => createOrganization(this.jobs.service.db, name);

  setPlan = (plan: Partial<Plan>, organizationId: string) =>
    changePlan(this.jobs.service.db, plan, organizationId);

  /** A clip of a user, or of the owner of an organization, that has no file of its source. */
  addClip(whose: Parameters<typeof insertLibrary>[1] = {}): Promise<Library> {
    return insertLibrary(this.jobs.service.db, { ...whose, renderable: true });
  }

  /** What a render does at its end: the export is ready, with a file. */
  async finish(id: string): Promise<void> {
    const { db, storage } = this.jobs.service;
    const file = join(this.jobs.directory, 'work', id);
    await cp(join(this.jobs.directory, 'footage', 'scene.mp4'), file);
    await storage.put(`exports/${id}/1-a.mp4`, file);
    await settleExport(db, id);
  }

  /** What is kept under `files/sources` or the like, in order. */
  async kept(path: string): Promise<string[]> {
    return (await readdir(join(this.jobs.directory, path)).catch(() => [])).sort();
  }
}
