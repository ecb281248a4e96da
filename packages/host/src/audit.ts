import type { ProblemCode } from 'clip-kit/contract';
import type { HostProblem } from './http/host-problem.ts';
import type { HostAction } from './policy.ts';

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

type Facts = Pick<
  HostAuditEntry,
  'user' | 'action' | 'projectId' | 'folderId' | 'exportId' | 'taskId'
>;

/** Collects what one request did and builds its audit entry. */
export class AuditTrail {
  #facts: Facts | null = null;
  #replayed = false;

  /** Starts an action that must be audited. */
  begin(facts: Pick<Facts, 'user' | 'action' | 'projectId' | 'folderId'>): void {
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
