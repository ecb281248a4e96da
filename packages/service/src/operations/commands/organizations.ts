import { isRemoteUrl } from 'clip-engine';
import { isOrigin } from '../../config/environment.ts';
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
import {
  type Command,
  CommandError,
  type Given,
  chooseOrganization,
  CommandUsageError,
} from './command.ts';
import {
  createHostSecret,
  findHostSite,
  listHostSites,
  removePreviousHostSecret,
  setHostOrigins,
} from '../../users/host-queries.ts';
import { replaceTokenSecret } from '../../users/tokens.ts';
import { makeSecret } from '../../webhooks/endpoint-queries.ts';
import {
  listFailedDeliveries,
  listWebhooks,
  readWebhook,
  sendAgain,
  writeWebhook,
} from '../../webhooks/queries.ts';

export const organizations: Command = {
  forms: [
    ['organizations', 'lists them'],
    ['organizations create NAME', 'creates one, and shows its key once'],
    ['organizations erase ID --yes', 'erases one with its users, keys, tasks and exports'],
  ],
  options: { yes: { type: 'boolean' } },
  async run(db, { words: [verb, word, ...more], options }) {
    if (more.length > 0) throw new CommandUsageError();
    if (verb === undefined) return listOrganizations(db);
    if (verb === 'create' && word) {
      const { id, apiKey } = await createOrganization(db, word);
      return [{ id, api_key: apiKey }];
    }
    if (verb !== 'erase' || !word) throw new CommandUsageError();
    const id = await chooseOrganization(db, word);
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
    ['keys create [ORGANIZATION]', 'creates another one, and shows it once'],
    ['keys remove KEY_ID', 'revokes a key'],
  ],
  async run(db, { words: [verb, word, ...more] }) {
    if (more.length > 0) throw new CommandUsageError();
    if (verb === 'create')
      return [{ api_key: await createKey(db, await chooseOrganization(db, word)) }];
    if (verb === 'remove' && word) {
      if (await removeKey(db, word)) return `Key ${word} is removed.`;
      throw new CommandError(
        `There is no stored key ${word}. The key of the environment is changed there (CLIP_API_KEY).`,
      );
    }
    if (word !== undefined) throw new CommandUsageError();
    return listKeys(db, await chooseOrganization(db, verb));
  },
};

function readChoice<T extends string>(
  { options }: Given,
  name: string,
  choices: readonly T[],
): T | undefined {
  const given = options[name];
  const found = choices.find((one) => one === given);
  if (given === undefined || found !== undefined) return found;
  throw new CommandError(`--${name} must be one of ${choices.join(', ')}.`);
}

function readNumber(
  { options }: Given,
  name: string,
  min: number,
  max: number,
): number | undefined {
  const given = options[name];
  if (given === undefined) return undefined;
  const value = Number(given);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new CommandError(`--${name} must be a whole number from ${min} to ${max}.`);
}

export const plans: Command = {
  forms: [
    ['plans', 'lists plans and the number of exports'],
    [
      'plans set [ORGANIZATION] [--plan free|paid] [--allowance N|none] [--state STATE] [--weight N]',
      'changes the given fields; STATE is active, paused or past_due',
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
    if (verb !== 'set' || more.length > 0) throw new CommandUsageError();
    const id = await chooseOrganization(db, word);
    const plan = readChoice(given, 'plan', ['free', 'paid']);
    const state = readChoice(given, 'state', ['active', 'paused', 'past_due']);
    const exportAllowance =
      given.options['allowance'] === 'none' ? null : readNumber(given, 'allowance', 0, 999_999_999);
    const weight = readNumber(given, 'weight', 1, 60);
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

function checkOrigin(text: string): string {
  if (isOrigin(text)) return text.toLowerCase();
  throw new CommandError(
    `"${text}" is not an origin such as https://www.example.com. Name each one whole, without a path or a wildcard.`,
  );
}

export const hostSecrets: Command = {
  forms: [
    ['host-secrets', 'lists the organizations whose sites use the host at /host/ORGANIZATION'],
    [
      'host-secrets create [ORGANIZATION]',
      'creates a secret, and shows it once; the previous one stays valid',
    ],
    ['host-secrets remove-previous [ORGANIZATION]', 'revokes the previous secret'],
    [
      'host-secrets origins ORGANIZATION ORIGIN...',
      'sets the origins of the pages that may call the host',
    ],
  ],
  async run(db, { words: [verb, word, ...more] }) {
    if (verb === 'origins' && word !== undefined && more.length > 0) {
      const organization = await chooseOrganization(db, word);
      await setHostOrigins(db, organization, more.map(checkOrigin));
      return `Pages of ${more.join(' ')} may call the host in 10 seconds.`;
    }
    if (more.length > 0) throw new CommandUsageError();
    if (verb === undefined) return listHostSites(db);
    const organization = await chooseOrganization(db, word);
    if (verb === 'create') {
      const secret = await createHostSecret(db, organization);
      return [{ endpoint: `/host/${organization}`, secret }];
    }
    if (verb !== 'remove-previous') throw new CommandUsageError();
    if (await removePreviousHostSecret(db, organization)) {
      return 'In 10 seconds, sessions signed with the previous secret are rejected.';
    }
    const site = await findHostSite(db, organization);
    throw new CommandError(
      `The organization has ${site?.secrets.length ? 'one secret only' : 'no secret'}.`,
    );
  },
};

export const tokenSecret: Command = {
  forms: [
    ['token-secret replace', 'signs access tokens with a new secret; issued tokens stay valid'],
    [
      'token-secret replace --now',
      'revokes all issued tokens, for example if the secret has leaked',
    ],
  ],
  options: { now: { type: 'boolean' } },
  async run(db, { words: [verb, ...more], options }) {
    if (verb !== 'replace' || more.length > 0) throw new CommandUsageError();
    const now = options['now'] === true;
    await replaceTokenSecret(db, { now });
    return now
      ? 'In 10 seconds, all access tokens issued before are rejected.'
      : 'In 10 seconds, tokens are signed with the new secret. The old secret is removed when its last token expires.';
  },
};

export const webhooks: Command = {
  forms: [
    ['webhooks', 'lists receivers and the state of their deliveries'],
    ['webhooks set ORGANIZATION URL [--keep-secret]', 'sets one, and shows its new secret once'],
    ['webhooks remove ORGANIZATION', 'removes the receiver'],
    ['webhooks failed [ORGANIZATION]', 'lists failed deliveries'],
    ['webhooks resend DELIVERY…', 'sends settled deliveries again, with all retries'],
  ],
  options: { 'keep-secret': { type: 'boolean' } },
  async run(db, { words: [verb, ...words], options }) {
    const [word, url] = words;
    if (verb === undefined) return listWebhooks(db);
    if (verb === 'resend' && words.length > 0) {
      const rows = [];
      for (const delivery of words) rows.push({ delivery, resent: await sendAgain(db, delivery) });
      return rows;
    }
    if (words.length > (verb === 'set' ? 2 : 1)) throw new CommandUsageError();
    if (verb === 'failed') return listFailedDeliveries(db, await chooseOrganization(db, word));
    if (word === undefined) throw new CommandUsageError();
    const organizationId = await chooseOrganization(db, word);
    const made = { organizationId, origin: 'made' } as const;
    if (verb === 'remove') {
      await writeWebhook(db, null, made);
      return `Organization ${organizationId} has no webhook now.`;
    }
    if (verb !== 'set' || url === undefined) throw new CommandUsageError();
    if (!isRemoteUrl(url)) {
      throw new CommandError(
        'URL must be an https address (http only in the own network) without user name, query or fragment.',
      );
    }
    const secret = makeSecret();
    const [last] = options['keep-secret']
      ? ((await readWebhook(db, organizationId))?.secrets ?? [])
      : [];
    await writeWebhook(db, { url, secrets: last === undefined ? [secret] : [secret, last] }, made);
    return [{ organization: organizationId, url, secret }];
  },
};
