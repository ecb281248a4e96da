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
  /** A page of the site with the editor, with `{project_id}` for the clip; null without one. */
  readonly editorUrl: string | null;
  /** Whether the agent may start exports, which the plan counts. */
  readonly mayExport: boolean;
  /** Whether the agent may read, add and test the webhooks of the organization. */
  readonly hasWebhooks: boolean;
  /** Folder for downloaded clips; null: the agent gets their addresses. */
  readonly downloads: string | null;
  /** Null: over stdio. */
  readonly http: { readonly port: number; readonly token: string } | null;
}

export const usage = `usage: clip-mcp [--allow-exports] [--allow-webhooks] [--downloads DIR] [--http PORT]

  --allow-exports   the agent may start exports, which your plan counts
  --allow-webhooks  the agent may add and test webhooks of your organization
  --downloads DIR   the agent may save clips in this folder
  --http PORT       Streamable HTTP on 127.0.0.1 instead of stdio; needs CLIP_MCP_TOKEN

Environment: CLIP_API_URL, CLIP_API_KEY, CLIP_USER (a managed user), CLIP_PLAYER_URL,
CLIP_EDITOR_URL (a page of yours, with {project_id}), CLIP_MCP_TOKEN`;

const httpUrl = z
  .string('is missing')
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
    error: 'must be an http or https URL',
  });

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
  CLIP_PLAYER_URL: httpUrl.optional(),
  CLIP_EDITOR_URL: httpUrl
    .refine((text) => text.includes('{project_id}'), 'must contain {project_id}')
    .optional(),
  CLIP_MCP_TOKEN: parseSecret(16).optional(),
});

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        'allow-exports': { type: 'boolean', default: false },
        'allow-webhooks': { type: 'boolean', default: false },
        downloads: { type: 'string' },
        http: { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new SettingsError(`${(error as Error).message}\n${usage}`);
  }
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port < 65_536) return port;
  throw new SettingsError('--http must be a port from 0 to 65535.');
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
  const { CLIP_MCP_TOKEN } = read.data;
  if (options.http !== undefined && !CLIP_MCP_TOKEN) {
    throw new SettingsError(
      'CLIP_MCP_TOKEN is missing: with --http, a client sends it as its bearer token. Set it to at least 16 random characters.',
    );
  }
  if (options['allow-webhooks'] && CLIP_USER !== undefined) {
    throw new SettingsError(
      'Webhooks belong to the whole organization: remove CLIP_USER or --allow-webhooks.',
    );
  }
  return {
    serviceUrl: CLIP_API_URL,
    apiKey: CLIP_API_KEY,
    user: CLIP_USER ?? null,
    playerUrl: CLIP_PLAYER_URL?.replace(/(?<!\/)\/+$/, '') ?? null,
    editorUrl: CLIP_EDITOR_URL ?? null,
    mayExport: options['allow-exports'],
    hasWebhooks: options['allow-webhooks'],
    downloads: options.downloads ?? null,
    http:
      options.http === undefined ? null : { port: parsePort(options.http), token: CLIP_MCP_TOKEN! },
  };
}
