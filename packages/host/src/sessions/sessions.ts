import { compactVerify, decodeJwt, decodeProtectedHeader, importJWK, importSPKI } from 'jose';
import type { CryptoKey, JWK } from 'jose';
import * as z from 'zod/mini';
import { type EditorLimits, editorLimitsSchema } from 'clip-kit/contract';
import { HostProblem } from '../http/host-problem.ts';

/** Options for checking the sessions that a site signs. */
export interface SessionOptions {
  /**
   * The secrets with which the site signs (HS256), at least 32 bytes each; several while one is
   * replaced. The first one also signs the addresses of downloads.
   */
  readonly secrets?: readonly string[];
  /**
   * Public keys of the site instead: Ed25519 (`EdDSA` or `Ed25519`) or P-256 (`ES256`), as PEM
   * (`-----BEGIN PUBLIC KEY-----`) or JWK; several while one is replaced.
   */
  readonly publicKeys?: readonly (string | JWK)[];
  /** The longest time in seconds that a session may last. Default: 900. */
  readonly maxSeconds?: number;
}

/** Permissions of a session that names none. */
const usualPermissions = ['view', 'edit', 'export', 'upload', 'delete'] as const;
/** Permissions that a session may contain. */
const sessionPermissions = [...usualPermissions, 'share'] as const;

export type SessionPermission = (typeof sessionPermissions)[number];

/** A session whose signature and claims have been checked. */
export interface Session {
  /** The site's id of the user (`sub`). */
  readonly userId: string;
  readonly permissions: ReadonlySet<SessionPermission>;
  /** The exports that the user may start in 24 hours; null for no limit of the session's own. */
  readonly exportsPerDay: number | null;
  /** The parts of the editor that the user has. */
  readonly editor: EditorLimits;
}

const audience = 'clip-host';
const defaultMaxSeconds = 900;
/** The largest accepted difference between the clocks of site and host. */
const clockSkewSeconds = 60;
const minSecretBytes = 32;
/** Longer ones are not parsed: the claims of a session take some hundred characters. */
const maxSessionLength = 16_384;
const maxUserIdLength = 255;

type Algorithm = 'HS256' | 'EdDSA' | 'ES256';

interface Key {
  readonly algorithm: Algorithm;
  readonly key: Uint8Array | CryptoKey;
}

const encoder = new TextEncoder();

const makeRefusal = (detail: string): HostProblem => new HostProblem('session-refused', { detail });

/**
 * Checks the sessions in the `Authorization` header of requests.
 *
 * @example
 *   const sessions = new Sessions({ secrets: [process.env.CLIP_SECRET] }, Date.now);
 *   const { userId } = await sessions.read(request);
 */
export class Sessions {
  readonly #keys: readonly Promise<Key>[];
  readonly #algorithms: readonly Algorithm[];
  readonly #maxSeconds: number;
  readonly #now: () => number;

  /** Throws a `TypeError` for options with which no session could be checked safely. */
  constructor(options: SessionOptions, now: () => number) {
    const { secrets = [], publicKeys = [], maxSeconds = defaultMaxSeconds } = options;
    if (!secrets.length && !publicKeys.length) {
      throw new TypeError('sessions: set secrets or publicKeys');
    }
    for (const secret of secrets) {
      if (typeof secret === 'string' && encoder.encode(secret).length >= minSecretBytes) continue;
      throw new TypeError(
        `sessions.secrets: a secret must be a text of at least ${minSecretBytes} bytes, such as the output of: openssl rand -hex 32`,
      );
    }
    if (!(maxSeconds > 0)) throw new TypeError('sessions.maxSeconds must be greater than 0');
    const known = publicKeys.map((key) => ({ key, algorithm: chooseAlgorithm(key) }));
    this.#keys = [
      ...secrets.map(async (secret): Promise<Key> => {
        return { algorithm: 'HS256', key: encoder.encode(secret) };
      }),
      ...known.map(({ key, algorithm }) => importPublicKey(key, algorithm)),
    ];
    // Each request gets the failure.
    for (const key of this.#keys) key.catch(() => {});
    this.#algorithms = [
      ...(secrets.length ? (['HS256'] as const) : []),
      ...(publicKeys.length ? (['EdDSA', 'ES256'] as const) : []),
    ];
    this.#maxSeconds = maxSeconds;
    this.#now = now;
  }

  /**
   * The session of a request. Throws 401: `unauthenticated` without one, `session-expired`, or
   * `session-refused` with the reason.
   */
  async read(request: Request): Promise<Session> {
    const [, token] = /^Bearer +(\S+) *$/i.exec(request.headers.get('Authorization') ?? '') ?? [];
    if (token === undefined) {
      throw new HostProblem('unauthenticated', {
        detail: 'The request has no session: send it as "Authorization: Bearer …".',
      });
    }
    await this.#verify(token);
    return this.#checkClaims(decodeJwt(token));
  }

  /** Throws unless the token is a JWT that one of the keys has signed. */
  async #verify(token: string): Promise<void> {
    if (token.length > maxSessionLength) {
      throw makeRefusal(`The session is longer than ${maxSessionLength} characters.`);
    }
    const parts = token.split('.');
    if (parts.length !== 3) {
      throw makeRefusal(`A session is a JWT of three parts, and this one has ${parts.length}.`);
    }
    if (!parts.every((part) => /^[\w-]*$/.test(part))) {
      throw makeRefusal('The parts of the session are not all base64url without padding.');
    }
    let algorithm: unknown;
    try {
      algorithm = decodeProtectedHeader(token).alg;
      decodeJwt(token);
    } catch {
      throw makeRefusal('The header and the payload of a session must be JSON objects.');
    }
    // The name of EdDSA with this curve by RFC 9864.
    const family = algorithm === 'Ed25519' ? 'EdDSA' : algorithm;
    if (!this.#algorithms.some((one) => one === family)) {
      const named = typeof algorithm === 'string' ? `"${algorithm.slice(0, 20)}"` : 'missing';
      throw makeRefusal(
        `The algorithm (alg) of the session is ${named}; this host takes ${this.#algorithms.join(' and ')}.`,
      );
    }
    for (const pending of this.#keys) {
      const key = await pending;
      if (key.algorithm !== family) continue;
      try {
        await compactVerify(token, key.key, { algorithms: [algorithm as string] });
        return;
      } catch {
        // Another key may have signed it.
      }
    }
    throw makeRefusal(
      'The signature of the session is not valid: the session was signed with another secret or key, or changed afterwards.',
    );
  }

  #checkClaims(claims: Record<string, unknown>): Session {
    const now = this.#now() / 1000;
    if (![claims['aud']].flat().includes(audience)) {
      throw makeRefusal(`The audience (aud) of the session must be "${audience}".`);
    }
    const end = readSeconds(claims, 'exp');
    const start = readSeconds(claims, 'iat');
    if (end > start + this.#maxSeconds) {
      throw makeRefusal(
        `A session may last at most ${this.#maxSeconds} seconds from iat to exp; this one lasts ${end - start}.`,
      );
    }
    if (start > now + clockSkewSeconds) {
      throw makeRefusal(
        `The session was issued in the future (iat), ${Math.round(start - now)} seconds from now. Set the clocks of site and host.`,
      );
    }
    const begin = claims['nbf'] === undefined ? start : readSeconds(claims, 'nbf');
    if (begin > now + clockSkewSeconds) {
      throw makeRefusal(
        `The session begins in the future (nbf), ${Math.round(begin - now)} seconds from now. Leave nbf out, or set it to iat.`,
      );
    }
    const checked = claimsSchema.safeParse(claims);
    if (!checked.success) throw makeRefusal(`The session's ${describeFault(checked.error)}.`);
    if (end + clockSkewSeconds <= now) {
      throw new HostProblem('session-expired', {
        detail: `The session ended ${Math.round(now - end)} seconds ago. Get a new one from the site.`,
      });
    }
    const { sub, permissions, limits, editor = {} } = checked.data;
    return {
      userId: sub,
      permissions: new Set(permissions ?? usualPermissions),
      exportsPerDay: limits?.exports_per_day ?? null,
      editor,
    };
  }
}

const userIdRule = `must be the site's id of the user, a text of 1 to ${maxUserIdLength} characters`;

const claimsSchema = z.object({
  sub: z
    .string(userIdRule)
    .check(z.minLength(1, userIdRule), z.maxLength(maxUserIdLength, userIdRule)),
  permissions: z.optional(
    z.array(
      z.enum(sessionPermissions, {
        error: ({ input }) =>
          `is ${JSON.stringify(input)?.slice(0, 40)}, and must be one of ${sessionPermissions.join(', ')}`,
      }),
      `must be an array of ${sessionPermissions.join(', ')}`,
    ),
  ),
  editor: z.optional(editorLimitsSchema),
  limits: z.optional(
    z.strictObject({
      exports_per_day: z.optional(
        z
          .int('must be a whole number, 0 or more')
          .check(z.nonnegative('must be a whole number, 0 or more')),
      ),
    }),
  ),
});

function describeFault({ issues: [issue] }: z.core.$ZodError): string {
  if (issue?.code === 'unrecognized_keys') {
    return `${issue.path.join('.')} has an unknown field "${issue.keys[0]}"`;
  }
  return `${issue?.path.join('.')} ${issue?.message === 'Invalid input' ? 'must be an object' : issue?.message}`;
}

const timeMeanings = { exp: 'ends', iat: 'was issued', nbf: 'begins' } as const;

/** Later than any session in seconds, and as milliseconds in 1973. */
const leastMilliseconds = 1e11;

function readSeconds(claims: Record<string, unknown>, name: keyof typeof timeMeanings): number {
  const value = claims[name];
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    throw makeRefusal(
      `The session must say in ${name} when it ${timeMeanings[name]}, in seconds since 1970.`,
    );
  }
  if (value >= leastMilliseconds) {
    throw makeRefusal(`The session's ${name} is in milliseconds; send seconds since 1970.`);
  }
  return value;
}

function chooseAlgorithm(key: string | JWK): Algorithm | null {
  if (typeof key === 'string') {
    if (/-----BEGIN PUBLIC KEY-----/.test(key)) return null;
    throw new TypeError('sessions.publicKeys: a PEM must begin with -----BEGIN PUBLIC KEY-----');
  }
  if (key.d !== undefined) {
    throw new TypeError('sessions.publicKeys: this is a private key, which only the site may have');
  }
  if (key.crv === 'Ed25519') return 'EdDSA';
  if (key.crv === 'P-256') return 'ES256';
  throw new TypeError('sessions.publicKeys: a key must be of Ed25519 or P-256');
}

/** `algorithm`: null for a PEM, which only shows it when it is read. */
async function importPublicKey(key: string | JWK, algorithm: Algorithm | null): Promise<Key> {
  if (typeof key !== 'string') {
    return { algorithm: algorithm!, key: await importJWK(key, algorithm!) };
  }
  for (const candidate of ['EdDSA', 'ES256'] as const) {
    try {
      return { algorithm: candidate, key: await importSPKI(key, candidate) };
    } catch {
      // Perhaps the other one.
    }
  }
  throw new TypeError('sessions.publicKeys: a key must be of Ed25519 or P-256');
}
