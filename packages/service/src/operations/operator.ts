import type { Plan } from '../config/config.ts';
import {
  createKey,
  removeOtherKeys,
  changePlan,
  changeQueueWeight,
  createOrganization,
} from '../users/queries.ts';
import { eraseOrganization } from '../tasks/deletion-queries.ts';
import type { Db, DeliveryRow } from '../db/schema.ts';
import { listDeliveries, sendAgain, writeWebhook, type Webhook } from '../webhooks/queries.ts';

/** What the operator may do and the API may not: organizations and their plans. */
export interface Operator {
  /** Makes an organization with an owner. The key cannot be seen again: only its hash is stored. */
  createOrganization(name: string): Promise<{ id: string; apiKey: string }>;
  /** Another key for an organization, beside those that it has. It cannot be seen again either. */
  createKey(organizationId: string): Promise<string>;
  /**
   * Removes all keys of the organization that were made, except this one; none if it is not the
   * organization's own. Returns how many were removed.
   */
  removeOtherKeys(organizationId: string, keptKey: string): Promise<number>;
  /** Sets the plan of an organization, or of the first one. Fields left out stay as they are. */
  setPlan(plan: Partial<Plan>, organizationId?: string): Promise<void>;
  /** Erases an organization with its users, keys, tasks and exports. False if it does not exist. */
  eraseOrganization(organizationId: string): Promise<boolean>;
  /** Sets where the events of an organization, or of the first one, are sent; null: nowhere. */
  setWebhook(webhook: Webhook | null, organizationId?: string): Promise<void>;
  /** The latest 1000 deliveries of an organization, or of the first one; newest first. */
  webhookDeliveries(organizationId?: string): Promise<DeliveryRow[]>;
  /** Retries a delivery that has failed. Returns false if it does not exist. */
  resendDelivery(id: string): Promise<boolean>;
  /**
   * Sets how many jobs of each user of an organization, or of the first one, begin while others get
   * one, if all of them wait: 1 to 60.
   */
  setQueueWeight(weight: number, organizationId?: string): Promise<void>;
}

export const operatorOf = (db: Db): Operator => ({
  createOrganization: (name) => createOrganization(db, name),
  createKey: (organizationId) => createKey(db, organizationId),
  removeOtherKeys: (organizationId, keptKey) => removeOtherKeys(db, organizationId, keptKey),
  setPlan: (plan, organizationId) => changePlan(db, plan, organizationId),
  eraseOrganization: (organizationId) => eraseOrganization(db, organizationId),
  setWebhook: (webhook, organizationId) =>
    writeWebhook(db, webhook, { organizationId, origin: 'made' }),
  webhookDeliveries: (organizationId) => listDeliveries(db, organizationId),
  resendDelivery: (id) => sendAgain(db, id),
  setQueueWeight: (weight, organizationId) => changeQueueWeight(db, weight, organizationId),
});
