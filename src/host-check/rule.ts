import type { CheckWorld } from './world.ts';
import type { Verdict } from './verdict.ts';

/** What a rule cannot be looked at without. */
export type Need =
  /** `--project`: a clip of the user. */
  | 'project'
  /** An export of the user, found in the list or started. */
  | 'export'
  /** `--start`: leave to start one export. */
  | 'start'
  /** `--other-cookie`: a second user. */
  | 'other';

/** One rule of the host contract, and how to see from outside whether it is kept. */
export interface Rule {
  readonly id: string;
  /** What must hold, in one sentence. */
  readonly title: string;
  /** What it is good for. */
  readonly why: string;
  /** What to do where it is broken. */
  readonly mend: string;
  /** True for a part that a host may leave out. */
  readonly optional?: boolean;
  readonly needs?: readonly Need[];
  check(world: CheckWorld): Promise<Verdict>;
}
