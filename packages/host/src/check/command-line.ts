import { parseArgs } from 'node:util';
import type { CheckOptions } from './world.ts';

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
export class UsageError extends Error {}

function refuse(isWrong: unknown, message: string): void {
  if (isWrong) throw new UsageError(message);
}

/** The characters that a header value may contain. */
const isHeaderValue = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text);

function headersOf(lines: readonly string[], flag: string): Record<string, string> {
  const pairs = lines.map((line) => /^([!#$%&'*+.^_`|~\w-]+):\s*(.*)$/.exec(line)?.slice(1) ?? []);
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
  return `${origin}${pathname!.replace(/\/+$/, '')}`;
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
