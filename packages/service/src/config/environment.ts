import { readFileSync } from 'node:fs';
import { BlockList, isIP } from 'node:net';
import {
  exportQualities,
  isRemoteUrl,
  isSpeechModel,
  getModelDirectory,
  speechModelChoices,
} from 'clip-engine';
import { decodeWebhookSecret } from 'clip-kit/contract';
import * as z from 'zod';
import {
  type Limits,
  logLevels,
  type RemoteConfig,
  type S3Config,
  type ServiceConfig,
} from './config.ts';

/** The environment does not fit; the message says of every wrong variable what to do. */
export class EnvironmentError extends Error {
  override name = 'EnvironmentError';
}

/** Why clips cannot be private. */
export const openBucket =
  'Clips cannot be private while everyone may read the bucket (S3_PUBLIC_URL with S3_PUBLIC_ACCESS=open). ' +
  'Make it private and set S3_PUBLIC_ACCESS=signed, or leave S3_PUBLIC_URL unset so that the service sends the files.';

/** A secret is described, never shown. */
const checkSecret = (fits: (text: string) => unknown, must: string) =>
  z.string().refine(fits, `must be ${must}.`);

const showValue = (must: string) => ({
  error: ({ input }: { input?: unknown }) => `must be ${must}, not "${input}".`,
});

const checkText = (fits: (text: string) => unknown, must: string) =>
  z.string().refine(fits, showValue(must));

const parseWholeNumber = (min: number, max: number, note = '') =>
  checkText(
    (given) => /^\d{1,9}$/.test(given) && Number(given) >= min && Number(given) <= max,
    `a whole number from ${min} to ${max}${note}`,
  ).transform(Number);

const byteCount = checkText(
  (given) => /^\d{1,15}$/.test(given),
  'a whole number of bytes',
).transform(Number);

const parseChoice = <const T extends readonly string[]>(choices: T) =>
  z.enum(choices, showValue(`one of ${choices.join(', ')}`));

const flag = z
  .enum(['0', 'false', '1', 'true'], showValue('1 or 0'))
  .transform((given) => given === '1' || given === 'true');

const parseUrl = (given: string): URL | null => (URL.canParse(given) ? new URL(given) : null);

function isPublicUrl(given: string): boolean {
  const url = parseUrl(given);
  return !!url && /^https?:$/.test(url.protocol) && !url.username && !url.search && !url.hash;
}

const isLogoUrl = (given: string): boolean =>
  isPublicUrl(given) && new URL(given).protocol === 'https:' && !/["'<>;,\s]/.test(given);

const secretText = checkSecret(
  (given) => /^[\x21-\x7e]{1,4096}$/.test(given),
  'of printable ASCII characters without spaces',
);

const withoutSlash = (given: string): string => new URL(given).href.replace(/(?<!\/)\/+$/, '');

const remoteUrl = checkSecret(
  isRemoteUrl,
  'an https address (http only in the own network) without user name, query or fragment',
);

/** A password that is not encoded ends the host, the path or the address too early. */
function isPostgresUrl(given: string): boolean {
  const url = parseUrl(given);
  if (!url || !/^postgres(?:ql)?:$/.test(url.protocol)) return false;
  return !url.hash && !/@/.test(url.pathname + url.search) && !/%(?![\da-f]{2})/i.test(given);
}

const checkPostgresUrl = (must: string) =>
  checkSecret(
    isPostgresUrl,
    `${must}. In its password / # ? % and @ are percent-encoded: %2F %23 %3F %25 %40`,
  );

function isWebhookSecret(given: string): boolean {
  try {
    return decodeWebhookSecret(given).length > 0;
  } catch {
    return false;
  }
}

const splitWords = (given: string): string[] => given.split(/[\s,]+/).filter(Boolean);

/** An origin as browsers write it, without a path; a wildcard would match none. */
export const isOrigin = (given: string): boolean =>
  isPublicUrl(given) && new URL(given).origin === given.toLowerCase() && !given.includes('*');

const origins = checkText(
  (given) => splitWords(given).every(isOrigin),
  'one or more whole origins such as https://site.example, without wildcards, with spaces between them',
).transform((given) => splitWords(given).map((one) => one.toLowerCase()));

/** Addresses and networks, as `10.1.2.3` or `10.1.0.0/16`. Throws a `TypeError` for others. */
function readProxies(given: string): BlockList {
  const list = new BlockList();
  for (const proxy of splitWords(given)) {
    const [, network = '', bits] = /^([^/]+)(?:\/([1-9]\d{0,2}))?$/.exec(proxy) ?? [];
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(network, family);
    else list.addSubnet(network, Number(bits), family);
  }
  return list;
}

function isProxyList(given: string): boolean {
  try {
    return Boolean(readProxies(given));
  } catch {
    return false;
  }
}

/** A source of `frame-ancestors`: nothing that could end the directive or begin another one. */
const isAncestor = (given: string): boolean =>
  /^(?:\*|'self'|'none'|https?:|(?:https?:\/\/)?(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::(?:\d{1,5}|\*))?)$/i.test(
    given,
  );

/** A name, a hexadecimal number or a function of numbers: nothing that could leave an attribute. */
const isColor = (given: string): boolean =>
  /^(?:[a-z]{3,30}|#(?:[\da-f]{3}|[\da-f]{6})|(?:rgb|hsl|hwb|lab|lch|oklab|oklch)\([\d.,%\s-]{1,60}(?:deg)?[\d.,%\s-]{0,60}\))$/i.test(
    given,
  );

const isHostAddress = (given: string): boolean => /^[\w.:-]{1,253}$/.test(given);

const checkApiKey = (note = '') =>
  checkSecret(
    (given) => /^[A-Za-z0-9._~+/=-]{16,256}$/.test(given),
    `16 to 256 characters of A-Z a-z 0-9 . _ ~ + / = -${note}`,
  );

const limitNames = {
  requestsPerMinute: 'REQUESTS_PER_MINUTE',
  openTasks: 'OPEN_TASKS',
  queuedExports: 'QUEUED_EXPORTS',
  sourceHoursPerDay: 'SOURCE_HOURS_PER_DAY',
} as const;
type LimitHolder = 'USER' | 'ORGANIZATION';
type LimitName = `${LimitHolder}_${(typeof limitNames)[keyof typeof limitNames]}`;

const readLimits = (holder: LimitHolder) =>
  Object.fromEntries(
    Object.values(limitNames).map((name) => [
      `${holder}_${name}`,
      parseWholeNumber(1, 999_999_999),
    ]),
  ) as Record<LimitName, ReturnType<typeof parseWholeNumber>>;

/** Every variable of the service, each optional. A problem follows its name. */
const schema = z
  .object({
    ROLE: parseChoice(['all', 'api', 'worker']),
    PORT: parseWholeNumber(0, 65_535, ' (0: any free port)'),
    HOST: checkText(isHostAddress, 'an address of this machine'),
    METRICS_PORT: parseWholeNumber(0, 65_535, ' (0: any free port)'),
    METRICS_HOST: checkText(isHostAddress, 'an address of this machine'),
    LOG_LEVEL: parseChoice(logLevels),
    DATA_DIR: z.string(),
    PUBLIC_URL: checkText(
      isPublicUrl,
      'the http or https address that browsers reach the service at, such as https://clips.example.com',
    ).transform(withoutSlash),
    CLIP_API_KEY: checkApiKey(' (leave it unset to have one made)'),
    CLIP_PREVIOUS_API_KEY: checkApiKey(),
    ...readLimits('USER'),
    ...readLimits('ORGANIZATION'),
    DATABASE_URL: checkPostgresUrl(
      'a postgres:// address (leave it unset to use the database that is built in)',
    ),
    DATABASE_LISTEN_URL: checkPostgresUrl(
      'a postgres:// address that does not go through PgBouncer',
    ),
    DATABASE_CONNECTIONS: parseWholeNumber(1, 1000),
    STORAGE: parseChoice(['disk', 's3']),
    S3_ENDPOINT: checkText(isPublicUrl, 'the http or https address of an S3 server').transform(
      withoutSlash,
    ),
    S3_BUCKET: checkText(
      (given) => /^[A-Za-z0-9][A-Za-z0-9._-]{2,62}$/.test(given),
      'the name of a bucket',
    ),
    S3_REGION: checkText((given) => /^[A-Za-z0-9-]{1,64}$/.test(given), 'the name of a region'),
    S3_ACCESS_KEY_ID: secretText,
    S3_SECRET_ACCESS_KEY: secretText,
    S3_PUBLIC_URL: checkText(
      (given) => isPublicUrl(given) && !/["'<>;,\s]/.test(given),
      'the http or https address that browsers reach the bucket at',
    ).transform(withoutSlash),
    S3_PUBLIC_ACCESS: parseChoice(['open', 'signed']),
    MAX_UPLOAD_BYTES: byteCount,
    CACHE_BYTES: byteCount,
    WEBHOOK_URL: remoteUrl,
    WEBHOOK_SECRETS: checkSecret(
      (given) => splitWords(given).length > 0 && splitWords(given).every(isWebhookSecret),
      'one or two secrets of whsec_ and 24 to 64 bytes in base64, with a space between them',
    ).transform(splitWords),
    RETENTION_SOURCE_DAYS: parseWholeNumber(1, 36_500),
    RETENTION_SEGMENT_DAYS: parseWholeNumber(1, 36_500),
    RETENTION_EXPORT_DAYS: parseWholeNumber(1, 36_500),
    RETENTION_TASK_DAYS: parseWholeNumber(1, 36_500),
    PRESETS_DIR: z.string(),
    CLIP_ALLOW_PRIVATE_SOURCES: flag,
    INDEX_PLAYER_PAGES: flag,
    PRIVATE_CLIPS: flag,
    CLIP_CONCURRENCY: parseWholeNumber(1, 999),
    DRAIN_SECONDS: parseWholeNumber(0, 86_400).transform((given) => given * 1000),
    CLIP_QUALITY: parseChoice(exportQualities),
    SPEECH_URL: remoteUrl,
    SPEECH_API_KEY: secretText,
    SPEECH_MODEL: z.string(),
    SPEECH_MODEL_URL: remoteUrl,
    CONTROL_ORIGINS: origins,
    FRAME_ANCESTORS: checkText(
      (given) =>
        splitWords(given).every(isAncestor) &&
        (splitWords(given).length === 1 || !splitWords(given).includes("'none'")),
      "* or 'none', or 'self' and sites such as https://*.site.example, with spaces between them",
    ).transform((given) => splitWords(given).join(' ')),
    PLAYER_ACCENT: checkText(isColor, 'a CSS colour such as #5a45f2 or rgb(90 69 242)'),
    PLAYER_LOGO_URL: checkText(
      isLogoUrl,
      'the https address of a picture, without user name, query or fragment',
    ).transform((given) => new URL(given).href),
    HOST_SECRETS: checkSecret(
      (given) =>
        splitWords(given).length <= 2 &&
        splitWords(given).every((one) => Buffer.byteLength(one) >= 32),
      'one or two secrets of at least 32 bytes, such as the output of openssl rand -hex 32, with a space between them',
    ).transform(splitWords),
    HOST_ORIGINS: origins,
    TRUSTED_PROXIES: checkText(
      isProxyList,
      'addresses and networks such as 10.1.2.3 or 10.1.0.0/16, with spaces between them',
    ).transform(readProxies),
    FACES: parseChoice(['auto', 'off']),
    TRANSLATE_URL: remoteUrl,
    TRANSLATE_API_KEY: secretText,
    RANKING_URL: remoteUrl,
    RANKING_API_KEY: secretText,
    RANKING_MODEL: z.string(),
  })
  .partial();

/** Variables whose value may be in a file: `CLIP_API_KEY_FILE` is the path of one with the key. */
const secretNames = [
  ...['CLIP_API_KEY', 'CLIP_PREVIOUS_API_KEY', 'DATABASE_URL', 'DATABASE_LISTEN_URL'],
  ...['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'WEBHOOK_SECRETS'],
  ...['SPEECH_API_KEY', 'TRANSLATE_API_KEY', 'RANKING_API_KEY', 'HOST_SECRETS'],
];

/** Replaces the names of secret files by their contents; returns the problems. */
function readSecretFiles(given: Record<string, string>): string[] {
  const problems: string[] = [];
  for (const name of secretNames) {
    const path = given[`${name}_FILE`];
    if (path === undefined) continue;
    delete given[`${name}_FILE`];
    try {
      const text = readFileSync(path, 'utf8').trim();
      if (given[name] !== undefined) problems.push(`${name} and ${name}_FILE are both set.`);
      else if (text === '') problems.push(`${name}_FILE names an empty file.`);
      else given[name] = text;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      problems.push(`${name}_FILE must be the path of a file that can be read (${code}).`);
    }
  }
  return problems;
}

/** Everybody knows the secrets of the example. */
const isSample = (value: string): boolean =>
  /(?:^|:)replace-(?:me|with-at-least-16-characters)(?:@|$)/.test(value);

/** Problems of secrets that were left as they are in `.env.example`. */
const sampleProblems = (given: Readonly<Record<string, string>>): string[] =>
  secretNames
    .filter((name) => isSample(given[name] ?? ''))
    .map((name) => `${name} has the sample key of .env.example: replace it with your own.`);

const known = Object.keys(schema.shape);

/** Variables of the hosts and the examples, which may run in the same shell. */
const ofOthers = ['CLIP_API_URL', 'CLIP_SERVICE_URL', 'CLIP_DATABASE'];

/** Variables that mean nothing without another one. Without a server, a speech model runs here. */
const needed = {
  SPEECH_API_KEY: 'SPEECH_URL',
  TRANSLATE_API_KEY: 'TRANSLATE_URL',
  RANKING_API_KEY: 'RANKING_URL',
  RANKING_MODEL: 'RANKING_URL',
  CLIP_PREVIOUS_API_KEY: 'CLIP_API_KEY',
  DATABASE_LISTEN_URL: 'DATABASE_URL',
  DATABASE_CONNECTIONS: 'DATABASE_URL',
  METRICS_HOST: 'METRICS_PORT',
  HOST_ORIGINS: 'HOST_SECRETS',
} as const;

/** Problems of names: unknown ones, and those that make no sense without another one. */
const nameProblems = (names: ReadonlySet<string>): string[] => [
  ...[...names]
    .filter((name) => name.startsWith('CLIP_') && ![...known, ...ofOthers].includes(name))
    .map((name) => `${name} is not known. Did you mean ${findNearestName(name, known)}?`),
  ...Object.entries(needed)
    .filter(([name, other]) => names.has(name) && !names.has(other))
    .map(([name, other]) => `${name} is set without ${other}.`),
  ...(names.has('WEBHOOK_URL') === names.has('WEBHOOK_SECRETS')
    ? []
    : ['WEBHOOK_URL and WEBHOOK_SECRETS must be set together.']),
  ...(names.has('RANKING_URL') && !names.has('RANKING_MODEL')
    ? ['RANKING_MODEL must name the model that the server at RANKING_URL is to use.']
    : []),
];

const s3Names = known.filter((name) => name.startsWith('S3_') || name === 'CACHE_BYTES');
const neededForS3 = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'];

/** Problems of the settings of a bucket that is not complete, or not used. */
const findBucketProblems = (given: Readonly<Record<string, string>>): string[] =>
  given['STORAGE'] === 's3'
    ? [
        ...neededForS3
          .filter((name) => given[name] === undefined)
          .map((name) => `${name} must be set when STORAGE is s3.`),
        ...(given['S3_PUBLIC_ACCESS'] !== undefined && given['S3_PUBLIC_URL'] === undefined
          ? ['S3_PUBLIC_ACCESS is set without S3_PUBLIC_URL.']
          : []),
      ]
    : s3Names
        .filter((name) => given[name] !== undefined)
        .map((name) => `${name} is set without STORAGE=s3.`);

/** API and worker only share what others can reach too. */
const findRoleProblems = ({ ROLE: role, DATABASE_URL: url }: Record<string, string>): string[] =>
  (role === 'api' || role === 'worker') && url === undefined
    ? [`ROLE=${role} needs DATABASE_URL: the built-in database belongs to one process.`]
    : [];

/** A speech model that runs on this machine must be known by its name, or be a path. */
const findModelProblems = ({
  SPEECH_URL: url,
  SPEECH_MODEL: model,
}: Record<string, string>): string[] =>
  url === undefined && model !== undefined && !isSpeechModel(model)
    ? [`SPEECH_MODEL must be ${speechModelChoices}, unless SPEECH_URL is set.`]
    : [];

/** Returns the object without undefined fields. */
const omitUndefined = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

/** The same, or undefined if nothing is left. */
function omitEmpty<T extends object>(values: T) {
  const given = omitUndefined(values);
  return Object.keys(given).length > 0 ? given : undefined;
}

const makeRemote = (url?: string, apiKey?: string, model?: string): RemoteConfig | undefined =>
  url === undefined ? undefined : { url, ...omitUndefined({ apiKey, model }) };

type Variables = z.infer<typeof schema>;

const makeS3Config = (data: Variables): S3Config => ({
  endpoint: data.S3_ENDPOINT!,
  bucket: data.S3_BUCKET!,
  region: data.S3_REGION ?? 'us-east-1',
  accessKeyId: data.S3_ACCESS_KEY_ID!,
  secretAccessKey: data.S3_SECRET_ACCESS_KEY!,
  ...omitUndefined({ publicUrl: data.S3_PUBLIC_URL, publicAccess: data.S3_PUBLIC_ACCESS }),
});

function makeLimits(data: Variables, holder: LimitHolder): Limits | undefined {
  const given = Object.entries(limitNames).map(([key, name]) => [key, data[`${holder}_${name}`]]);
  return omitEmpty(Object.fromEntries(given) as Limits);
}

const makeRetention = (data: Variables) =>
  omitEmpty({
    sourceDays: data.RETENTION_SOURCE_DAYS,
    segmentDays: data.RETENTION_SEGMENT_DAYS,
    exportDays: data.RETENTION_EXPORT_DAYS,
    taskDays: data.RETENTION_TASK_DAYS,
  });

const makePageSettings = (data: Variables) =>
  omitEmpty({
    controlOrigins: data.CONTROL_ORIGINS,
    frameAncestors: data.FRAME_ANCESTORS,
    accent: data.PLAYER_ACCENT,
    logoUrl: data.PLAYER_LOGO_URL,
  });

/** The variables as their schema reads them. An empty one counts as unset. */
function readVariables(environment: Readonly<Record<string, string | undefined>>): Variables {
  const texts = Object.entries(environment).map(([name, text = '']) => [name, text.trim()]);
  const given: Record<string, string> = Object.fromEntries(texts.filter(([, text]) => text));
  const fileProblems = readSecretFiles(given);
  const { data, error } = schema.safeParse(given);
  const problems = [
    ...fileProblems,
    ...(error?.issues ?? []).map(({ path, message }) => `${path.join()} ${message}`),
    ...sampleProblems(given),
    ...nameProblems(new Set(Object.keys(given))),
    ...findModelProblems(given),
    ...findBucketProblems(given),
    ...findRoleProblems(given),
  ];
  if (!data || problems.length > 0) throw new EnvironmentError(problems.join('\n'));
  return data;
}

/**
 * The service's configuration from environment variables. An empty variable counts as unset.
 * Throws {@link EnvironmentError} that names everything that is wrong at once.
 */
export function readEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): ServiceConfig {
  const data = readVariables(environment);
  const directory = getModelDirectory(environment);
  const speechModel = omitUndefined({ model: data.SPEECH_MODEL, url: data.SPEECH_MODEL_URL });
  const ranking = makeRemote(data.RANKING_URL, data.RANKING_API_KEY);
  return {
    role: data.ROLE ?? 'all',
    port: data.PORT ?? 4400,
    dataDir: data.DATA_DIR ?? '.data/service',
    allowPrivateSources: data.CLIP_ALLOW_PRIVATE_SOURCES ?? false,
    ...omitUndefined({
      host: data.HOST,
      metricsPort: data.METRICS_PORT,
      metricsHost: data.METRICS_HOST,
      logLevel: data.LOG_LEVEL,
      presetsDir: data.PRESETS_DIR,
      publicUrl: data.PUBLIC_URL,
      indexPlayerPages: data.INDEX_PLAYER_PAGES,
      privateClips: data.PRIVATE_CLIPS,
      apiKey: data.CLIP_API_KEY,
      previousApiKey: data.CLIP_PREVIOUS_API_KEY,
      limits: omitEmpty({
        user: makeLimits(data, 'USER'),
        organization: makeLimits(data, 'ORGANIZATION'),
      }),
      databaseUrl: data.DATABASE_URL,
      databaseConnections: data.DATABASE_CONNECTIONS,
      webhook: data.WEBHOOK_URL
        ? { url: data.WEBHOOK_URL, secrets: data.WEBHOOK_SECRETS! }
        : undefined,
      uploadLimits: omitEmpty({ maxBytes: data.MAX_UPLOAD_BYTES }),
      s3: data.STORAGE === 's3' ? makeS3Config(data) : undefined,
      cacheBytes: data.CACHE_BYTES,
      databaseListenUrl: data.DATABASE_LISTEN_URL,
      retention: makeRetention(data),
      pages: makePageSettings(data),
      hostSite: data.HOST_SECRETS && {
        secrets: data.HOST_SECRETS,
        origins: data.HOST_ORIGINS ?? [],
      },
      trustedProxies: data.TRUSTED_PROXIES,
      concurrency: data.CLIP_CONCURRENCY,
      drainMs: data.DRAIN_SECONDS,
      exportQuality: data.CLIP_QUALITY,
      speech: makeRemote(data.SPEECH_URL, data.SPEECH_API_KEY, data.SPEECH_MODEL),
      // A server replaces it.
      speechModel:
        data.SPEECH_URL || data.SPEECH_MODEL === 'off' ? undefined : { directory, ...speechModel },
      translation: makeRemote(data.TRANSLATE_URL, data.TRANSLATE_API_KEY),
      ranking: ranking && { ...ranking, model: data.RANKING_MODEL! },
      faces: data.FACES,
    }),
  };
}

/** Counts the letters to add, remove or replace to turn one name into the other. */
function measureDistance(from: string, to: string): number {
  let row = [...to, ''].map((_, at) => at);
  for (const [taken, letter] of [...from].entries()) {
    const next = [taken + 1];
    for (const [at, wanted] of [...to].entries()) {
      next.push(Math.min(next[at]! + 1, row[at + 1]! + 1, row[at]! + Number(letter !== wanted)));
    }
    row = next;
  }
  return row.at(-1)!;
}

/** The name that is most like the given one. */
export const findNearestName = (name: string, known: readonly string[]): string | undefined =>
  known.toSorted((a, b) => measureDistance(name, a) - measureDistance(name, b))[0];
