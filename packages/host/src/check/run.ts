import type { Need, Rule } from './rule.ts';
import { unchecked, type Verdict } from './verdict.ts';
import type { CheckWorld } from './world.ts';

export interface Result {
  readonly rule: Rule;
  readonly verdict: Verdict;
}

/** Why a rule cannot be checked, or null. */
async function missing(need: Need, world: CheckWorld): Promise<string | null> {
  const { project, start, other } = world.options;
  switch (need) {
    case 'project':
      return project === null ? 'no clip is known: use --project' : null;
    case 'start':
      return start ? null : 'it costs one export: use --start with --project';
    case 'other':
      return other === null ? 'it needs a second user: use --other-cookie' : null;
    case 'export':
      return (await world.sample()) === null
        ? 'the user has no export: use --start with --project, or log in as a user with an export'
        : null;
  }
}

async function verdictOf(rule: Rule, world: CheckWorld): Promise<Verdict> {
  for (const need of rule.needs ?? []) {
    const note = await missing(need, world);
    if (note !== null) return unchecked(note);
  }
  return rule.check(world);
}

/** Checks one rule after the other and reports each verdict at once. */
export async function runRules(
  world: CheckWorld,
  rules: readonly Rule[],
  report: (result: Result) => void = () => {},
): Promise<Result[]> {
  const results: Result[] = [];
  for (const rule of rules) {
    const result = { rule, verdict: await verdictOf(rule, world) };
    results.push(result);
    report(result);
  }
  return results;
}
