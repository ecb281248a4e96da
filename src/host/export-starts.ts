import type { ServiceClient } from '../client/service-client.ts';
import type { Export, StartedExport } from '../contract/export.ts';
import type { HostStartExport, StartOptions } from '../contract/host.ts';
import { HostProblem } from './host-problem.ts';
import type { ManagedUsers } from './managed-users.ts';
import type { ServiceVariant } from './service-variant.ts';
import type { Attempt, HostStore } from './store.ts';
import { upstreamProblem } from './upstream-problem.ts';

/**
 * Maximum expected difference between the service's clock and ours, used to find an export by its
 * creation time.
 */
const clockToleranceMs = 60_000;

/**
 * An attempt that is open for longer than this has lost its process. Longer than any start takes.
 */
const maxStartMs = 120_000;

export interface StartAnswer {
  readonly export: Export;
  /** True if an earlier request with the same key had started it. */
  readonly replayed: boolean;
}

type SentStart = ClipOfAttempt & { readonly options: StartOptions };

/** The request as one canonical string, independent of the order of its fields. */
const canonicalRequest = (body: HostStartExport): string =>
  JSON.stringify([
    body.project_id,
    body.folder_id ?? null,
    body.preset_id ?? null,
    body.watermark
      ? [body.watermark.src_url, body.watermark.pos_x, body.watermark.pos_y, body.watermark.scale]
      : null,
  ]);

/**
 * Starts paid exports, once for each attempt key. A start with an unknown outcome is never repeated
 * before the service has been asked for it: by its key, or, if the service keeps no keys, by a
 * search in the clip's exports.
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
   * `body`: the request as the page sent it; it identifies the attempt. `options`: what is sent to
   * the service. `pay`: called before something new is started; if it throws, nothing is started.
   */
  async start(
    hostUser: string,
    key: string,
    body: HostStartExport,
    options: StartOptions,
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
    const { found, keepsKeys } = await this.#settle(known, body);
    if (found) return { export: found, replayed: true };
    // A service that keeps keys starts nothing twice: no need to wait for what may be in flight.
    if (
      (!keepsKeys && this.#mayBeInFlight(known)) ||
      !(await this.#store.moveAttempt(known, attempt))
    ) {
      throw new HostProblem('service-timeout', { unknownOutcome: true });
    }
    return { export: await this.#run(attempt, sent), replayed: false };
  }

  /**
   * The export of an attempt. If there is none, `inFlight` says whether its start may still be
   * running.
   */
  async find(
    hostUser: string,
    key: string,
  ): Promise<{ readonly export: Export | null; readonly inFlight: boolean }> {
    const attempt = await this.#store.attempt(hostUser, key);
    if (!attempt) return { export: null, inFlight: false };
    const { found } = await this.#settle(attempt, clipOf(attempt));
    return { export: found, inFlight: !found && this.#mayBeInFlight(attempt) };
  }

  /**
   * An attempt that is open but not running here belongs to another process, or its process has
   * ended. Only time can tell which.
   */
  #mayBeInFlight({ state, startedAt }: Attempt): boolean {
    return state === 'open' && this.#now() - startedAt <= maxStartMs;
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
      // Not called for a resumed attempt: a refusal now would tell the page that it was never
      // started.
      await pay?.();
      // Do not pass the caller's signal: closing the page must not interrupt a start.
      started = await this.#users.with(hostUser, (onBehalfOf) => {
        author = onBehalfOf;
        return this.#variant.startExport(clip, body.options, { onBehalfOf, idempotencyKey: key });
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
      // The export is started and paid for, so a failed read must not fail the start.
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

  /**
   * A store failure must not hide the result of the start. A later search settles an attempt that
   * stays open.
   */
  async #note(writing: Promise<unknown>): Promise<void> {
    await writing.catch(() => {});
  }

  async #settle(attempt: Attempt, body: ClipOfAttempt): Promise<Settled> {
    const { hostUser, key } = attempt;
    const running = this.#running.get(JSON.stringify([hostUser, key]));
    if (running) return { found: await running };
    const clip = { projectId: body.project_id, folderId: body.folder_id ?? null };
    try {
      if (attempt.exportId !== null) {
        const { exportId } = attempt;
        return {
          found: await this.#users.with(hostUser, (onBehalfOf) =>
            this.#variant.getExport(clip, exportId, { onBehalfOf }),
          ),
        };
      }
      const { exports, keepsKeys } = await this.#users.with(hostUser, (onBehalfOf) =>
        this.#service.findExports(key, { project_id: body.project_id }, { onBehalfOf }),
      );
      const found = keepsKeys ? exports[0] : await this.#likely(attempt, exports);
      if (!found) return { found: null, keepsKeys };
      const settled: Attempt = { ...attempt, state: 'settled', exportId: found.id };
      await this.#note(this.#store.moveAttempt(attempt, settled));
      return { found };
    } catch (cause) {
      throw upstreamProblem(cause, 'export');
    }
  }

  /**
   * The export that the attempt has probably started: the oldest since then without an attempt. A
   * later one may belong to an attempt that is still open.
   */
  async #likely(attempt: Attempt, exports: readonly Export[]): Promise<Export | undefined> {
    const since = attempt.startedAt - clockToleranceMs;
    const recent = exports.filter(({ created_at }) => Date.parse(created_at) >= since);
    const taken = await this.#store.attributed(recent.map(({ id }) => id));
    return recent
      .filter(({ id }) => !taken.has(id))
      .toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at))[0];
  }
}

interface Settled {
  readonly found: Export | null;
  /** True if the service has no export for the key, and would start none twice. */
  readonly keepsKeys?: boolean;
}

type ClipOfAttempt = Pick<HostStartExport, 'project_id' | 'folder_id'>;

function clipOf(attempt: Attempt): ClipOfAttempt {
  const [project_id, folder_id] = JSON.parse(attempt.request) as [string, string | null];
  return { project_id, ...(folder_id === null ? {} : { folder_id }) };
}
