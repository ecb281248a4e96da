import type { Allowance } from 'clip-kit/contract';
import type { Hono } from 'hono';
import { refusal } from './allowance.ts';
import type { ServiceContext } from '../context.ts';
import { readUsage } from './queries.ts';
import { findClip } from '../clips/queries.ts';
import { json } from '../http/json.ts';
import { methods, type AppEnv } from '../http/methods.ts';
import { ApiError } from '../http/problem.ts';

/** What an export of a clip would cost now. Not in the specification. */
export function allowanceRoute(app: Hono<AppEnv>, service: Pick<ServiceContext, 'db'>): void {
  methods(app, '/projects/:id/allowance', {
    GET: async (c) => {
      const clip = await findClip(service.db, c.get('user').id, c.req.param('id') ?? '');
      if (!clip) throw new ApiError('clip-not-found', 'There is no such clip.');
      const { plan, usage } = await readUsage(service.db, c.get('user'), clip.id);
      const counts = plan.plan === 'free' || usage.isNewClip;
      const next = { ...usage, exports: usage.exports + 1, clips: usage.clips + Number(counts) };
      return json({
        plan: plan.plan,
        state: plan.state,
        allowance: plan.export_allowance,
        used: plan.plan === 'paid' ? usage.clips : usage.exports,
        counts,
        refusal: refusal(plan, next),
      } satisfies Allowance);
    },
  });
}
