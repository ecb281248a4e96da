import { placedText } from '../caption-place.ts';
import type { Plan } from '../plan.ts';
import type { ClipLook } from './clip-look.ts';
import { framingFor } from './framing.ts';
import { isCut } from './output-shape.ts';
import { facesInOutput } from './seen-faces.ts';

/** The plan after its pictures have been looked at: windows follow what is seen in them, captions keep clear of faces. */
export function framedPlan(plan: Plan, look: ClipLook): Plan {
  const { unseen: _, ...rest } = plan;
  const framing = isCut(plan.source, plan.framing) ? framingFor(plan, look) : plan.framing;
  const faces = plan.captions.length > 0 || plan.title ? facesInOutput(plan, framing, look) : [];
  return placedText({ ...rest, framing, ...(faces.length > 0 && { faces }) });
}
