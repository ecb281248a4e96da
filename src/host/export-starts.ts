import type { ServiceClient } from '../client/service-client.ts';
import type { Export, StartedExport } from '../contract/export.ts';
import type { HostStartExport } from '../contract/host.ts';
import { HostProblem } from './host-problem.ts';
import type { ManagedUsers } from './managed-users.ts';
import type { ServiceVariant } from './service-variant.ts';
import type { Attempt, HostStore } from './store.ts';
import { upstreamProblem } from './upstream-problem.ts';

/** How far the service's clock may be from ours when an export is looked for by the time of its making, in milliseconds. */
const clockTolerance = 60_000;

/** After this long an attempt that is still open has lost its process: longer than a start may take, in milliseconds. */
const startPatience = 120_000;

export interface StartAnswer {
  readonly export: Export;
  /** True when an earlier request with the same key had started it. */
  readonly replayed: boolean;
}

type SentOptions = Pick<HostStartExport, 'watermark' | 'preset_id'>;
type SentStart = ClipOfAttempt & { readonly options: SentOptions };

/** The request in one spelling, whatever the order of its fields was. */
export const canonicalRequest = (body: HostStartExport): string =>
  JSON.stringify([
    body.project_id,
    body.folder_id ?? null,
    body.preset_id ?? null,
    body.watermark
      ? [body.watermark.src_url, body.watermark.pos_x, body.watermark.pos_y, body.watermark.scale]
      : null,
  ]);

/**
 * Starts paid exports, once for each attempt key. A start whose outcome is not known is never repeated before the
 * clip's exports have been searched for it.
 */
export class ExportStarts {
  readonly #service: ServiceClient;
  readonly #variant: ServiceVariant;
  readonly #users: ManagedUsers;
  readonly #store: HostStore;
  readonly #now: () => number;
  readonly #running = new Map<string, Promise<Export>>();

  constructor(
    service: ServiceClient,
    variant: ServiceVariant,
    users: ManagedUsers,
    store: HostStore,
    now: () => number,
  ) {
    this.#service = service;
    this.#variant = variant;
    this.#users = users;
    this.#store = store;
    this.#now = now;
  }

  /**
   * `body`: as the page sent it, by which the same attempt is known. `options`: what is sent to the service. `pay`: called
   * before something new is started; where it throws, nothing is.
   */
  async start(
    hostUser: string,
    key: string,
    body: HostStartExport,
    options: SentOptions,
    pay: () => Promise<void>,
  ): Promise<StartAnswer> {
    const attempt: Attempt = {
      key,
      hostUser,
      request: canonicalRequest(body),
      startedAt: this.#now(),
      state: 'open',
      exportId: null,
    };
    const known = await this.#store.claimAttempt(attempt);
    const sent = { ...body, options };
    if (!known) return { export: await this.#run(attempt, sent, pay), replayed: false };
    if (known.request !== attempt.request) {
      throw new HostProblem('attempt-mismatch', {
        detail: 'This Idempotency-Key was used for another export. Use a new key for a new export.',
      });
    }
    const found = await this.#settle(known, body);
    if (found) return { export: found, replayed: true };
    if (this.#mayBeInFlight(known) || !(await this.#store.moveAttempt(known, attempt))) {
      throw new HostProblem('service-timeout', { unknownOutcome: true });
    }
    return { export: await this.#run(attempt, sent), replayed: false };
  }

  /** The export of an attempt; without one, whether its start may still be on its way. */
  async find(
    hostUser: string,
    key: string,
  ): Promise<{ readonly export: Export | null; readonly inFlight: boolean }> {
    const attempt = await this.#store.attempt(hostUser, key);
    if (!attempt) return { export: null, inFlight: false };
    const found = await this.#settle(attempt, clipOf(attempt));
    return { export: found, inFlight: !found && this.#mayBeInFlight(attempt) };
  }

  /**
   * One that is open here but not running is held by another process, or its process has ended: time tells which.
   */
  #mayBeInFlight({ state, startedAt }: Attempt): boolean {
    return state === 'open' && this.#now() - startedAt <= startPatience;
  }

  #run(attempt: Attempt, body: SentStart, pay?: () => Promise<void>): Promise<Export> {
    const name = JSON.stringify([attempt.hostUser, attempt.key]);
    const running = this.#send(attempt, body, pay).finally(() => this.#running.delete(name));
    this.#running.set(name, running);
    return running;
  }

  async #send(attempt: Attempt, body: SentStart, pay?: () => Promise<void>): Promise<Export> {
    const { hostUser, key } = attempt;
    const clip = { projectId: body.project_id, folderId: body.folder_id ?? null };
    let started: StartedExport;
    let author = '';
    try {
      // Not for one that is taken up again: refused now, the page would take it for one that was never started.
      await pay?.();
      // The caller's signal is left out on purpose: a page that is closed must not leave a start half sent.
      started = await this.#users.with(hostUser, (onBehalfOf) => {
        author = onBehalfOf;
        return this.#variant.startExport(clip, body.options, { onBehalfOf });
      });
    } catch (cause) {
      const problem = upstreamProblem(cause, 'clip', true);
      await this.#note(
        problem.details.unknownOutcome
          ? this.#store.moveAttempt(attempt, { ...attempt, state: 'unknown' })
          : this.#store.dropAttempt(hostUser, key),
      );
      throw problem;
    }
    await this.#note(
      this.#store.moveAttempt(attempt, { ...attempt, state: 'settled', exportId: started.id }),
    );
    if ('project_id' in started) return started;
    try {
      return await this.#variant.getExport(clip, started.id, { onBehalfOf: author });
    } catch {
      // The export is started and paid for: a failed look at it must not make the start fail.
      return {
        id: started.id,
        status: started.status,
        src_url: null,
        estimated_ready_at: started.estimatedReadyAt,
        project_id: started.projectId,
        created_at: new Date(attempt.startedAt).toISOString(),
        finished_at: null,
        name: '',
        author_id: author,
        folder_id: clip.folderId,
        descriptions: null,
        watermarked: body.options.watermark !== undefined,
      };
    }
  }

  /** A store that fails now must not hide what became of the start: an attempt left open is settled by a search later. */
  async #note(writing: Promise<unknown>): Promise<void> {
    await writing.catch(() => {});
  }

  async #settle(attempt: Attempt, body: ClipOfAttempt): Promise<Export | null> {
    const { hostUser, key } = attempt;
    const running = this.#running.get(JSON.stringify([hostUser, key]));
    if (running) return running;
    const clip = { projectId: body.project_id, folderId: body.folder_id ?? null };
    try {
      if (attempt.exportId !== null) {
        const { exportId } = attempt;
        return await this.#users.with(hostUser, (onBehalfOf) =>
          this.#variant.getExport(clip, exportId, { onBehalfOf }),
        );
      }
      const exports = await this.#users.with(hostUser, (onBehalfOf) =>
        this.#service.listExports({ project_id: body.project_id }, { onBehalfOf }),
      );
      const since = attempt.startedAt - clockTolerance;
      const recent = exports.filter(({ created_at }) => Date.parse(created_at) >= since);
      const taken = await this.#store.attributed(recent.map(({ id }) => id));
      // The oldest that no other attempt has: a later one may belong to an attempt that is still open.
      const found = recent
        .filter(({ id }) => !taken.has(id))
        .toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at))[0];
      if (!found) return null;
      const settled: Attempt = { ...attempt, state: 'settled', exportId: found.id };
      await this.#note(this.#store.moveAttempt(attempt, settled));
      return found;
    } catch (cause) {
      throw upstreamProblem(cause, 'export');
    }
  }
}

type ClipOfAttempt = Pick<HostStartExport, 'project_id' | 'folder_id'>;

const clipOf = (attempt: Attempt): ClipOfAttempt => {
  const [project_id, folder_id] = JSON.parse(attempt.request) as [string, string | null];
  return { project_id, ...(folder_id === null ? {} : { folder_id }) };
};
