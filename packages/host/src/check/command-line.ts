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

/** The characters that a header value may contain. */
const isHeaderValue = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text);

const headersOf = (lines: readonly string[], flag: string): Record<string, string> =>
  Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*(.*)$/.exec(line) ?? [];
      if (name === undefined || value === undefined || !isHeaderValue(value)) {
        throw new UsageError(`${flag} must look like "Name: value".`);
      }
      return [name, value];
    }),
  );

function endpointOf(given: readonly string[]): string {
  const [text, more] = given;
  if (text === undefined || more !== undefined) {
    throw new UsageError('Give one URL: where the host is mounted.');
  }
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new UsageError(`"${text}" is not an http or https URL.`);
  }
  const url = new URL(text);
  if (url.username || url.password) {
    throw new UsageError('The URL must not contain a user name or password. Use --header.');
  }
  if (url.search || url.hash) throw new UsageError('The URL must not contain "?" or "#".');
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Reads the command line; null if it asks for help. Throws a {@link UsageError}. */
export function readCommandLine(args: readonly string[]): CommandLine | null {
  let parsed;
  try {
    parsed = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        cookie: { type: 'string' },
        header: { type: 'string', multiple: true, default: [] },
        'other-cookie': { type: 'string' },
        'other-header': { type: 'string', multiple: true, default: [] },
        'other-user': { type: 'string' },
        project: { type: 'string' },
        folder: { type: 'string' },
        start: { type: 'boolean', default: false },
        timeout: { type: 'string', default: '600' },
        faults: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  const { values, positionals } = parsed;
  if (values.help) return null;
  const endpoint = endpointOf(positionals);
  const { cookie = null, project = null, folder = null } = values;
  const headers = headersOf(values.header, '--header');
  const otherCookie = values['other-cookie'] ?? null;
  for (const [flag, value] of Object.entries({
    '--cookie': cookie,
    '--other-cookie': otherCookie,
  })) {
    if (value !== null && !isHeaderValue(value)) {
      throw new UsageError(`${flag} must be one line, as in a Cookie header.`);
    }
  }
  const otherHeaders = headersOf(values['other-header'], '--other-header');
  const seconds = Number(values.timeout);
  if (!(seconds > 0 && seconds <= 86_400)) {
    throw new UsageError('--timeout must be 1 to 86400 seconds.');
  }
  const faultsPort = values.faults === undefined ? null : Number(values.faults);
  if (
    faultsPort !== null &&
    !(Number.isInteger(faultsPort) && faultsPort > 0 && faultsPort < 65_536)
  ) {
    throw new UsageError('--faults must be a port: 1 to 65535.');
  }
  if (faultsPort !== null && values.start) {
    throw new UsageError('--faults and --start cannot go together: they need different services.');
  }
  if (cookie === null && !Object.keys(headers).length) {
    throw new UsageError('Give the login of a user with --cookie or --header.');
  }
  if (values.start && project === null) {
    throw new UsageError('--start needs --project: the clip to export.');
  }
  const other =
    otherCookie === null && !Object.keys(otherHeaders).length
      ? null
      : { cookie: otherCookie, headers: otherHeaders };
  if (
    other &&
    other.cookie === cookie &&
    JSON.stringify(other.headers) === JSON.stringify(headers)
  ) {
    throw new UsageError('--other-cookie must be the login of another user.');
  }
  return {
    json: values.json,
    faultsPort,
    options: {
      endpoint,
      cookie,
      headers,
      other,
      otherUser: values['other-user'] ?? null,
      project,
      folder,
      start: values.start,
      maxWatchMs: seconds * 1000,
    },
  };
}
