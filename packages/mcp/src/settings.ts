import { parseArgs } from 'node:util';
import * as z from 'zod';

/** The settings of the server, read at its start. The message names each wrong setting. */
export class SettingsError extends Error {
  override name = 'SettingsError';
}

export interface Settings {
  /** The service's base URL with its version segment. */
  readonly serviceUrl: string;
  readonly apiKey: string;
  /** The managed user that all calls are made for; null: the owner of the key. */
  readonly user: string | null;
  /** Where the pages of the players are; null if the clips have no address for people. */
  readonly playerUrl: string | null;
  /** Whether the agent may start exports, which the plan counts. */
  readonly mayExport: boolean;
  /** Whether the agent may read, add and test the webhooks of the organization. */
  readonly hasWebhooks: boolean;
  /** Whether the agent may make links that show clips to anyone. */
  readonly mayShare: boolean;
  /** Folder for downloaded clips; null: the agent gets their addresses. */
  readonly downloads: string | null;
  /** Null: over stdio. `access`: the token that all clients share, or where people sign in. */
  readonly http: {
    readonly address: string;
    readonly port: number;
    access: string | SignIn;
  } | null;
  /** A page of the site with the editor, with `{project_id}` for the clip; null without one. */
  readonly editorUrl: string | null;
}

/** Where people sign in, and whose users they are. */
export interface SignIn {
  /** The address of this server, for which tokens are issued. */
  readonly publicUrl: string;
  readonly issuer: string;
  /** The claim with the id that a person has on the site; null: a person of the issuer. */
  readonly userClaim: string | null;
  /** The host that knows the managed user of each person, and the secret of its sessions. */
  readonly hostUrl: string;
  readonly hostSecret: string;
}

export const usage = `usage: clip-mcp [--allow-exports] [--allow-webhooks] [--allow-sharing]
                [--downloads DIR]
                [--http [ADDRESS:]PORT [--public-url URL --issuer URL [--user-claim NAME]]]

  --allow-exports   the agent may start exports, which your plan counts
  --allow-webhooks  the agent may add and test webhooks of your organization
  --allow-sharing   the agent may make links that show clips to anyone
  --downloads DIR   the agent may save clips in this folder
  --http PORT       Streamable HTTP on 127.0.0.1 instead of stdio; needs CLIP_MCP_TOKEN

With OAuth, where each person signs in; needs CLIP_HOST_URL and CLIP_HOST_SECRET:
  --http [ADDRESS:]PORT  where the reverse proxy reaches it
  --public-url URL       the address that clients use, for which tokens are issued
  --issuer URL           the authorization server
  --user-claim NAME      claim of the token with the id that the person has on your site

Environment: CLIP_API_URL, CLIP_API_KEY, CLIP_USER (a managed user), CLIP_PLAYER_URL,
CLIP_EDITOR_URL (a page of yours, with {project_id}), CLIP_MCP_TOKEN, CLIP_HOST_URL,
CLIP_HOST_SECRET`;

/** Whether nobody between can read or change what goes there, nor the address say more. */
export function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash, username } = new URL(text);
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return (protocol === 'https:' || (protocol === 'http:' && isHere)) && !(search + hash + username);
}

const httpUrl = z
  .string('is missing')
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
    error: 'must be an http or https URL',
  });

const baseUrl = httpUrl.transform((text) => text.replace(/(?<!\/)\/+$/, ''));

// A secret is described, never shown.
const parseSecret = (minLength: number) =>
  z
    .string('is missing')
    .regex(/^[\x21-\x7e]+$/, 'must be visible ASCII characters')
    .min(minLength, `must have at least ${minLength} characters`);

const environmentSchema = z.object({
  CLIP_API_URL: httpUrl,
  CLIP_API_KEY: parseSecret(1),
  CLIP_USER: z.string().min(1).optional(),
  CLIP_PLAYER_URL: baseUrl.optional(),
  CLIP_EDITOR_URL: httpUrl
    .refine((text) => text.includes('{project_id}'), 'must contain {project_id}')
    .optional(),
  CLIP_MCP_TOKEN: parseSecret(16).optional(),
  CLIP_HOST_URL: baseUrl.optional(),
  CLIP_HOST_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
});

type Environment = z.output<typeof environmentSchema>;

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        'allow-exports': { type: 'boolean', default: false },
        'allow-webhooks': { type: 'boolean', default: false },
        'allow-sharing': { type: 'boolean', default: false },
        downloads: { type: 'string' },
        http: { type: 'string' },
        'public-url': { type: 'string' },
        issuer: { type: 'string' },
        'user-claim': { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new SettingsError(`${(error as Error).message}\n${usage}`);
  }
}

type Options = ReturnType<typeof readArguments>;

function readSignIn(options: Options, environment: Environment): SignIn {
  const { 'public-url': publicUrl, issuer, 'user-claim': userClaim = null, downloads } = options;
  const { CLIP_HOST_URL, CLIP_HOST_SECRET, CLIP_USER, CLIP_MCP_TOKEN } = environment;
  if (!publicUrl || !issuer || !CLIP_HOST_URL || !CLIP_HOST_SECRET) {
    throw new SettingsError(
      'To let people sign in, give all of --public-url, --issuer, CLIP_HOST_URL and CLIP_HOST_SECRET.',
    );
  }
  const unsafe = [publicUrl, issuer].find((url) => !isSafeUrl(url));
  if (unsafe !== undefined) {
    throw new SettingsError(`${unsafe} must be an https URL without a query.`);
  }
  if (options['allow-webhooks'] || (CLIP_USER ?? CLIP_MCP_TOKEN ?? downloads) !== undefined) {
    throw new SettingsError(
      'With --issuer, each person has own clips: remove CLIP_USER, CLIP_MCP_TOKEN, --downloads and --allow-webhooks.',
    );
  }
  // As clients write it, who ask for tokens for it.
  const { href } = new URL(publicUrl);
  const host = { hostUrl: CLIP_HOST_URL, hostSecret: CLIP_HOST_SECRET };
  return { publicUrl: href, issuer, userClaim, ...host };
}

function readHttp(options: Options, environment: Environment): Settings['http'] {
  const isSignIn = (options.issuer ?? options['public-url'] ?? options['user-claim']) !== undefined;
  if (options.http === undefined && !isSignIn) return null;
  const [, address = '127.0.0.1', digits] = /^(?:(.+):)?(\d{1,5})$/.exec(options.http ?? '') ?? [];
  const port = Number(digits ?? Infinity);
  if (port > 65_535) throw new SettingsError('--http must be a port from 0 to 65535.');
  if (isSignIn) return { address, port, access: readSignIn(options, environment) };
  const { CLIP_MCP_TOKEN: access } = environment;
  if (!access) {
    throw new SettingsError(
      'CLIP_MCP_TOKEN is missing: with --http, a client sends it as its bearer token. Set it to at least 16 random characters.',
    );
  }
  if (address === '127.0.0.1') return { address, port, access };
  throw new SettingsError(
    '--http with an address needs --issuer: a shared token is for this machine.',
  );
}

/** Throws a {@link SettingsError}. */
export function readSettings(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Settings {
  const options = readArguments(args);
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value));
  const read = environmentSchema.safeParse(set);
  if (!read.success) {
    const faults = read.error.issues.map(({ path, message }) => `${path.join('.')} ${message}.`);
    throw new SettingsError(`${faults.join('\n')}\n${usage}`);
  }
  const { CLIP_API_URL, CLIP_API_KEY, CLIP_USER, CLIP_PLAYER_URL, CLIP_EDITOR_URL } = read.data;
  if (options['allow-webhooks'] && CLIP_USER !== undefined) {
    throw new SettingsError(
      'Webhooks belong to the whole organization: remove CLIP_USER or --allow-webhooks.',
    );
  }
  return {
    serviceUrl: CLIP_API_URL,
    apiKey: CLIP_API_KEY,
    user: CLIP_USER ?? null,
    playerUrl: CLIP_PLAYER_URL ?? null,
    editorUrl: CLIP_EDITOR_URL ?? null,
    mayExport: options['allow-exports'],
    hasWebhooks: options['allow-webhooks'],
    mayShare: options['allow-sharing'],
    downloads: options.downloads ?? null,
    http: readHttp(options, read.data),
  };
}
