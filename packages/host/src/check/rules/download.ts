import { jsonOf, type Exchange } from '../exchange.ts';
import { problem, refused, status } from '../judges.ts';
import type { Rule } from '../rule.ts';
import type { CheckWorld } from '../world.ts';
import { broken, held, judged, unchecked, type Verdict } from '../verdict.ts';
import { clipQuery } from './reading.ts';

const isAttachment = ({ received }: Exchange): boolean =>
  /^attachment\s*;\s*filename/i.test(received.headers['content-disposition'] ?? '');

function file(exchange: Exchange): Verdict {
  const { headers } = exchange.received;
  if (!/^video\/mp4/i.test(headers['content-type'] ?? '')) {
    return broken(`the file has the content type ${headers['content-type'] ?? '(none)'}`, exchange);
  }
  return isAttachment(exchange)
    ? held
    : broken('the file has no Content-Disposition: attachment; filename="..."', exchange);
}

const named = (exchange: Exchange): Verdict =>
  (exchange.received.headers['content-disposition'] ?? '').includes('check-name.mp4')
    ? held
    : broken('with ?name=check-name.mp4 the file has another name', exchange);

const range = (exchange: Exchange): Verdict =>
  exchange.received.status === 206 &&
  !/^bytes 0-0\//.test(exchange.received.headers['content-range'] ?? '')
    ? broken('a 206 for bytes=0-0 has no Content-Range: bytes 0-0/...', exchange)
    : judged([exchange, status(200, 206)]);

const firstBroken = (...verdicts: readonly Verdict[]): Verdict =>
  verdicts.find(({ state }) => state !== 'held') ?? held;

/** A redirect must lead to a file that the browser saves and does not play. */
async function redirected(world: CheckWorld, exchange: Exchange): Promise<Verdict> {
  const { location = '' } = exchange.received.headers;
  const target = URL.canParse(location, exchange.sent.url)
    ? new URL(location, exchange.sent.url)
    : null;
  if (!location || !target || !/^https?:$/.test(target.protocol) || /token/.test(target.href)) {
    return broken('Location is not an http URL, or contains a token', exchange);
  }
  const found = await world.publicFile(target.href);
  return isAttachment(found)
    ? held
    : broken('the file at Location has no Content-Disposition: attachment', found);
}

export const downloadRules: readonly Rule[] = [
  {
    id: 'download',
    title: 'GET /exports/{id}/download is the file as an attachment, or redirects to one (302)',
    why: 'Browsers play a file without Content-Disposition: attachment, and ignore the download attribute of a link to another origin.',
    fix: 'The file with Content-Type: video/mp4 and Content-Disposition: attachment; filename="..."; filename*=UTF-8\'\'...; `?name=` names it. Ranges are answered with 206 or the whole file. Or 302 with the address of a file that has the header.',
    check: async (world) => {
      const sample = await world.sample('ready');
      if (sample === null) return unchecked('no export is ready: use --start with --project');
      const path = `exports/${sample.id}/download`;
      const query = clipQuery(sample);
      const exchange = await world.get(path, { query });
      const verdict = judged([exchange, status(200, 302)]);
      if (verdict.state !== 'held') return verdict;
      if (exchange.received.status === 302) return redirected(world, exchange);
      return firstBroken(
        file(exchange),
        named(await world.get(path, { query: { ...query, name: 'check-name.mp4' } })),
        range(await world.get(path, { query, headers: { Range: 'bytes=0-0' } })),
      );
    },
  },
  {
    id: 'download-unknown',
    title: 'The download of an unknown export is 404',
    why: 'Without an export id the service may start and charge a new render (4.10).',
    fix: 'Ask for the export first; never call the service for a download without export_id.',
    check: async (world) => {
      const query = { project_id: world.nothing() };
      const exchange = await world.get(`exports/${world.nothing()}/download`, { query });
      return judged(
        [exchange, problem(404, 'export-not-found', 'clip-not-found', 'not-found')],
        [await world.get(`exports/${world.nothing()}/download`), refused],
      );
    },
  },
];

/** Whether the answer is a file or redirects to one. */
export const isDownload = (exchange: Exchange): boolean =>
  [200, 206, 301, 302, 303, 307, 308].includes(exchange.received.status) &&
  jsonOf(exchange) === undefined;
