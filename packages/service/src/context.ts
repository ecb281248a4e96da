import type { BlockList } from 'node:net';
import type {
  ExportQuality,
  Finders,
  RankingServer,
  Transcriber,
  Translator,
  Presets,
} from 'clip-engine';
import type { PageSettings } from 'clip-player';
import type { UsageLimits } from './users/limits.ts';
import type { Tokens } from './users/tokens.ts';
import type { Changes } from './operations/changes.ts';
import type { Log, UploadLimits } from './config/config.ts';
import type { MachineHealth } from './operations/machine-health.ts';
import type { Metrics } from './telemetry/metrics.ts';
import type { Queue } from './queue/queue.ts';
import type { HostSite } from './users/host-queries.ts';
import type { Db } from './db/schema.ts';
import type { Links } from './links/links.ts';
import type { Estimates } from './exports/forecast.ts';
import type { PublicFiles } from './storage/public-files.ts';
import type { CollectedViews } from './views/collected.ts';
import type { IncomingFiles, Storage } from './storage/storage.ts';

/** All that routes and jobs work with. */
export interface ServiceContext {
  readonly db: Db;
  readonly storage: Storage;
  /** Where files go that arrive in pieces. */
  readonly incomingFiles: IncomingFiles;
  readonly limits: UsageLimits;
  /** The access of browsers to the files. */
  readonly files: PublicFiles;
  readonly queue: Queue;
  readonly machine: MachineHealth;
  readonly changes: Changes;
  readonly tokens: Tokens;
  readonly links: Links;
  readonly estimates: Estimates;
  readonly views: CollectedViews;
  readonly presets: Presets;
  readonly log: Log;
  /** Null if nothing is measured. */
  readonly metrics: Metrics | null;
  readonly pages: PageSettings;
  /** The sites that use the host of the first organization; null if there are none. */
  readonly hostSite: HostSite | null;
  /** The proxies in front of the service, which say who sends a request. */
  readonly proxies: BlockList;
  /** Aborted when the service stops. */
  readonly closing: AbortSignal;
  /** Whether search engines may list player pages. */
  readonly indexPlayerPages: boolean;
  /** No slash at the end; known once the service listens. */
  readonly publicUrl: () => string;
  /** For files that are not finished; on the same disk as the stored ones, or their copies. */
  readonly workDirectory: string;
  readonly allowPrivateSources: boolean;
  readonly ingestWaitMs: number;
  /** The time between the last change of a clip and the making of its preview. */
  readonly editQuietSeconds: number;
  readonly downloadWaitMs: number;
  /** Whether each clip gets its own piece of the source. */
  readonly segments: boolean;
  /** The time limit for the download of a source. */
  readonly downloadMs: number;
  readonly maxSourceSeconds: number;
  readonly uploadLimits: Required<UploadLimits>;
  /** For how many days an upload is kept that no task takes. */
  readonly untakenUploadDays: number;
  /** Ways from speech to words, the best first. */
  readonly transcribers: readonly Transcriber[];
  /** Whether one of them recognises speech. */
  readonly recognisesSpeech: boolean;
  /**
   * Describes the state of this process's speech model to its operator; null if it takes no jobs.
   */
  readonly speechModelState: (() => Promise<string>) | null;
  /** Null if no translation server is configured. */
  readonly translator: Translator | null;
  /** The language model that helps to choose clips; null if none is configured. */
  readonly ranking: RankingServer | null;
  /** Bits and work of exports. */
  readonly exportQuality: ExportQuality;
  /** Finders of the subjects of a picture, as far as this machine has them. */
  readonly finders: Finders;
}
