import { exportMisfit } from '../export-shape.ts';
import { isObject, jsonOf, type Exchange } from '../exchange.ts';
import { list, listOf, problem, status } from '../judges.ts';
import type { Rule } from '../rule.ts';
import { absent, broken, held, judged, type Judge } from '../verdict.ts';
import type { Sample } from '../world.ts';

export const clipQuery = ({ project_id, folder_id }: Sample): Record<string, string> => ({
  project_id,
  ...(folder_id === null ? {} : { folder_id }),
});

export const isExport: Judge = (exchange) => {
  const found = exportMisfit(jsonOf(exchange));
  return found === null ? null : `the export does not fit: ${found}`;
};

export const hasId =
  (id: string): Judge =>
  (exchange) => {
    const body = jsonOf(exchange);
    return isObject(body) && body['id'] === id ? null : `the answer is not the export ${id}`;
  };

const exportsFit: Judge = list((items) => {
  for (const item of items) {
    const found = exportMisfit(item);
    if (found !== null) return `an export of the list does not fit: ${found}`;
  }
  return null;
});

const notFound = problem(404, 'export-not-found', 'clip-not-found');

export const readingRules: readonly Rule[] = [
  {
    id: 'list',
    title: "GET /exports answers the user's exports as an array",
    why: 'Lists and the search for a lost start need it.',
    mend: "Ask the service for the managed user's exports (GET /exports with X-On-Behalf-Of); unwrap {exports: [...]}.",
    check: async (world) => judged([await world.get('exports'), list()]),
  },
  {
    id: 'export-shape',
    title:
      'Exports are normalised: status processing, ready or error, ISO 8601 dates, empty fields null',
    why: 'The elements know one vocabulary; older services have in_progress, completed and failed.',
    mend: 'Map pending and in_progress to processing, completed to ready, failed to error; send every field of the Export Object, null where it is empty.',
    needs: ['export'],
    check: async (world) => {
      const one = (await world.sample())!;
      return judged(
        [await world.get('exports'), exportsFit],
        [await world.get(`exports/${one.id}`, { query: clipQuery(one) }), status(200), isExport],
      );
    },
  },
  {
    id: 'list-filter',
    title: 'GET /exports?project_id= answers the exports of that clip alone',
    why: 'A list beside a clip shows what belongs to it.',
    mend: 'Hand project_id and folder_id on to the service, or filter the list yourself.',
    check: async (world) => {
      const one = await world.sample();
      const nothing = await world.get('exports', { query: { project_id: world.nothing() } });
      const verdict = judged([nothing, list(), listOf()]);
      if (verdict.state !== 'held' || one === null) return verdict;
      const clip = await world.get('exports', { query: { project_id: one.project_id } });
      return judged([
        clip,
        list((items) =>
          items.every((item) => isObject(item) && item['project_id'] === one.project_id) &&
          items.some((item) => isObject(item) && item['id'] === one.id)
            ? null
            : `the list is not that of the clip ${one.project_id}`,
        ),
      ]);
    },
  },
  {
    id: 'list-by-id',
    title:
      'GET /exports?id=A&id=B answers those that are there, each once; unknown ids are left out',
    why: 'One request watches all exports of a page; a clip that was deleted must not make it fail.',
    mend: "Pick the ids out of the user's list; no 404 for one that is missing. PHP: read the query string yourself, as $_GET keeps only the last id.",
    check: async (world) => {
      const unknown = [world.nothing(), world.nothing()];
      const verdict = judged([await world.get('exports', { query: { id: unknown } }), listOf()]);
      const one = await world.sample();
      if (verdict.state !== 'held' || one === null) return verdict;
      return judged(
        [await world.get('exports', { query: { id: [one.id, ...unknown] } }), listOf(one.id)],
        [await world.get('exports', { query: { id: [...unknown, one.id] } }), listOf(one.id)],
        [await world.get('exports', { query: { id: [one.id, one.id] } }), listOf(one.id)],
      );
    },
  },
  {
    id: 'list-by-many-ids',
    title: 'GET /exports takes 200 ids in one request',
    why: 'A page with many clips asks for all of them together.',
    mend: 'Allow 200 ids, and addresses of 10 kB.',
    check: async (world) => {
      const id = Array.from({ length: 200 }, () => world.nothing());
      return judged([await world.get('exports', { query: { id } }), listOf()]);
    },
  },
  {
    id: 'read',
    title: 'GET /exports/{id}?project_id=&folder_id= answers the export',
    why: 'The button asks for its export after a reload.',
    mend: 'Ask the service with the clip and the folder that the query names (4.8).',
    needs: ['export'],
    check: async (world) => {
      const one = (await world.sample())!;
      const exchange = await world.get(`exports/${one.id}`, { query: clipQuery(one) });
      return judged([exchange, status(200), hasId(one.id)]);
    },
  },
  {
    id: 'read-unknown',
    title: 'An export that is not there is 404',
    why: 'The button forgets it and offers a new start.',
    mend: "Map the service's 404 to export-not-found.",
    check: async (world) => {
      const query = { project_id: world.nothing() };
      return judged([await world.get(`exports/${world.nothing()}`, { query }), notFound]);
    },
  },
  {
    id: 'read-other-clip',
    title: 'An export asked for with another clip is 404',
    why: 'The id of a clip is part of what is asked for: a mix-up must not look right.',
    mend: 'Ask the service with the project_id of the query; do not look exports up by their id alone.',
    needs: ['export'],
    check: async (world) => {
      const one = (await world.sample())!;
      const query = { project_id: world.nothing() };
      return judged([await world.get(`exports/${one.id}`, { query }), notFound]);
    },
  },
  {
    id: 'attempt-unknown',
    title: 'GET /exports?attempt= of an attempt that never was is []',
    why: 'The button asks so after a lost answer: [] says that nothing was started.',
    mend: 'Answer 200 and [], not 404.',
    check: async (world) =>
      judged([
        await world.get('exports', { query: { attempt: `check-${world.nothing()}` } }),
        listOf(),
      ]),
  },
  {
    id: 'attempt-key-named',
    title: 'The answer to GET /exports?attempt= names the key in its header Idempotency-Key',
    why: 'It says that this host keeps keys: [] then means that nothing was started. From another host a page waits two minutes before it believes that.',
    mend: 'Send the key back as the header Idempotency-Key; to pages of other origins, name it in Access-Control-Expose-Headers too.',
    optional: true,
    check: async (world) => {
      const attempt = `check-${world.nothing()}`;
      const exchange = await world.get('exports', { query: { attempt } });
      const named = exchange.came.headers['idempotency-key'];
      if (named === undefined) return absent('the host does not say that it keeps keys');
      return named === attempt ? held : broken(`it names the key ${named}`, exchange);
    },
  },
  {
    id: 'start-unknown-clip',
    title: 'A start of a clip that is not there is 404 clip-not-found, and is no attempt',
    why: 'Nothing was started: the key is free, and the user is told that the clip is gone.',
    mend: "Map the service's 404 (or 400) on a start to clip-not-found, and drop the attempt.",
    check: async (world) => {
      const key = `check-${world.nothing()}`;
      const headers = { 'Idempotency-Key': key };
      const start = await world.badStart({}, { headers });
      const after = await world.get('exports', { query: { attempt: key } });
      const verdict = judged([start, problem(404, 'clip-not-found')], [after, listOf()]);
      if (verdict.state !== 'held') return verdict;
      const again = await world.badStart({}, { headers });
      return again.came.status === 409
        ? broken('the key of a start that was refused is still taken', start, again)
        : held;
    },
  },
];

/** The state of an export that was answered. */
export const statusOf = (exchange: Exchange): string | null => {
  const body = jsonOf(exchange);
  const one: unknown = Array.isArray(body) ? body[0] : body;
  return isObject(one) ? String(one['status']) : null;
};
