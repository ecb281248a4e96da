import { changePlan, changeQueueWeight, listPlans } from '../../users/queries.ts';
import { CommandError, UsageError, type Command, type Given } from './command.ts';
import { organizationOf } from './organization.ts';

function choice<T extends string>(
  { options }: Given,
  name: string,
  choices: readonly T[],
): T | undefined {
  const given = options[name];
  const found = choices.find((one) => one === given);
  if (given === undefined || found !== undefined) return found;
  throw new CommandError(`--${name} must be one of ${choices.join(', ')}.`);
}

function number({ options }: Given, name: string, min: number, max: number): number | undefined {
  const given = options[name];
  if (given === undefined) return undefined;
  const value = Number(given);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new CommandError(`--${name} must be a whole number from ${min} to ${max}.`);
}

export const plans: Command = {
  forms: [
    ['plans', 'lists plans, and what was exported'],
    [
      'plans set [ORGANIZATION] [--plan free|paid] [--allowance N|none] [--state STATE] [--weight N]',
      'changes what is given; STATE is active, paused or past_due',
    ],
  ],
  options: {
    plan: { type: 'string' },
    allowance: { type: 'string' },
    state: { type: 'string' },
    weight: { type: 'string' },
  },
  async run(db, given) {
    const [verb, word, ...more] = given.words;
    if (verb === undefined) return listPlans(db);
    if (verb !== 'set' || more.length > 0) throw new UsageError();
    const id = await organizationOf(db, word);
    const plan = choice(given, 'plan', ['free', 'paid']);
    const state = choice(given, 'state', ['active', 'paused', 'past_due']);
    const exportAllowance =
      given.options['allowance'] === 'none' ? null : number(given, 'allowance', 0, 999_999_999);
    const weight = number(given, 'weight', 1, 60);
    await changePlan(
      db,
      {
        ...(plan && { plan }),
        ...(state && { state }),
        ...(exportAllowance !== undefined && { exportAllowance }),
      },
      id,
    );
    if (weight !== undefined) await changeQueueWeight(db, weight, id);
    return (await listPlans(db)).filter(({ organization }) => organization === id);
  },
};
