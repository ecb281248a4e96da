import {
  changePlan,
  changeQueueWeight,
  createKey,
  createOrganization,
  listKeys,
  listOrganizations,
  listPlans,
  removeKey,
} from '../../users/queries.ts';
import { eraseOrganization } from '../../tasks/deletion-queries.ts';
import { type Command, CommandError, type Given, organizationOf, UsageError } from './command.ts';

export const organizations: Command = {
  forms: [
    ['organizations', 'lists them'],
    ['organizations create NAME', 'makes one, and shows its key once'],
    ['organizations erase ID --yes', 'erases one with its users, keys, tasks and exports'],
  ],
  options: { yes: { type: 'boolean' } },
  async run(db, { words: [verb, word, ...more], options }) {
    if (more.length > 0) throw new UsageError();
    if (verb === undefined) return listOrganizations(db);
    if (verb === 'create' && word) {
      const { id, apiKey } = await createOrganization(db, word);
      return [{ id, api_key: apiKey }];
    }
    if (verb !== 'erase' || !word) throw new UsageError();
    const id = await organizationOf(db, word);
    if (!options['yes']) {
      throw new CommandError(`Nothing was erased. Add --yes to erase organization ${id} for good.`);
    }
    await eraseOrganization(db, id);
    return `Organization ${id} is erased. Its files go while the service runs.`;
  },
};

export const keys: Command = {
  forms: [
    ['keys [ORGANIZATION]', 'lists its keys, without the keys themselves'],
    ['keys create [ORGANIZATION]', 'makes another one, and shows it once'],
    ['keys remove KEY_ID', 'refuses a key from now on'],
  ],
  async run(db, { words: [verb, word, ...more] }) {
    if (more.length > 0) throw new UsageError();
    if (verb === 'create')
      return [{ api_key: await createKey(db, await organizationOf(db, word)) }];
    if (verb === 'remove' && word) {
      if (await removeKey(db, word)) return `Key ${word} is removed.`;
      throw new CommandError(
        `There is no key ${word} that was made. One of the environment is replaced there (CLIP_API_KEY).`,
      );
    }
    if (word !== undefined) throw new UsageError();
    return listKeys(db, await organizationOf(db, verb));
  },
};

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
