import type { Usage } from './queries.ts';
import type { PlanRow } from '../db/schema.ts';

/** The plan does not allow the export. */
export class ExportRefused extends Error {
  override name = 'ExportRefused';
}

/** Why an organization may not have an export (4.6, rules 2 and 3); null if it may. */
export function refusal(plan: PlanRow, usage: Usage): string | null {
  if (plan.state === 'paused') {
    return 'The subscription is paused: resume it to export clips.';
  }
  if (plan.state === 'past_due') {
    return 'The subscription is past due: settle the payment to export clips.';
  }
  const allowance = plan.export_allowance;
  if (allowance === null) return null;
  if (plan.plan === 'paid') {
    return !usage.isNewClip || usage.clips <= allowance
      ? null
      : `The plan allows ${allowance} clips to be exported, and all of them are used up.`;
  }
  return usage.exports <= allowance
    ? null
    : `The plan allows ${allowance} exports, and all of them are used up.`;
}

/** Throws {@link ExportRefused}. */
export function requireAllowance(plan: PlanRow, usage: Usage): void {
  const refused = refusal(plan, usage);
  if (refused !== null) throw new ExportRefused(refused);
}
