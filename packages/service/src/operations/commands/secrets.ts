import {
  createHostSecret,
  findHostSite,
  listHostSites,
  removePreviousHostSecret,
  setHostOrigins,
} from '../../users/host-queries.ts';
import { type Command, CommandError, organizationOf, UsageError } from './command.ts';
import { replaceTokenSecret } from '../../users/tokens.ts';

function checkedOrigin(text: string): string {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '') && new URL(text).origin === text) {
    return text;
  }
  throw new CommandError(`"${text}" is not an origin such as https://www.example.com`);
}

export const hostSecrets: Command = {
  forms: [
    ['host-secrets', 'lists the organizations whose sites use the host at /host/ORGANIZATION'],
    [
      'host-secrets create [ORGANIZATION]',
      'makes a secret, and shows it once; the one before stays valid',
    ],
    ['host-secrets remove-previous [ORGANIZATION]', 'refuses the one before from now on'],
    [
      'host-secrets origins ORGANIZATION ORIGIN...',
      'sets the origins of the pages that may call the host',
    ],
  ],
  async run(db, { words: [verb, word, ...more] }) {
    if (verb === 'origins' && word !== undefined && more.length > 0) {
      const organization = await organizationOf(db, word);
      await setHostOrigins(db, organization, more.map(checkedOrigin));
      return `Pages of ${more.join(' ')} may call the host in 10 seconds.`;
    }
    if (more.length > 0) throw new UsageError();
    if (verb === undefined) return listHostSites(db);
    const organization = await organizationOf(db, word);
    if (verb === 'create') {
      const secret = await createHostSecret(db, organization);
      return [{ endpoint: `/host/${organization}`, secret }];
    }
    if (verb !== 'remove-previous') throw new UsageError();
    if (await removePreviousHostSecret(db, organization)) {
      return 'In 10 seconds sessions that were signed with the secret before are refused.';
    }
    const site = await findHostSite(db, organization);
    throw new CommandError(
      `The organization has ${site?.secrets.length ? 'one secret only' : 'no secret'}.`,
    );
  },
};

export const tokenSecret: Command = {
  forms: [
    [
      'token-secret replace',
      'signs access tokens with a new secret; those that were issued stay valid',
    ],
    ['token-secret replace --now', 'refuses all that were issued, as when the secret is known'],
  ],
  options: { now: { type: 'boolean' } },
  async run(db, { words: [verb, ...more], options }) {
    if (verb !== 'replace' || more.length > 0) throw new UsageError();
    const now = options['now'] === true;
    await replaceTokenSecret(db, { now });
    return now
      ? 'In 10 seconds all access tokens that were issued before are refused.'
      : 'In 10 seconds tokens are signed with the new secret. The old secret ends with the last token of it.';
  },
};
