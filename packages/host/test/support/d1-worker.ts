// Calls of `d1Store` where it is used: in a worker, with real bindings.
import { d1Store, type D1Database } from '../../src/stores/d1-store.ts';
import type { HostStore } from '../../src/index.ts';

/** One call; `now` is the time of the test. */
export interface D1Call {
  readonly database: string;
  readonly now: number;
  readonly method: keyof HostStore;
  readonly args: readonly unknown[];
}

export default {
  async fetch(request: Request, env: Readonly<Record<string, D1Database>>): Promise<Response> {
    const { database, now, method, args } = (await request.json()) as D1Call;
    const call = d1Store(env[database]!, () => now)[method] as (...all: unknown[]) => unknown;
    try {
      return Response.json({ value: await call(...args) });
    } catch (error) {
      return Response.json({ error: (error as Error).message });
    }
  },
};
