import { sql } from 'kysely';
import type { ServiceContext } from '../context.ts';
import { isOfTheInput, ProcessError } from '../media/process-error.ts';
import { errorText } from '../media/error-text.ts';
import { lookAtClip } from '../media/framing/clip-look.ts';
import { framedPlan } from '../media/framing/framed-plan.ts';
import { largestWindow } from '../media/framing/framing.ts';
import { isCut } from '../media/framing/output-shape.ts';
import type { Plan } from '../media/plan.ts';

/**
 * The project's plan with its framing: its pictures are looked at before it is rendered for the first time, and the plan is
 * kept. Where they cannot be, the first guess stays. Reports the share of the looking that is done.
 */
export const framed = async (
  service: ServiceContext,
  project: { id: string; plan: Plan },
  source: string,
  { signal, onProgress }: { signal: AbortSignal; onProgress?: (share: number) => void },
): Promise<Plan> => {
  const { id, plan } = project;
  if (!plan.unseen) return plan;
  const failed = (error: unknown) =>
    service.log({
      event: 'framing-failed',
      id,
      message: errorText(error),
    });
  const { unseen: _, ...guess } = plan;
  let kept: Plan = guess;
  try {
    const { faces, salient } = await service.finders();
    // Where nothing is cut, only captions can be in the way, and only of faces.
    const cut = isCut(plan.source, plan.framing);
    const finders = [...(faces ? [faces] : []), ...(cut ? [salient] : [])];
    const window = largestWindow(plan.source, plan.dimensions);
    if (finders.length > 0) {
      const look = await lookAtClip(source, {
        span: { start: plan.ranges[0]!.start, end: plan.ranges.at(-1)!.end },
        source: plan.source,
        shape: window.width / window.height,
        finders,
        signal,
        onBroken: failed,
        ...(onProgress && { onProgress }),
      });
      kept = framedPlan(plan, look);
    }
  } catch (error) {
    // What the machine is to blame for is tried again.
    if (!(error instanceof ProcessError) || !isOfTheInput(error)) throw error;
    failed(error);
  }
  // Whoever looked at it first decides, so that the preview and all exports show the same.
  await service.db
    .updateTable('projects')
    .set({ plan: JSON.stringify(kept) })
    .where('id', '=', id)
    .where(sql`plan -> 'unseen'`, 'is not', null)
    .execute();
  const { plan: stored } = await service.db
    .selectFrom('projects')
    .select('plan')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return stored;
};
