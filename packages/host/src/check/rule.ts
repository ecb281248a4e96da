import type { CheckWorld } from './world.ts';
import type { Verdict } from './verdict.ts';

/** What is needed to check a rule. */
export type Need =
  /** `--project`: a clip of the user. */
  | 'project'
  /** An export of the user, found in the list or started. */
  | 'export'
  /** `--start`: permission to start one export. */
  | 'start'
  /** `--other-cookie`: a second user. */
  | 'other';

/** One rule of the host contract, and how to check it from outside. */
export interface Rule {
  readonly id: string;
  /** What must hold, in one sentence. */
  readonly title: string;
  /** Why the rule exists. */
  readonly why: string;
  /** How to fix a host that breaks it. */
  readonly fix: string;
  /** True for a part that a host may omit. */
  readonly optional?: boolean;
  readonly needs?: readonly Need[];
  check(world: CheckWorld): Promise<Verdict>;
}
