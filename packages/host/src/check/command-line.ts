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

export interface CommandLine {
  readonly options: CheckOptions;
  /** The port of the service that fails, or null. */
  readonly faultsPort: number | null;
  readonly json: boolean;
}

function refuse(isWrong: boolean, message: string): void {
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

function endpointOf([text, ...more]: readonly string[]): string {
  if (text === undefined || more.length) {
    throw new UsageError('Give one URL: where the host is mounted.');
  }
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`"${text}" is not an http or https URL.`);
  }
  const hasUser = !!(url.username || url.password);
  refuse(hasUser, 'The URL must not contain a user name or password. Use --header.');
  refuse(!!(url.search || url.hash), 'The URL must not contain "?" or "#".');
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

const several = { type: 'string', multiple: true, default: [] as string[] } as const;
const flags = {
  cookie: { type: 'string' },
  header: several,
  'other-cookie': { type: 'string' },
  'other-header': several,
  'other-user': { type: 'string' },
  project: { type: 'string' },
  folder: { type: 'string' },
  start: { type: 'boolean', default: false },
  timeout: { type: 'string', default: '600' },
  faults: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: flags });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Reads the command line; null if it asks for help. Throws a {@link UsageError}. */
export function readCommandLine(args: readonly string[]): CommandLine | null {
  const { values, positionals } = parse(args);
  if (values.help) return null;
  const endpoint = endpointOf(positionals);
  const { project = null, folder = null, start } = values;
  const loginOf = (flag: '' | 'other-') => {
    const cookie = values[`${flag}cookie`] ?? null;
    const headers = headersOf(values[`${flag}header`], `--${flag}header`);
    const isWrong = cookie !== null && !isHeaderValue(cookie);
    refuse(isWrong, `--${flag}cookie must be one line, as in a Cookie header.`);
    return cookie === null && !Object.keys(headers).length ? null : { cookie, headers };
  };
  const [login, other] = [loginOf(''), loginOf('other-')];
  if (!login) throw new UsageError('Give the login of a user with --cookie or --header.');
  const isSame = JSON.stringify(login) === JSON.stringify(other);
  refuse(isSame, '--other-cookie must be the login of another user.');
  const seconds = Number(values.timeout);
  refuse(!(seconds > 0 && seconds <= 86_400), '--timeout must be 1 to 86400 seconds.');
  const faultsPort = values.faults === undefined ? null : Number(values.faults);
  const isPort = faultsPort === null || (faultsPort > 0 && faultsPort < 65_536);
  refuse(!isPort || !Number.isInteger(faultsPort ?? 1), '--faults must be a port: 1 to 65535.');
  const isBoth = faultsPort !== null && start;
  refuse(isBoth, '--faults and --start cannot go together: they need different services.');
  refuse(start && project === null, '--start needs --project: the clip to export.');
  const known = { project, folder, otherUser: values['other-user'] ?? null };
  const options = { endpoint, ...login, other, ...known, start, maxWatchMs: seconds * 1000 };
  return { json: values.json, faultsPort, options };
}
