import { createOrganization, listOrganizations } from '../../users/queries.ts';
import { eraseOrganization } from '../../tasks/deletion-queries.ts';
import { CommandError, UsageError, type Command } from './command.ts';
import { organizationOf } from './organization.ts';

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
