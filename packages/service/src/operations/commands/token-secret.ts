import { replaceTokenSecret } from '../../users/token-secret-queries.ts';
import { UsageError, type Command } from './command.ts';

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
