import { createKey, listKeys, removeKey } from '../../users/queries.ts';
import { CommandError, UsageError, type Command } from './command.ts';
import { organizationOf } from './organization.ts';

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
