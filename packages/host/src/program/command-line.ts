import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { SessionOptions } from '../sessions/sessions.ts';

export const usage = `usage: clip-host [options]

Keeps the API key of a clip service for the pages of a site, whose server signs who is logged in.
Each option may be set by an environment variable instead.

  --service URL            address of the clip service, such as https://clips.example/v2
                           (CLIP_API_URL)
  --api-key-file FILE      file with its API key (CLIP_API_KEY_FILE; CLIP_API_KEY: the key)
  --secret-file FILE       file with the secret that signs the sessions; with two, one a line, while
                           one is replaced (HOST_SECRETS_FILE; HOST_SECRETS: the secrets, with a
                           space between them)
  --public-key-file FILE   file with public keys of Ed25519 or P-256 (PEM) instead of secrets
                           (HOST_PUBLIC_KEYS_FILE)
  --origin ORIGIN          origin of the site's pages, such as https://www.example.com; may be given
                           again (HOST_ORIGINS, with spaces between them)
  --public-url URL         where browsers reach this host (HOST_PUBLIC_URL;
                           default: http://localhost:PORT)
  --path PATH              path at which it answers (HOST_PATH; default: that of the public URL, or
                           /host)
  --port PORT              port to listen on, 0 for any (PORT; default: 4500)
  --address ADDRESS        address of this machine to listen on (HOST_ADDRESS; default: all)
  --store URL              where users and paid starts are kept: an SQLite file, or
                           postgres://... or redis://... (HOST_STORE; default: clip-host.sqlite)
  --help                   prints this

It logs JSON lines to standard output. GET /healthz says that it runs, GET /readyz that its store
answers. SIGTERM ends it when the open requests have their answers; a second one at once.`;

/** The command line or the environment does not fit. The message says what to do. */
export class CommandLineError extends Error {
  override name = 'CommandLineError';
}

export interface ProgramSettings {
  readonly service: { readonly baseUrl: string; readonly apiKey: string };
  readonly sessions: SessionOptions;
  readonly origins: readonly string[];
  /** Without a slash at the end; null for the port that it listens on. */
  readonly publicUrl: URL | null;
  readonly basePath: string;
  readonly port: number;
  readonly address: string | undefined;
  readonly store: string;
}

/** The variable of each option. */
const variables = {
  service: 'CLIP_API_URL',
  'api-key-file': 'CLIP_API_KEY_FILE',
  'secret-file': 'HOST_SECRETS_FILE',
  'public-key-file': 'HOST_PUBLIC_KEYS_FILE',
  origin: 'HOST_ORIGINS',
  'public-url': 'HOST_PUBLIC_URL',
  path: 'HOST_PATH',
  port: 'PORT',
  address: 'HOST_ADDRESS',
  store: 'HOST_STORE',
} as const;

type Name = keyof typeof variables;

const optionTable = {
  ...(Object.fromEntries(
    Object.keys(variables).map((name) => [name, { type: 'string' }] as const),
  ) as Record<Name, { type: 'string' }>),
  origin: { type: 'string', multiple: true },
  help: { type: 'boolean', short: 'h' },
} as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings; null for `--help`. Throws a {@link CommandLineError}. */
export function readSettings(
  args: readonly string[],
  environment: Environment,
): ProgramSettings | null {
  const values = parseOptions(args);
  if (values.help) return null;
  const given = new GivenSettings(values, environment);
  const publicUrl = readPublicUrl(given.text('public-url'));
  const ownPath = publicUrl?.pathname.replace(/(?<!\/)\/+$/, '');
  return {
    service: readService(given),
    sessions: readSessions(given),
    origins: values.origin ?? splitWords(given.text('origin') ?? ''),
    publicUrl,
    basePath: given.text('path') ?? (ownPath || '/host'),
    port: readPort(given.text('port') ?? '4500'),
    address: given.text('address'),
    store: given.text('store') ?? 'clip-host.sqlite',
  };
}

function parseOptions(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: optionTable }).values;
  } catch (error) {
    throw new CommandLineError((error as Error).message);
  }
}

/** The options of the command line, and the variables for the others. */
class GivenSettings {
  readonly #values: ReturnType<typeof parseOptions>;
  readonly #environment: Environment;

  constructor(values: ReturnType<typeof parseOptions>, environment: Environment) {
    this.#values = values;
    this.#environment = environment;
  }

  variable(name: string): string | undefined {
    return this.#environment[name]?.trim() || undefined;
  }

  text(name: Name): string | undefined {
    const value = this.#values[name];
    return typeof value === 'string' ? value : this.variable(variables[name]);
  }

  /** The text of a secret: of a file, or of a variable. */
  secret(name: Name, inVariable: string): string | undefined {
    const path = this.text(name);
    if (path === undefined) return this.variable(inVariable);
    if (this.variable(inVariable) !== undefined) {
      throw new CommandLineError(`Set either --${name} or ${inVariable}.`);
    }
    try {
      return readFileSync(path, 'utf8').trim();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new CommandLineError(
        `--${name} must be the path of a file that can be read (${code}).`,
      );
    }
  }
}

const splitWords = (text: string): string[] => text.split(/\s+/).filter(Boolean);

const isHttp = (url: string): boolean => /^https?:$/.test(URL.parse(url)?.protocol ?? '');

function readService(given: GivenSettings): ProgramSettings['service'] {
  const baseUrl = given.text('service');
  if (!baseUrl || !isHttp(baseUrl)) {
    throw new CommandLineError(
      '--service must be the address of the clip service, such as https://clips.example/v2.',
    );
  }
  const apiKey = given.secret('api-key-file', 'CLIP_API_KEY');
  if (!apiKey) {
    throw new CommandLineError(
      'The API key of the service is missing. Set --api-key-file or CLIP_API_KEY.',
    );
  }
  return { baseUrl, apiKey };
}

function readSessions(given: GivenSettings): SessionOptions {
  const secrets = (given.secret('secret-file', 'HOST_SECRETS') ?? '')
    .split(given.text('secret-file') === undefined ? /\s/ : '\n')
    .map((secret) => secret.trim())
    .filter(Boolean);
  const publicKeys =
    given
      .secret('public-key-file', 'HOST_PUBLIC_KEYS')
      ?.match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----/g) ?? [];
  if (!secrets.length && !publicKeys.length) {
    throw new CommandLineError(
      'The key that checks sessions is missing. Set --secret-file, HOST_SECRETS or --public-key-file. To create a secret: openssl rand -hex 32',
    );
  }
  return { ...(secrets.length && { secrets }), ...(publicKeys.length && { publicKeys }) };
}

function readPort(port: string): number {
  if (/^\d{1,5}$/.test(port) && Number(port) <= 65_535) return Number(port);
  throw new CommandLineError('--port must be a whole number from 0 to 65535.');
}

function readPublicUrl(url: string | undefined): URL | null {
  if (url === undefined) return null;
  if (isHttp(url)) return new URL(url);
  throw new CommandLineError('--public-url must be an address such as https://clips.example/host.');
}
