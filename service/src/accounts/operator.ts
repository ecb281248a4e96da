import type { Kysely } from 'kysely';
import type { Plan } from '../config/config.ts';
import { addOrganization, firstOrganizationId } from '../db/accounts.ts';
import type { Database } from '../db/schema.ts';

/** What the one who runs the service may do and its API may not: organizations and their plans. */
export interface Operator {
  /** Makes an organization with an owner. The key is stored hashed alone: this is the only time it can be seen. */
  createOrganization(name: string): Promise<{ id: string; apiKey: string }>;
  /** Sets the plan of an organization, or of the first one. Fields left out stay as they are. */
  setPlan(plan: Partial<Plan>, organizationId?: string): Promise<void>;
}

export const operatorOf = (db: Kysely<Database>): Operator => ({
  createOrganization: (name) => db.transaction().execute((trx) => addOrganization(trx, name)),
  async setPlan({ plan, exportAllowance, state }, organizationId) {
    const id = organizationId ?? (await firstOrganizationId(db));
    const changes = {
      ...(plan !== undefined && { plan }),
      ...(exportAllowance !== undefined && { export_allowance: exportAllowance }),
      ...(state !== undefined && { state }),
    };
    if (id === undefined || Object.keys(changes).length === 0) return;
    await db.updateTable('organizations').set(changes).where('id', '=', id).execute();
  },
});
