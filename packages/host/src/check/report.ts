import type { Exchange } from './http.ts';
import type { Result, Verdict } from './run.ts';
import type { CheckOptions } from './world.ts';

type Mask = (text: string) => string;

/** Header names with values that may be shown. All other headers may be secret. */
const plainHeaders =
  /^(accept|access-control-request-(headers|method)|content-type|idempotency-key|origin|prefer|range|sec-fetch-site|user-agent)$/i;

/** The headers of an answer that are worth showing. */
const shownHeaders =
  /^(content-type|cache-control|location|allow|retry-after|preference-applied|content-disposition|content-range|idempotency-key|access-control-)/;

/** Creates the function that removes tokens and what the check logs in with from a text. */
export function masker({ user, other }: Pick<CheckOptions, 'user' | 'other'>): Mask {
  const values = [...Object.values(user), ...Object.values(other ?? {})]
    .flatMap((secret) => [secret, ...secret.split(/[;,\s]+/)])
    .flatMap((part) => [part.trim(), part.slice(part.indexOf('=') + 1).trim()])
    .filter((part) => part.length >= 4)
    .toSorted((a, b) => b.length - a.length);
  return (text) =>
    values
      .reduce((masked, value) => masked.replaceAll(value, '***'), text)
      .replace(/("(?:\w*token\w*|csrf\w*|api_?key|password|secret)"\s*:\s*")[^"]*"/gi, '$1***"')
      .replace(/(external_access_token=)[^&\s"]+/g, '$1***')
      .replace(/\beyJ[\w-]+(?:\.[\w-]*)*/g, '***')
      .replace(/\b(Bearer|Basic)\s+[\w.~+/=-]+/gi, '$1 ***');
}

/** The states as shown to people, and their colours. */
const states: Readonly<Record<Verdict['state'], readonly [word: string, colour: number]>> = {
  held: ['held', 32],
  absent: ['optional and absent', 36],
  broken: ['broken', 31],
  unchecked: ['not checked', 33],
};

const short = (text: string): string =>
  text.length > 400 ? `${text.slice(0, 400)} ... (${text.length} characters)` : text;

/** What was sent and received, without secrets. */
const shownExchange = ({ sent, received }: Exchange, mask: Mask) => ({
  sent: [
    `${sent.method} ${mask(sent.url)}`,
    ...Object.entries(sent.headers).map(
      ([name, value]) => `${name}: ${plainHeaders.test(name) ? mask(value) : '***'}`,
    ),
    ...(sent.body === null ? [] : [short(mask(sent.body))]),
  ],
  received: [
    received.status === 0 ? `no answer: ${mask(received.failure ?? '')}` : String(received.status),
    ...Object.entries(received.headers)
      .filter(([name]) => shownHeaders.test(name))
      .map(([name, value]) => `${name}: ${mask(value)}`),
    ...(received.text ? [short(mask(received.text))] : []),
  ],
});

const indented = (title: string, lines: readonly string[]): string[] =>
  lines.map((line, at) => `      ${(at ? '' : title).padEnd(9)} ${line}`);

/** The lines for one result. */
export function resultLines({ rule, verdict }: Result, mask: Mask, isColoured: boolean): string[] {
  const [word, colour] = states[verdict.state];
  const state = word.padEnd(19);
  const painted = isColoured ? `\u001b[${colour}m${state}\u001b[0m` : state;
  const head = `${painted} ${rule.id}: ${rule.title}`;
  if (verdict.state === 'held') return [head];
  if (verdict.state !== 'broken') return [head, `    ${verdict.note}`];
  return [
    head,
    `    found: ${mask(verdict.found)}`,
    `    why it matters: ${rule.why}`,
    `    how to fix it: ${rule.fix}`,
    ...verdict.exchanges
      .map((exchange) => shownExchange(exchange, mask))
      .flatMap((one) => [...indented('sent:', one.sent), ...indented('received:', one.received)]),
  ];
}

/** How many rules are in each state. */
export function summaryOf(results: readonly Result[]): Record<Verdict['state'], number> {
  const summary = { held: 0, absent: 0, broken: 0, unchecked: 0 };
  for (const { verdict } of results) summary[verdict.state] += 1;
  return summary;
}

/** The last line. */
export const summaryLine = (results: readonly Result[]): string =>
  Object.entries(summaryOf(results))
    .map(([state, count]) => `${count} ${states[state as Verdict['state']][0]}`)
    .join(', ');

/** The whole report as one value for `--json`. */
export const jsonReport = (endpoint: string, results: readonly Result[], mask: Mask): object => ({
  endpoint: mask(endpoint),
  summary: summaryOf(results),
  rules: results.map(({ rule: { id, title, why, fix }, verdict }) => ({
    id,
    title,
    ...verdict,
    ...(verdict.state === 'broken' && {
      found: mask(verdict.found),
      why,
      mend: fix,
      exchanges: verdict.exchanges.map((exchange) => shownExchange(exchange, mask)),
    }),
  })),
});
