import { isObject, jsonOf } from '../exchange.ts';
import { list, listOf, problem } from '../judges.ts';
import type { Rule } from '../rule.ts';
import { absent, broken, held, judged } from '../verdict.ts';
import { clipQuery } from './reading.ts';
import { isDownload } from './download.ts';

const notFound = problem(404, 'export-not-found', 'clip-not-found', 'not-found');
const fix =
  "Call the service with the logged-in user's managed user (X-On-Behalf-Of), never only with the key. Cache everything per user.";

/** The second user requests an object of the first user. */
export const otherRules: readonly Rule[] = [
  {
    id: 'other-read',
    title: "Another user's export is 404",
    why: 'Not 403: that would reveal that it exists.',
    fix,
    needs: ['other', 'export'],
    check: async (world) => {
      const sample = (await world.sample())!;
      const query = clipQuery(sample);
      return judged([await world.get(`exports/${sample.id}`, { as: 'other', query }), notFound]);
    },
  },
  {
    id: 'other-list',
    title: "No list contains another user's exports",
    why: 'A list contains only what the user owns.',
    fix,
    needs: ['other', 'export'],
    check: async (world) => {
      const { id, project_id } = (await world.sample())!;
      const without = list((items) =>
        items.some((item) => isObject(item) && item['id'] === id)
          ? `the list has the other user's export ${id}`
          : null,
      );
      const as = 'other';
      return judged(
        [await world.get('exports', { as }), without],
        [await world.get('exports', { as, query: { project_id } }), without],
        [await world.get('exports', { as, query: { id } }), listOf()],
      );
    },
  },
  {
    id: 'other-download',
    title: "Another user's export cannot be downloaded",
    why: 'The file is what the other user has paid for.',
    fix,
    needs: ['other', 'export'],
    check: async (world) => {
      const sample = (await world.sample('ready')) ?? (await world.sample())!;
      const exchange = await world.get(`exports/${sample.id}/download`, {
        as: 'other',
        query: clipQuery(sample),
      });
      if (isDownload(exchange)) {
        return broken("the answer is the other user's file, or redirects to it", exchange);
      }
      return judged([exchange, notFound]);
    },
  },
  {
    id: 'other-attempt',
    title: 'Attempt keys are stored per user',
    why: "A guessed or leaked key must not reveal another user's export.",
    fix: 'Make (user, key) the unique key of your table of attempts, not only the key.',
    needs: ['other', 'start'],
    check: async (world) => {
      await world.start();
      const found = await world.get('exports', { as: 'other', query: { attempt: world.key } });
      const headers = { 'Idempotency-Key': world.key };
      const start = await world.badStart({}, { as: 'other', headers });
      return judged([found, listOf()], [start, problem(404, 'clip-not-found')]);
    },
  },
  {
    id: 'other-start',
    title: "Another user's clip cannot be exported: 404 clip-not-found",
    why: 'It would cost the site a render and reveal the clip.',
    fix,
    needs: ['other', 'start'],
    check: async (world) => {
      const headers = { 'Idempotency-Key': `check-${world.nothing()}` };
      const exchange = await world.post('exports', world.startBody, { as: 'other', headers });
      return judged([exchange, problem(404, 'clip-not-found')]);
    },
  },
  {
    id: 'other-account',
    title: 'A start for another account than the one that is signed in is 409 (Clip-Account)',
    why: 'Somebody has signed in in another tab: a click on the page of the one before would be paid for by them.',
    fix: 'Compare the Clip-Account of a request, if it has one, with the tag of the user, before anything is stored or sent.',
    optional: true,
    check: async (world) => {
      const exchange = await world.badStart({}, { headers: { 'Clip-Account': 'of-nobody' } });
      return exchange.received.headers['clip-account'] === undefined
        ? absent('the host does not name accounts')
        : judged([exchange, problem(409, 'account-changed')]);
    },
  },
  {
    id: 'other-project',
    title: "Another user's clip is 404",
    why: 'Not 403: that would reveal that it exists.',
    fix,
    optional: true,
    needs: ['other', 'project'],
    check: async (world) => {
      const { project, folder } = world.options;
      const query = folder === null ? {} : { folder_id: folder };
      const path = `projects/${project}`;
      const mine = await world.get(path, { query });
      const theirs = await world.get(path, { as: 'other', query });
      if (theirs.received.status === 200 && isObject(jsonOf(theirs))) {
        return broken("the answer is the other user's clip", theirs);
      }
      if (mine.received.status === 404) return absent('the host does not offer lists of clips');
      const verdict = judged([theirs, problem(404, 'clip-not-found', 'not-found')]);
      return verdict.state === 'held' ? held : verdict;
    },
  },
];
