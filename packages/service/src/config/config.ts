import type { BlockList } from 'node:net';
import type { ExportQuality, SpeechModelOptions } from 'clip-engine';
import type { PageSettings } from 'clip-player';

/** Levels of log lines, the least important first. */
export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * One line of the log: an `event` and its facts. Never a key, a token, a query or a fragment. Its
 * level is `info` if omitted.
 */
export type LogEntry = { event: string; level?: LogLevel } & Record<
  string,
  string | number | boolean | null | undefined
>;
export type Log = (entry: LogEntry) => void;

/** The exports that an organization may make. */
export interface Plan {
  /** `free`: every export counts. `paid`: a clip counts once, however often it is exported. */
  plan: 'free' | 'paid';
  /** The number of exports (or clips); null: no limit. */
  exportAllowance: number | null;
  state: 'active' | 'paused' | 'past_due';
}

/**
 * Which part of the work a process does. `api`: answers requests, and starts no program on videos.
 * `worker`: downloads, analyses and renders, and opens no port. `all`: both.
 */
export type Role = 'all' | 'api' | 'worker';

/** Limits of a user, or an organization; without a figure there is no limit. */
export interface Limits {
  /** The number at once, then spread evenly. Each process counts its own. */
  requestsPerMinute?: number;
  /** Tasks that are being processed. */
  openTasks?: number;
  /** Exports that are being processed. */
  queuedExports?: number;
  /** Hours of sources that were downloaded in the last 24 hours. */
  sourceHoursPerDay?: number;
}

/** Limits of the files that users may upload. */
export interface UploadLimits {
  /**
   * Bytes of one file.
   * @default 8 GiB
   */
  maxBytes?: number;
  /**
   * Uploads of a user that are not finished.
   * @default 20
   */
  openPerUser?: number;
  /**
   * Bytes of a user's uploads that no task has taken.
   * @default eight times `maxBytes`
   */
  bytesPerUser?: number;
}

/** A server that the service asks for help; `url` as in `https://host/v1`. */
export interface RemoteConfig {
  url: string;
  apiKey?: string | undefined;
  model?: string | undefined;
}

/** A bucket of an S3 server. */
export interface S3Config {
  /** Address of the server, no slash at the end; the bucket follows in the path. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /**
   * Address that browsers reach the bucket at, no slash at the end; a key follows in the path. If
   * omitted, the service sends the files.
   */
  publicUrl?: string;
  /**
   * `open`: everyone can read the files there. `signed`: only by addresses that the service signs.
   * @default 'open'
   */
  publicAccess?: 'open' | 'signed';
}

/** The days after which settled work is deleted. Omitted kinds are stored forever. */
export interface Retention {
  /** The source of a task. Its clips stay; those with a segment can still be exported. */
  sourceDays?: number;
  /** The segments of a task's clips. */
  segmentDays?: number;
  exportDays?: number;
  /** A task with its clips, previews and exports. */
  taskDays?: number;
}

/**
 * The configuration that `startService` takes. Times in milliseconds unless the name says seconds.
 */
export interface ServiceConfig {
  /** @default 'all' */
  role?: Role;
  /** 0 takes any free port. */
  port: number;
  /** Address to listen on; if omitted, all of them. */
  host?: string;
  /** Directory of everything that is kept; made if it is missing. */
  dataDir: string;
  /**
   * Address that browsers reach the service at, no slash at the end.
   * @default `http://localhost:PORT`
   */
  publicUrl?: string;
  /**
   * Whether search engines may list player pages.
   * @default false
   */
  indexPlayerPages?: boolean;
  /**
   * Whether clips need signed addresses, unless their organization has set something else.
   * @default false
   */
  privateClips?: boolean;
  /** The first organization's key; if omitted, made with the first organization. */
  apiKey?: string;
  /** The first organization's former key, still accepted while clients change to the new one. */
  previousApiKey?: string;
  /** The limits of each user, and of each organization. */
  limits?: { user?: Limits; organization?: Limits };
  /** Sets the first organization's plan; a new one is paid, active and has no limit. */
  plan?: Partial<Plan>;
  /** A postgres:// address; if omitted, the built-in database (in `dataDir`). */
  databaseUrl?: string;
  /** A postgres:// address for LISTEN, past a pooler in transaction mode. */
  databaseListenUrl?: string;
  /**
   * The number of statements that this process runs at the same time on a database server.
   * @default 10
   */
  databaseConnections?: number;
  /** The bucket that files are kept in; if omitted, they are kept in `dataDir`. */
  s3?: S3Config;
  /**
   * Limit for the copies of a bucket's files that this machine keeps in `dataDir`.
   * @default 20e9
   */
  cacheBytes?: number;
  /**
   * Where events of the first organization are sent, and the secrets (`whsec_…`) that sign them:
   * two of them while one is replaced.
   */
  webhook?: { url: string; secrets: readonly string[] };
  /** @default everything is kept forever */
  retention?: Retention;
  /** Lets sources and watermarks come from loopback and private ranges: for tests and demos. */
  allowPrivateSources: boolean;
  /** An OpenAI-compatible speech server. It is asked before the speech model. */
  speech?: RemoteConfig;
  /** The model that recognises speech on this machine; if omitted, none does. */
  speechModel?: SpeechModelOptions;
  /** A LibreTranslate-compatible server; if omitted, `translate_to` is refused. */
  translation?: Omit<RemoteConfig, 'model'>;
  /** An OpenAI-compatible chat server that helps to choose clips. */
  ranking?: RemoteConfig & { model: string };
  /**
   * Whether faces are looked for (`auto`), or never.
   * @default 'auto'
   */
  faces?: 'auto' | 'off';
  /**
   * Bits and work of exports.
   * @default 'standard'
   */
  exportQuality?: ExportQuality;
  /**
   * Tasks scanned, previews made and exports rendered at the same time, each. If omitted, half of
   * the processors.
   */
  concurrency?: number;
  /**
   * Whether each clip gets its own piece of the source, so that renders elsewhere need no more of
   * it. If omitted: with `s3`.
   */
  segments?: boolean;
  /**
   * The time for which a service that stops still answers requests, and `/readyz` says so. Its
   * running jobs may continue meanwhile; one that has jobs stops as soon as they have ended.
   * @default 0
   */
  drainMs?: number;
  /** The time limit for a request to arrive whole; 10 000. */
  requestWaitMs?: number;
  /**
   * The time for which the creation of a task waits for its source to be downloaded and checked; 20
   * 000.
   */
  ingestWaitMs?: number;
  /** The time between the last change of a clip and the making of its preview; 3. */
  editQuietSeconds?: number;
  /** The time for which a download waits for a render; 600 000 (section 4.10). */
  downloadWaitMs?: number;
  /** The lifetime of an external_access_token; 3600. */
  tokenSeconds?: number;
  /** Limit for the sources of both kinds of task, below the specification's own limits. */
  maxSourceSeconds?: number;
  /** Limits of the files that users may upload. */
  uploadLimits?: UploadLimits;
  /** A folder of style presets beside the built-in ones. */
  presetsDir?: string;
  pages?: PageSettings;
  /**
   * For the host at `/host`: the secrets that a site signs its users' sessions with, at least 32
   * bytes each, and the origins of its pages. If omitted, there is no host but those of
   * organizations with secrets of their own.
   */
  hostSite?: { secrets: readonly string[]; origins: readonly string[] };
  /**
   * The proxies in front of the service, whose `X-Forwarded-For` is believed.
   * @default none
   */
  trustedProxies?: BlockList;
  log?: Log;
  /**
   * Lines of a lower level are not written.
   * @default 'info'
   */
  logLevel?: LogLevel;
  /** Port of `/metrics`, `/livez` and `/readyz` for the operator's tools; if omitted, none. */
  metricsPort?: number;
  /**
   * Address that the metrics are answered at.
   * @default '127.0.0.1'
   */
  metricsHost?: string;
}
