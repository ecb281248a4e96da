import { isObject, jsonOf, type Exchange } from '../exchange.ts';
import { listOf, problem, status } from '../judges.ts';
import type { Rule } from '../rule.ts';
import { broken, held, judged, unchecked, type Judge, type Verdict } from '../verdict.ts';
import type { CheckWorld } from '../world.ts';
import { clipQuery, hasId, isExport, statusOf } from './reading.ts';

const ofClip =
  (world: CheckWorld): Judge =>
  (exchange) => {
    const { project, folder } = world.options;
    const body = jsonOf(exchange);
    if (!isObject(body) || body['project_id'] !== project) {
      return `the export is not of the clip ${project}`;
    }
    return folder === null || body['folder_id'] === folder
      ? null
      : `the export is not of the folder ${folder}`;
  };

/** What a later rule needs from the start, or why that rule cannot be checked. */
async function started(world: CheckWorld): Promise<{ id: string } | Verdict> {
  const exchange = await world.start();
  const body = jsonOf(exchange);
  return exchange.received.status === 201 && isObject(body) && typeof body['id'] === 'string'
    ? { id: body['id'] }
    : broken('the start itself failed', exchange);
}

/** A start that takes longer than this has reached the host before the host is asked about it. */
const arrivedMs = 2000;

/** These rules cost one export. */
export const startingRules: readonly Rule[] = [
  {
    id: 'attempt-in-flight',
    title: 'GET /exports?attempt= answers 202 while the start is still running',
    why: 'A page that was reloaded during a start waits for its export. If it gets 200 with [], it offers a second start.',
    fix: 'Answer 202 and [] (or delay the answer) while the service works on the request with this key.',
    optional: true,
    needs: ['start'],
    // The first rule with a start: it asks the host while the start is running.
    check: async (world) => {
      let over = false;
      const began = performance.now();
      const start = world.start().finally(() => (over = true));
      let last: Exchange | null = null;
      while (!over) {
        const late = performance.now() - began > arrivedMs;
        const asked = world.get('exports', { query: { attempt: world.key }, timeoutMs: 120_000 });
        const exchange = await Promise.race([asked, start.then(() => null)]);
        if (exchange && late) last = exchange;
        await Promise.race([world.pause(200), start]);
      }
      await start;
      if (!last) return unchecked('the start was answered too soon to be seen while it ran');
      const isEmpty = last.received.status === 200 && JSON.stringify(jsonOf(last)) === '[]';
      return isEmpty
        ? broken('the start was running, but the host answered that nothing was started', last)
        : held;
    },
  },
  {
    id: 'start',
    title: 'POST /exports answers 201 with the export',
    why: 'The button shows the export and watches it.',
    fix: "Start it at the service for the user's managed user, and answer 201 with a normalised Export Object; if the service answers with its start record, fetch the export once (4.8).",
    needs: ['start'],
    check: async (world) => judged([await world.start(), status(201), isExport, ofClip(world)]),
  },
  {
    id: 'start-again',
    title: 'The same key and body again answers 200 with the same export',
    why: 'A repeated request must never pay twice.',
    fix: 'Write the attempt key, atomically and unique for each user, before the service is called; on a second request, answer with the export that is stored with it.',
    needs: ['start'],
    check: async (world) => {
      const startedExport = await started(world);
      if ('state' in startedExport) return startedExport;
      const headers = { 'Idempotency-Key': world.key };
      return judged([
        await world.post('exports', world.startBody, { headers, timeoutMs: 120_000 }),
        status(200),
        hasId(startedExport.id),
        isExport,
      ]);
    },
  },
  {
    id: 'start-mismatch',
    title: 'The same key with another body answers 409 attempt-mismatch',
    why: 'A key is for one intent to pay. Another clip with the same key is a mistake of the page.',
    fix: 'Store the body with the key, and compare it before you call the service.',
    needs: ['start'],
    check: async (world) => {
      const startedExport = await started(world);
      if ('state' in startedExport) return startedExport;
      const headers = { 'Idempotency-Key': world.key };
      return judged([await world.badStart({}, { headers }), problem(409, 'attempt-mismatch')]);
    },
  },
  {
    id: 'start-found',
    title: 'GET /exports?attempt= returns the export of that attempt',
    why: 'After a lost answer, the page learns that the export was started and does not pay again.',
    fix: "Store the export's id with the attempt. If it is not known, search the clip's exports since the attempt began.",
    needs: ['start'],
    check: async (world) => {
      const startedExport = await started(world);
      if ('state' in startedExport) return startedExport;
      return judged([
        await world.get('exports', { query: { attempt: world.key } }),
        listOf(startedExport.id),
      ]);
    },
  },
  {
    id: 'start-listed',
    title: "A started export is in the user's list and can be read",
    why: 'The page finds the export again after a reload.',
    fix: 'Start, list and read with the same managed user (X-On-Behalf-Of).',
    needs: ['start'],
    check: async (world) => {
      const startedExport = await started(world);
      if ('state' in startedExport) return startedExport;
      const { project, folder } = world.options;
      const query = clipQuery({
        id: startedExport.id,
        project_id: project!,
        folder_id: folder,
        status: '',
      });
      return judged(
        [await world.get('exports', { query: { id: startedExport.id } }), listOf(startedExport.id)],
        [
          await world.get(`exports/${startedExport.id}`, { query }),
          status(200),
          hasId(startedExport.id),
        ],
      );
    },
  },
];

const watch = (world: CheckWorld, id: string): Promise<Exchange> =>
  world.get('exports', { query: { id }, headers: { Prefer: 'wait=25' }, timeoutMs: 60_000 });

export const settlingRules: readonly Rule[] = [
  {
    id: 'settles',
    title: 'A started export becomes ready with its file, or ends in error',
    why: 'The page watches until then.',
    fix: "Pass on the service's src_url and finished_at. If a render takes longer than the check watches, raise --timeout.",
    needs: ['start'],
    check: async (world) => {
      const startedExport = await started(world);
      if ('state' in startedExport) return startedExport;
      const end = performance.now() + world.options.maxWatchMs;
      for (;;) {
        const exchange = await watch(world, startedExport.id);
        const verdict = judged([exchange, listOf(startedExport.id)]);
        if (verdict.state !== 'held') return verdict;
        const [found] = jsonOf(exchange) as Record<string, unknown>[];
        if (found?.['status'] === 'ready' || found?.['status'] === 'error') {
          if (found['status'] === 'ready' && typeof found['src_url'] !== 'string') {
            return broken('the export is ready but has no src_url', exchange);
          }
          return typeof found['finished_at'] === 'string'
            ? held
            : broken(`the export is ${found['status']} but has no finished_at`, exchange);
        }
        if (performance.now() > end) {
          return broken(
            `after ${world.options.maxWatchMs / 1000} s the status is still ${statusOf(exchange)}`,
            exchange,
          );
        }
        if (exchange.received.milliseconds < 2000) await world.pause(2000);
      }
    },
  },
];
