import type { ProblemCode } from '../contract/problem.ts';
import type { HostProblem } from './host-problem.ts';
import type { HostAction } from './policy.ts';

/** What a user did that costs something or lets something out. Holds no key, token, cookie or address. */
export interface HostAuditEntry {
  /** ISO 8601. */
  readonly at: string;
  /** The site's own id of the user. */
  readonly user: string;
  readonly action: Exclude<HostAction, 'read'>;
  /** `replayed`: the same attempt again, nothing new was paid for. `unknown`: a start that may have gone through. */
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

/** Gathers what one request did, and makes the entry of it. */
export class AuditTrail {
  #facts: Facts | null = null;
  #replayed = false;

  /** Something begins that is to be accounted for. */
  begin(facts: Pick<Facts, 'user' | 'action' | 'projectId' | 'folderId'>): void {
    this.#facts = { exportId: null, taskId: null, ...facts };
  }

  /** What came of it. */
  note(came: { exportId?: string; taskId?: string; replayed?: boolean }): void {
    const { replayed = false, ...ids } = came;
    this.#replayed = replayed;
    if (this.#facts) this.#facts = { ...this.#facts, ...ids };
  }

  /** The entry, or null where the request did nothing of the kind. */
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
