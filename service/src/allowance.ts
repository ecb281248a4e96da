import type { OrganizationTable } from './db/schema.ts';

/** What an organization has exported so far. */
export interface Usage {
  exports: number;
  /** Clips exported at least once. */
  clips: number;
  /** Whether the clip in question is one of them. */
  clipCounted: boolean;
}

/** Why an organization may not export now (4.6, rules 2 and 3); null where it may. */
export const refusal = (
  organization: Pick<OrganizationTable, 'plan' | 'export_allowance' | 'state'>,
  usage: Usage,
): string | null => {
  if (organization.state === 'paused') {
    return 'The subscription is paused: resume it to export clips.';
  }
  if (organization.state === 'past_due') {
    return 'The subscription is past due: settle the payment to export clips.';
  }
  const allowance = organization.export_allowance;
  if (allowance === null) return null;
  if (organization.plan === 'paid') {
    return usage.clipCounted || usage.clips < allowance
      ? null
      : `The plan allows ${allowance} clips to be exported, and all of them are used up.`;
  }
  return usage.exports < allowance
    ? null
    : `The plan allows ${allowance} exports, and all of them are used up.`;
};
