import type { Plan } from '../plan.ts';
import type { ClipLook } from './clip-look.ts';
import { framingFor } from './framing.ts';

/** The plan after its pictures have been looked at: the framing follows what is seen in them. */
export function framedPlan(plan: Plan, look: ClipLook): Plan {
  const { unseen: _, ...rest } = plan;
  return { ...rest, framing: framingFor(plan, look) };
}
