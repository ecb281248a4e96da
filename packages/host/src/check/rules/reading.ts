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
  return found === null ? null : `the export is not valid: ${found}`;
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
    if (found !== null) return `an export in the list is not valid: ${found}`;
  }
  return null;
});

const notFound = problem(404, 'export-not-found', 'clip-not-found');

export const readingRules: readonly Rule[] = [
  {
    id: 'list',
    title: "GET /exports returns the user's exports as an array",
    why: 'Lists and the search for a lost start need it.',
    fix: "Ask the service for the managed user's exports (GET /exports with X-On-Behalf-Of); unwrap {exports: [...]}.",
    check: async (world) => judged([await world.get('exports'), list()]),
  },
  {
    id: 'export-shape',
    title:
      'Exports are normalised: status processing, ready or error, ISO 8601 dates, empty fields null',
    why: 'The elements know only these words; older services send in_progress, completed and failed.',
    fix: 'Map pending and in_progress to processing, completed to ready, failed to error; send every field of the Export Object; an empty field is null.',
    needs: ['export'],
    check: async (world) => {
      const sample = (await world.sample())!;
      return judged(
        [await world.get('exports'), exportsFit],
        [
          await world.get(`exports/${sample.id}`, { query: clipQuery(sample) }),
          status(200),
          isExport,
        ],
      );
    },
  },
  {
    id: 'list-filter',
    title: 'GET /exports?project_id= returns only the exports of that clip',
    why: 'A list next to a clip shows only what belongs to it.',
    fix: 'Pass project_id and folder_id to the service, or filter the list yourself.',
    check: async (world) => {
      const sample = await world.sample();
      const nothing = await world.get('exports', { query: { project_id: world.nothing() } });
      const verdict = judged([nothing, list(), listOf()]);
      if (verdict.state !== 'held' || sample === null) return verdict;
      const clip = await world.get('exports', { query: { project_id: sample.project_id } });
      return judged([
        clip,
        list((items) =>
          items.every((item) => isObject(item) && item['project_id'] === sample.project_id) &&
          items.some((item) => isObject(item) && item['id'] === sample.id)
            ? null
            : `the list is not that of the clip ${sample.project_id}`,
        ),
      ]);
    },
  },
  {
    id: 'list-by-id',
    title: 'GET /exports?id=A&id=B returns each existing export once and omits unknown ids',
    why: 'One request watches all exports of a page, so a deleted clip must not make it fail.',
    fix: "Select the ids from the user's list; do not answer 404 if one is missing. PHP: parse the query string yourself, because $_GET keeps only the last id.",
    check: async (world) => {
      const unknown = [world.nothing(), world.nothing()];
      const verdict = judged([await world.get('exports', { query: { id: unknown } }), listOf()]);
      const sample = await world.sample();
      if (verdict.state !== 'held' || sample === null) return verdict;
      return judged(
        [await world.get('exports', { query: { id: [sample.id, ...unknown] } }), listOf(sample.id)],
        [await world.get('exports', { query: { id: [...unknown, sample.id] } }), listOf(sample.id)],
        [await world.get('exports', { query: { id: [sample.id, sample.id] } }), listOf(sample.id)],
      );
    },
  },
  {
    id: 'list-by-many-ids',
    title: 'GET /exports accepts 200 ids in one request',
    why: 'A page with many clips asks for all of them at once.',
    fix: 'Allow 200 ids, and URLs of 10 kB.',
    check: async (world) => {
      const id = Array.from({ length: 200 }, () => world.nothing());
      return judged([await world.get('exports', { query: { id } }), listOf()]);
    },
  },
  {
    id: 'read',
    title: 'GET /exports/{id}?project_id=&folder_id= returns the export',
    why: 'The button asks for its export after a reload.',
    fix: 'Ask the service with the clip and the folder of the query (4.8).',
    needs: ['export'],
    check: async (world) => {
      const sample = (await world.sample())!;
      const exchange = await world.get(`exports/${sample.id}`, { query: clipQuery(sample) });
      return judged([exchange, status(200), hasId(sample.id)]);
    },
  },
  {
    id: 'read-unknown',
    title: 'An unknown export is 404',
    why: 'The button forgets it and offers a new start.',
    fix: "Map the service's 404 to export-not-found.",
    check: async (world) => {
      const query = { project_id: world.nothing() };
      return judged([await world.get(`exports/${world.nothing()}`, { query }), notFound]);
    },
  },
  {
    id: 'read-other-clip',
    title: 'An export requested with another clip is 404',
    why: "The clip's id is part of the request, so a mix-up must not succeed.",
    fix: 'Ask the service with the project_id of the query; do not look up exports only by their id.',
    needs: ['export'],
    check: async (world) => {
      const sample = (await world.sample())!;
      const query = { project_id: world.nothing() };
      return judged([await world.get(`exports/${sample.id}`, { query }), notFound]);
    },
  },
  {
    id: 'attempt-unknown',
    title: 'GET /exports?attempt= of an unknown attempt is []',
    why: 'The button sends this request after a lost answer. [] means that nothing was started.',
    fix: 'Answer 200 and [], not 404.',
    check: async (world) =>
      judged([
        await world.get('exports', { query: { attempt: `check-${world.nothing()}` } }),
        listOf(),
      ]),
  },
  {
    id: 'attempt-key-named',
    title: 'The answer to GET /exports?attempt= has the key in its Idempotency-Key header',
    why: 'The header shows that this host stores keys, so [] means that nothing was started. Without it, a page waits two minutes before it believes that.',
    fix: 'Send the key back in the Idempotency-Key header. For pages of other origins, add it to Access-Control-Expose-Headers too.',
    optional: true,
    check: async (world) => {
      const attempt = `check-${world.nothing()}`;
      const exchange = await world.get('exports', { query: { attempt } });
      const named = exchange.received.headers['idempotency-key'];
      if (named === undefined) return absent('the host does not say that it stores keys');
      return named === attempt ? held : broken(`the header has the key ${named}`, exchange);
    },
  },
  {
    id: 'start-unknown-clip',
    title: 'A start of an unknown clip is 404 clip-not-found, and stores no attempt',
    why: 'Nothing was started, so the key is free again and the user learns that the clip is gone.',
    fix: "Map the service's 404 (or 400) on a start to clip-not-found, and drop the attempt.",
    check: async (world) => {
      const key = `check-${world.nothing()}`;
      const headers = { 'Idempotency-Key': key };
      const start = await world.badStart({}, { headers });
      const after = await world.get('exports', { query: { attempt: key } });
      const verdict = judged([start, problem(404, 'clip-not-found')], [after, listOf()]);
      if (verdict.state !== 'held') return verdict;
      const again = await world.badStart({}, { headers });
      return again.received.status === 409
        ? broken('the key of a refused start is still in use', start, again)
        : held;
    },
  },
];

/** The status of the export in an answer. */
export function statusOf(exchange: Exchange): string | null {
  const body = jsonOf(exchange);
  const item: unknown = Array.isArray(body) ? body[0] : body;
  return isObject(item) ? String(item['status']) : null;
}
