import { parseArgs } from 'node:util';
import { FaultService } from './faults/fault-service.ts';
import { faultRules, rules } from './rules.ts';
import { type Result, runRule, type Verdict } from './run.ts';
import { type CheckOptions, CheckWorld, type Exchange, pause } from './world.ts';

export const usage = `usage: clip-host-check URL [options]

URL is where the host is mounted, such as https://site.example/clips

  --cookie "session=..."       the login of a user
  --header "Name: value"       a header to send, such as a CSRF token; may be given
                               again; without --cookie it is the login itself
  --other-cookie "session=..." the login of a second user, who must see nothing of the first
  --other-header "Name: value" the same with a header
  --other-user ID              the site's own id of the second user, as an attacker might guess it
  --project ID                 a clip of the first user
  --folder ID                  the folder of that clip
  --start                      start one export of the clip and watch it to its end: it costs one export
  --timeout SECONDS            how long to watch it (default 600)
  --faults PORT                starts a service that fails, on this port of this machine, and checks
                               that the host pays for nothing twice. Takes two and a half minutes
  --json                       the result as JSON

Exit code: 0 no rule is broken, 1 some rule is broken, 2 the check could not run.`;

/** An invalid command line. The message says what to change. */
class UsageError extends Error {}

function refuse(isWrong: unknown, message: string): void {
  if (isWrong) throw new UsageError(message);
}

/** The characters that a header value may contain. */
const isHeaderValue = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text);

function headersOf(lines: readonly string[], flag: string): Record<string, string> {
  const pairs = lines.map((line) => {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/.exec(line) ?? [];
    return [name, value?.trim()];
  });
  const isWrong = pairs.some(([, value]) => value === undefined || !isHeaderValue(value));
  refuse(isWrong, `${flag} must look like "Name: value".`);
  return Object.fromEntries(pairs) as Record<string, string>;
}

function endpointOf([text = '', ...more]: readonly string[]): string {
  refuse(!text || more.length, 'Give one URL: where the host is mounted.');
  const {
    protocol = '',
    username,
    password,
    search,
    hash,
    origin,
    pathname,
  } = URL.parse(text) ?? {};
  refuse(!/^https?:$/.test(protocol), `"${text}" is not an http or https URL.`);
  const hasUser = username || password;
  refuse(hasUser, 'The URL must not contain a user name or password. Use --header.');
  refuse(search || hash, 'The URL must not contain "?" or "#".');
  return `${origin}${pathname!.replace(/(?<!\/)\/+$/, '')}`;
}

const text = { type: 'string' } as const;
const several = { type: 'string', multiple: true, default: [] as string[] } as const;
const flag = { type: 'boolean', default: false } as const;
const options = {
  cookie: text,
  header: several,
  'other-cookie': text,
  'other-header': several,
  'other-user': text,
  project: text,
  folder: text,
  start: flag,
  timeout: { type: 'string', default: '600' },
  faults: text,
  json: flag,
  help: { ...flag, short: 'h' },
} as const;

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Reads the command line; null if it asks for help. Throws a {@link UsageError}. */
export function readCommandLine(args: readonly string[]) {
  const { values, positionals } = parse(args);
  if (values.help) return null;
  const endpoint = endpointOf(positionals);
  const { project = null, folder = null, start, json, faults } = values;
  const loginOf = (which: '' | 'other-') => {
    const cookie = values[`${which}cookie`];
    const headers = headersOf(values[`${which}header`], `--${which}header`);
    const isWrong = cookie !== undefined && !isHeaderValue(cookie);
    refuse(isWrong, `--${which}cookie must be one line, as in a Cookie header.`);
    return { ...headers, ...(cookie !== undefined && { Cookie: cookie }) };
  };
  const [user, other] = [loginOf(''), loginOf('other-')];
  refuse(!Object.keys(user).length, 'Give the login of a user with --cookie or --header.');
  const isSame = JSON.stringify(user) === JSON.stringify(other);
  refuse(isSame, '--other-cookie must be the login of another user.');
  const seconds = Number(values.timeout);
  refuse(!(seconds > 0 && seconds <= 86_400), '--timeout must be 1 to 86400 seconds.');
  const faultsPort = faults === undefined ? null : Number(faults);
  const isPort = /^\d+$/.test(faults ?? '1') && faultsPort !== 0 && Number(faultsPort) < 65_536;
  refuse(!isPort, '--faults must be a port: 1 to 65535.');
  const isBoth = faults !== undefined && start;
  refuse(isBoth, '--faults and --start cannot go together: they need different services.');
  refuse(start && project === null, '--start needs --project: the clip to export.');
  const checked: CheckOptions = {
    endpoint,
    always: values.cookie === undefined ? {} : headersOf(values.header, '--header'),
    user,
    other: Object.keys(other).length ? other : null,
    otherUser: values['other-user'] ?? null,
    project,
    folder,
    start,
    maxWatchMs: seconds * 1000,
  };
  return { json, faultsPort, options: checked };
}

/** Where the check writes. */
export interface Output {
  out(text: string): void;
  error(text: string): void;
  readonly colour: boolean;
}

/** The check cannot run at all. The message says why. */
class CannotRun extends Error {}

type Report = (result: Result) => void;

async function checkRules(world: CheckWorld, report: Report): Promise<void> {
  const { endpoint, other } = world.options;
  for (const as of other ? (['user', 'other'] as const) : (['user'] as const)) {
    const { status, failure } = (await world.ask('GET', 'exports', { as })).received;
    const flags = as === 'user' ? '--cookie or --header' : '--other-cookie or --other-header';
    const reason = {
      0: `${endpoint} cannot be reached: ${failure}. Is the host running, and is the URL right?`,
      3: `${endpoint}/exports redirects (${status}). Is the session still valid, and is the URL right?`,
      401: `With ${flags} the host says that nobody is logged in (401). Copy a new session from the browser.`,
    }[status === 401 ? 401 : Math.floor(status / 100)];
    if (reason) throw new CannotRun(reason);
  }
  for (const rule of rules) report(await runRule(world, rule));
}

/** Checks the rules about a service that fails, but for those that need a kill of the host. */
async function checkFaults(
  world: CheckWorld,
  port: number,
  say: (text: string) => void,
  report: Report,
): Promise<void> {
  const isOfKill = (step: string): boolean => step.startsWith('killed ');
  const service = new FaultService(faultRules.filter(({ steps }) => !steps.some(isOfKill)));
  await service.listen(port).catch((cause: Error) => {
    throw new CannotRun(`The service cannot listen on port ${port}: ${cause.message}`);
  });
  try {
    say(`A service that fails listens at ${service.baseUrl}\nIts key: ${service.apiKey}\n`);
    say(`Start your host with it. Waiting for ${world.options.endpoint} ...\n`);
    while ((await world.ask('GET', 'exports')).received.status !== 200) await pause(500);
    await service.run(world, report);
  } finally {
    await service.close();
  }
}

/** Runs the check of a command line; returns the exit code. */
export async function main(
  args: readonly string[],
  { out, error: say, colour }: Output,
): Promise<0 | 1 | 2> {
  let mask = (text: string) => text;
  try {
    const line = readCommandLine(args);
    if (line === null) {
      out(`${usage}\n`);
      return 0;
    }
    const { options, json, faultsPort } = line;
    mask = masker(options);
    const world = new CheckWorld(options);
    const summary = { held: 0, absent: 0, broken: 0, unchecked: 0 };
    const shown: ShownRule[] = [];
    const report: Report = (result) => {
      const rule = shownRule(result, mask);
      summary[rule.state]++;
      shown.push(rule);
      if (!json) out(`${linesOf(rule, colour).join('\n')}\n`);
    };
    await (faultsPort === null
      ? checkRules(world, report)
      : checkFaults(world, faultsPort, say, report));
    const counts = Object.entries(summary).map(
      ([state, count]) => `${count} ${states[state as Verdict['state']][0]}`,
    );
    // The rules about a service that fails run at once, and end in any order.
    const ids = [...rules, ...faultRules].map(({ id }) => id);
    shown.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
    const whole = { endpoint: mask(options.endpoint), summary, rules: shown };
    out(json ? `${JSON.stringify(whole, null, 2)}\n` : `\n${counts.join(', ')}\n`);
    return summary.broken ? 1 : 0;
  } catch (error) {
    if (error instanceof UsageError) say(`${error.message}\n\n${usage}\n`);
    else if (error instanceof CannotRun) say(`${mask(error.message)}\n`);
    else throw error;
    return 2;
  }
}

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

/** What is reported of a rule, without secrets. */
const shownRule = ({ rule: { id, title, why, fix }, verdict }: Result, mask: Mask) => ({
  id,
  title,
  ...(verdict.state === 'broken'
    ? {
        ...verdict,
        found: mask(verdict.found),
        why,
        mend: fix,
        exchanges: verdict.exchanges.map((exchange) => shownExchange(exchange, mask)),
      }
    : verdict),
});
type ShownRule = ReturnType<typeof shownRule>;

const indented = (title: string, lines: readonly string[]): string[] =>
  lines.map((line, at) => `      ${(at ? '' : title).padEnd(9)} ${line}`);

/** The lines for one rule. */
function linesOf(rule: ShownRule, isColoured: boolean): string[] {
  const [word, colour] = states[rule.state];
  const state = word.padEnd(19);
  const painted = isColoured ? `\u001b[${colour}m${state}\u001b[0m` : state;
  const head = `${painted} ${rule.id}: ${rule.title}`;
  if (rule.state === 'held') return [head];
  if (rule.state !== 'broken') return [head, `    ${rule.note}`];
  return [
    head,
    `    found: ${rule.found}`,
    `    why it matters: ${rule.why}`,
    `    how to fix it: ${rule.mend}`,
    ...rule.exchanges.flatMap(({ sent, received }) => [
      ...indented('sent:', sent),
      ...indented('received:', received),
    ]),
  ];
}
