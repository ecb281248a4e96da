import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Plan } from '../../src/config/config.ts';
import type { QuietWorld } from '../support/quiet-world.ts';
import { assertProblem, type Answer } from 'clip-testkit/world';

export function planSuite(world: () => QuietWorld): void {
  describe('plans and their allowance (4.6, section 7)', () => {
    let organization: string;
    let key: string;
    let clips: string[];
    before(async () => {
      const made = await world().createOrganization('On a plan');
      organization = made.id;
      key = made.apiKey;
      const add = async () => (await world().addClip({ organizationId: organization })).projectId;
      clips = [await add(), await add()];
    });
    const set = (plan: Partial<Plan>) => world().setPlan(plan, organization);
    const start = (clip = 0): Promise<Answer> =>
      world().post(`/projects/${clips[clip]}/exports`, {}, { key });
    const count = async (): Promise<number> => (await world().get('/exports', { key })).body.length;

    it('count every export on a free plan, however many come at once', async () => {
      await set({ plan: 'free', exportAllowance: (await count()) + 2, state: 'active' });
      const answers = await Promise.all(Array.from({ length: 6 }, () => start()));
      const statuses = answers.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [201, 201, 402, 402, 402, 402]);
      const refused = answers.find(({ status }) => status === 402);
      assert.ok(refused);
      assertProblem(refused, 402, 'export-limit');
    });

    it('count each clip once on a paid plan', async () => {
      await start();
      await set({ plan: 'paid', exportAllowance: 1, state: 'active' });
      assert.equal((await start()).status, 201, 'a clip that counted already');
      const before = await count();
      assertProblem(await start(1), 402, 'export-limit');
      assert.equal(await count(), before, 'a refused start leaves no export');
      await set({ exportAllowance: 2 });
      assert.equal((await start(1)).status, 201);
    });

    it('stop while paused or past due', async () => {
      for (const state of ['paused', 'past_due'] as const) {
        await set({ plan: 'paid', exportAllowance: null, state });
        assertProblem(await start(), 402, 'export-limit');
        assertProblem(
          await world().post(
            `/projects/${clips[0]}/exports`,
            {
              watermark: { src_url: world().sources.at('never-asked.png') },
            },
            { key },
          ),
          402,
          'export-limit',
        );
      }
      assert.ok(!world().sources.requests.includes('never-asked.png'));
      await set({ state: 'active' });
      assert.equal((await start()).status, 201);
    });

    it('count a download that starts a render', async () => {
      await set({ plan: 'free', exportAllowance: 0, state: 'active' });
      // Only with nothing under way is there something to start.
      for (const { id } of (await world().get('/exports', { key })).body) await world().finish(id);
      assertProblem(
        await world().get(`/projects/${clips[0]}/download`, { key }),
        402,
        'export-limit',
      );
    });
  });
}
