import { jsonOf, type Exchange } from '../exchange.ts';
import { problem, refused, status } from '../judges.ts';
import type { Rule } from '../rule.ts';
import { absent, broken, held, judged, unchecked, type Verdict } from '../verdict.ts';
import { clipQuery } from './reading.ts';

function file(exchange: Exchange): Verdict {
  const { headers } = exchange.came;
  if (!/^video\/mp4/i.test(headers['content-type'] ?? '')) {
    return broken(`the file has the content type ${headers['content-type'] ?? '(none)'}`, exchange);
  }
  return /^attachment\s*;\s*filename/i.test(headers['content-disposition'] ?? '')
    ? held
    : broken('the file has no Content-Disposition: attachment; filename="..."', exchange);
}

const range = (exchange: Exchange): Verdict =>
  exchange.came.status === 206 && !/^bytes 0-0\//.test(exchange.came.headers['content-range'] ?? '')
    ? broken('a 206 for bytes=0-0 has no Content-Range: bytes 0-0/...', exchange)
    : judged([exchange, status(200, 206, 302)]);

export const downloadRules: readonly Rule[] = [
  {
    id: 'download',
    title: 'GET /exports/{id}/download redirects to the file (302) or sends the file',
    why: 'The link also works if the file is on another site, and the file has a name.',
    fix: '302 with the export\'s src_url as Location; or the file with Content-Type: video/mp4 and Content-Disposition: attachment; filename="..."; ranges are answered with 206 or the whole file.',
    optional: true,
    check: async (world) => {
      const one = await world.sample('ready');
      if (one === null) return unchecked('no export is ready: use --start with --project');
      const path = `exports/${one.id}/download`;
      const query = clipQuery(one);
      const exchange = await world.get(path, { query });
      const { status: answer, headers } = exchange.came;
      if (answer === 404) {
        return absent('the host does not offer downloads; the page links to src_url');
      }
      const verdict = judged([exchange, status(200, 302)]);
      if (verdict.state !== 'held') return verdict;
      if (answer === 200) {
        const whole = file(exchange);
        return whole.state === 'held'
          ? range(await world.get(path, { query, headers: { Range: 'bytes=0-0' } }))
          : whole;
      }
      const { location = '' } = headers;
      const target = URL.canParse(location, exchange.sent.url)
        ? new URL(location, exchange.sent.url)
        : null;
      return location && target && /^https?:$/.test(target.protocol) && !/token/.test(target.href)
        ? held
        : broken('Location is not an http URL, or contains a token', exchange);
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
  [200, 206, 301, 302, 303, 307, 308].includes(exchange.came.status) &&
  jsonOf(exchange) === undefined;
