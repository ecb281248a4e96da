import type { UserRow } from '../db/schema.ts';

/** What the authentication leaves for the routes: whose key it is, and for whom it acts. */
export interface AppEnv {
  Variables: { owner: UserRow; user: UserRow };
}
