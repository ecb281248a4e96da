import type { Exchange } from './exchange.ts';
import { maskedHeader } from './mask.ts';
import type { Result } from './run.ts';
import type { Verdict } from './verdict.ts';

type Mask = (text: string) => string;

/** The states as shown to people. */
const stateWords: Readonly<Record<Verdict['state'], string>> = {
  held: 'held',
  absent: 'optional and absent',
  broken: 'broken',
  unchecked: 'not checked',
};

const colours: Readonly<Record<Verdict['state'], number>> = {
  held: 32,
  absent: 36,
  broken: 31,
  unchecked: 33,
};

/** The headers of an answer that are worth showing. */
const shownHeaders =
  /^(content-type|cache-control|location|allow|retry-after|preference-applied|content-disposition|content-range|access-control-)/;

const short = (text: string, length = 400): string =>
  text.length > length ? `${text.slice(0, length)} ... (${text.length} characters)` : text;

/** What was sent and received, without secrets. */
const shownExchange = ({ sent, received }: Exchange, mask: Mask) => ({
  sent: [
    `${sent.method} ${mask(sent.url)}`,
    ...Object.entries(sent.headers).map(
      ([name, value]) => `${name}: ${maskedHeader(name, value, mask)}`,
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

/** The lines for one result. */
export function resultLines({ rule, verdict }: Result, mask: Mask, colour: boolean): string[] {
  const state = stateWords[verdict.state].padEnd(19);
  const painted = colour ? `\u001b[${colours[verdict.state]}m${state}\u001b[0m` : state;
  const head = `${painted} ${rule.id}: ${rule.title}`;
  if (verdict.state === 'held') return [head];
  if (verdict.state !== 'broken') return [head, `    ${verdict.note}`];
  return [
    head,
    `    found: ${mask(verdict.found)}`,
    `    why it matters: ${rule.why}`,
    `    how to fix it: ${rule.fix}`,
    ...verdict.exchanges.flatMap((exchange) => {
      const { sent, received } = shownExchange(exchange, mask);
      return [
        ...sent.map((line, at) => `      ${at ? '         ' : 'sent:    '} ${line}`),
        ...received.map((line, at) => `      ${at ? '         ' : 'received:'} ${line}`),
      ];
    }),
  ];
}

export type Summary = Readonly<Record<Verdict['state'], number>>;

export function summaryOf(results: readonly Result[]): Summary {
  const summary = { held: 0, absent: 0, broken: 0, unchecked: 0 };
  for (const { verdict } of results) summary[verdict.state] += 1;
  return summary;
}

/** The last line. */
export const summaryLine = (summary: Summary): string =>
  Object.entries(stateWords)
    .map(([state, word]) => `${summary[state as Verdict['state']]} ${word}`)
    .join(', ');

/** The whole report as one value for `--json`. */
export const jsonReport = (endpoint: string, results: readonly Result[], mask: Mask): object => ({
  endpoint: mask(endpoint),
  summary: summaryOf(results),
  rules: results.map(({ rule, verdict }) => ({
    id: rule.id,
    title: rule.title,
    state: verdict.state,
    ...(verdict.state === 'absent' || verdict.state === 'unchecked' ? { note: verdict.note } : {}),
    ...(verdict.state === 'broken'
      ? {
          found: mask(verdict.found),
          why: rule.why,
          mend: rule.fix,
          exchanges: verdict.exchanges.map((exchange) => shownExchange(exchange, mask)),
        }
      : {}),
  })),
});
