import type { Db, UserRow } from '../../db/schema.ts';
import { eraseUser } from '../../tasks/deletion-queries.ts';
import { findUser, listUsers } from '../../users/queries.ts';
import { readStoredData } from '../stored-data-queries.ts';
import { type Command, CommandError, chooseOrganization, CommandUsageError } from './command.ts';

export const users: Command = {
  forms: [
    ['users [ORGANIZATION]', 'lists its users and their usage'],
    ['users export USER_ID', 'prints all stored data of a user, and the keys of the files'],
    ['users erase USER_ID --yes', 'erases a managed user and all of the user’s data'],
  ],
  options: { yes: { type: 'boolean' } },
  async run(db, { words: [verb, word, ...more], options }) {
    const isList = verb !== 'export' && verb !== 'erase';
    if (more.length > 0 || (isList ? word !== undefined : word === undefined)) {
      throw new CommandUsageError();
    }
    if (isList) return listUsers(db, await chooseOrganization(db, verb));
    const user = await requireUser(db, word!);
    if (verb === 'export') return { json: await readStoredData(db, user.id) };
    if (!user.is_guest) {
      throw new CommandError(
        `${user.id} is the owner of an organization. Erase that: clip-service organizations erase ${user.organization_id} --yes`,
      );
    }
    if (!options['yes']) {
      throw new CommandError(`Nothing was erased. Add --yes to erase user ${user.id} for good.`);
    }
    await eraseUser(db, user.organization_id, user.id);
    return `User ${user.id} is erased. The user's files go while the service runs.`;
  },
};

async function requireUser(db: Db, id: string): Promise<UserRow> {
  const user = await findUser(db, id);
  if (user) return user;
  throw new CommandError(`There is no user ${id}. See them with: clip-service users ORGANIZATION`);
}
