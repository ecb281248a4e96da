import type { Plan } from '../config/config.ts';
import { changePlan, changeQueueWeight, createOrganization } from '../db/accounts.ts';
import type { Db } from '../db/schema.ts';

/** What the operator may do and the API may not: organizations and their plans. */
export interface Operator {
  /** Makes an organization with an owner. The key cannot be seen again: only its hash is stored. */
  createOrganization(name: string): Promise<{ id: string; apiKey: string }>;
  /** Sets the plan of an organization, or of the first one. Fields left out stay as they are. */
  setPlan(plan: Partial<Plan>, organizationId?: string): Promise<void>;
  /**
   * Sets how many jobs of each user of an organization, or of the first one, begin while others get
   * one, if all of them wait: 1 to 60.
   */
  setQueueWeight(weight: number, organizationId?: string): Promise<void>;
}

export const operatorOf = (db: Db): Operator => ({
  createOrganization: (name) => createOrganization(db, name),
  setPlan: (plan, organizationId) => changePlan(db, plan, organizationId),
  setQueueWeight: (weight, organizationId) => changeQueueWeight(db, weight, organizationId),
});
