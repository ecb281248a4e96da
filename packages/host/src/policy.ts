import {
  listFieldErrors,
  type HostStartExport,
  hostStartExportSchema,
  type ProblemCode,
  type StartOptions,
  type StartOptionsInput,
} from 'clip-kit/contract';
import type { HostUser } from './users/account-tag.ts';
import type { HostProblem } from './http/host-problem.ts';

/**
 * The action of a user. `read` is any read of exports, projects, tasks or uploads. `edit`: reads or
 * changes what a clip shows, copies it, or makes one of another segment. `upload`: sends a file.
 * `task`: has clips made of a video. `delete`: deletes a video with its clips. `share`: makes,
 * lists or revokes links for anyone.
 */
export type HostAction =
  'token' | 'export' | 'download' | 'edit' | 'upload' | 'task' | 'delete' | 'share' | 'read';

/** A question that a policy decides. */
export interface HostAsk<User extends HostUser = HostUser> {
  readonly user: User;
  readonly action: HostAction;
  /**
   * The ids that the page sent, null if the call has none, as that for a token. Not yet known to
   * belong to the user.
   */
  readonly projectId: string | null;
  readonly folderId: string | null;
  readonly request: Request;
}

/** Options of an export: with a watermark, with a preset, or with neither; never with both. */
export type ExportOptions = Readonly<StartOptionsInput>;

/** Decides whether the user may do this. False is answered with 403. */
export type Authorize<User extends HostUser = HostUser> = (
  ask: HostAsk<User>,
) => boolean | Promise<boolean>;

/**
 * Chooses what is sent to the service, whatever the page requested. Use it to force a watermark or
 * to choose a preset.
 */
export type ChooseExportOptions<User extends HostUser = HostUser> = (
  asked: ExportOptions,
  ask: HostAsk<User>,
) => ExportOptions | Promise<ExportOptions>;

/** The options as they are sent. Throws a `TypeError` for options that the service would refuse. */
export function checkOptions(options: ExportOptions, body: HostStartExport): StartOptions {
  const checked = hostStartExportSchema.safeParse({ project_id: body.project_id, ...options });
  if (!checked.success) {
    const [first] = listFieldErrors(checked.error);
    throw new TypeError(`exportOptions returned invalid options: ${first?.path} ${first?.message}`);
  }
  const { watermark, preset_id } = checked.data;
  return { ...(watermark && { watermark }), ...(preset_id && { preset_id }) };
}

/**
 * An action of a user that costs something or gives something out. Contains no key, token, cookie
 * or address.
 */
export interface HostAuditEntry {
  /** ISO 8601. */
  readonly at: string;
  /** The site's own id of the user. */
  readonly user: string;
  readonly action: Exclude<HostAction, 'read'>;
  /**
   * `replayed`: the same attempt again, with no new cost. `unknown`: a start that may have
   * succeeded.
   */
  readonly outcome: 'done' | 'replayed' | 'refused' | 'failed' | 'unknown';
  readonly projectId: string | null;
  readonly folderId: string | null;
  readonly exportId: string | null;
  readonly taskId: string | null;
  /** Why it was refused or failed. */
  readonly code: ProblemCode | null;
}

type Facts = Omit<HostAuditEntry, 'at' | 'outcome' | 'code'>;

/** Collects what one request did and builds its audit entry. */
export class AuditTrail {
  #facts: Facts | null = null;
  #replayed = false;

  /** Starts an action that must be audited. */
  begin(facts: Omit<Facts, 'exportId' | 'taskId'>): void {
    this.#facts = { exportId: null, taskId: null, ...facts };
  }

  /** Adds the result of the action. */
  note(result: { exportId?: string; taskId?: string; replayed?: boolean }): void {
    const { replayed = false, ...ids } = result;
    this.#replayed = replayed;
    if (this.#facts) this.#facts = { ...this.#facts, ...ids };
  }

  /** The entry, or null if the request did nothing that must be audited. */
  entry(now: number, problem: HostProblem | null): HostAuditEntry | null {
    if (!this.#facts) return null;
    const outcome = problem
      ? problem.details.unknownOutcome
        ? 'unknown'
        : problem.status < 500
          ? 'refused'
          : 'failed'
      : this.#replayed
        ? 'replayed'
        : 'done';
    return {
      at: new Date(now).toISOString(),
      ...this.#facts,
      outcome,
      code: problem?.code ?? null,
    };
  }
}
