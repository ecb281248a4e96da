import type { Need, Rule } from './rule.ts';
import { unchecked, type Verdict } from './verdict.ts';
import type { CheckWorld } from './world.ts';

export interface Result {
  readonly rule: Rule;
  readonly verdict: Verdict;
}

/** Why a rule cannot be looked at, or null. */
const missing = async (need: Need, world: CheckWorld): Promise<string | null> => {
  const { project, start, other } = world.options;
  switch (need) {
    case 'project':
      return project === null ? 'no clip is known: give --project' : null;
    case 'start':
      return start ? null : 'it costs one export: give --start with --project';
    case 'other':
      return other === null ? 'it takes a second user: give --other-cookie' : null;
    case 'export':
      return (await world.sample()) === null
        ? 'the user has no export: give --start with --project, or log in as one who has'
        : null;
  }
};

const verdictOf = async (rule: Rule, world: CheckWorld): Promise<Verdict> => {
  for (const need of rule.needs ?? []) {
    const note = await missing(need, world);
    if (note !== null) return unchecked(note);
  }
  return rule.check(world);
};

/** Looks at one rule after the other, and tells each verdict as it comes. */
export const runRules = async (
  world: CheckWorld,
  rules: readonly Rule[],
  tell: (result: Result) => void = () => {},
): Promise<Result[]> => {
  const results: Result[] = [];
  for (const rule of rules) {
    const result = { rule, verdict: await verdictOf(rule, world) };
    results.push(result);
    tell(result);
  }
  return results;
};
