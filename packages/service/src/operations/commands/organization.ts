import { findOrganization, firstOrganizationId } from '../../users/queries.ts';
import type { Db } from '../../db/schema.ts';
import { CommandError } from './command.ts';

/** The organization that is named, or the first one. */
export async function organizationOf(db: Db, id: string | undefined): Promise<string> {
  if (id === undefined) {
    const first = await firstOrganizationId(db);
    if (first !== undefined) return first;
    throw new CommandError('There is no organization. Start the service once, or create one.');
  }
  if (await findOrganization(db, id)) return id;
  throw new CommandError(
    `There is no organization ${id}. See them with: clip-service organizations`,
  );
}
