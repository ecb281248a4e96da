/** One line of the log: an `event` and its plain facts. Never a key, a token, a query or a fragment. */
export type LogEntry = { event: string } & Record<string, string | number | boolean | null>;
export type Log = (entry: LogEntry) => void;

/** What an organization may export. */
export interface Plan {
  /** `free`: every export counts. `paid`: a clip counts once, however often it is exported. */
  plan: 'free' | 'paid';
  /** How many exports (or clips); null: no limit. */
  exportAllowance: number | null;
  state: 'active' | 'paused' | 'past_due';
}

/** A server that the service asks for help; `url` as in `https://host/v1`. */
export interface RemoteConfig {
  url: string;
  apiKey?: string | undefined;
  model?: string | undefined;
}

/** What `startService` takes. Times in milliseconds unless the name says seconds. */
export interface ServiceConfig {
  /** 0 takes any free port. */
  port: number;
  /** Address to listen on; all of them where left out. */
  host?: string;
  /** Directory of everything that is kept; made where it is missing. */
  dataDir: string;
  /** Address that browsers reach the service at, no slash at the end; `http://localhost:PORT` where left out. */
  publicUrl?: string;
  /** The first organization's key; made where left out and no organization exists yet. */
  apiKey?: string;
  /** Sets the first organization's plan; a new one is paid, active and has no limit. */
  plan?: Partial<Plan>;
  /** A postgres:// address; the built-in database (in `dataDir`) where left out. */
  databaseUrl?: string;
  /** Lets sources and watermarks come from loopback and private ranges: for tests and demos. */
  allowPrivateSources: boolean;
  /** An OpenAI-compatible speech server. */
  speech?: RemoteConfig;
  /**
   * When PocketSphinx is asked, where it is installed and nothing better gave words: never, where the request says that the
   * speech is English (this where left out), or also where it does not say what it is.
   */
  offlineSpeech?: 'off' | 'english' | 'assume-english';
  /** A LibreTranslate-compatible server; `translate_to` is refused where left out. */
  translation?: Omit<RemoteConfig, 'model'>;
  /** An OpenAI-compatible chat server that helps to choose clips. */
  ranking?: RemoteConfig & { model: string };
  /** Whether faces are looked for where OpenCV is installed (`auto`, this where left out), or never. */
  faces?: 'auto' | 'off';
  /** Tasks, and exports, worked on at the same time (each); half of the processors where left out. */
  concurrency?: number;
  /** Address space in bytes that each ffmpeg may have (Linux with `prlimit`), 512 MiB at least; by the processors where left out. */
  programMemory?: number;
  /** How long a request may take to arrive whole; 10 000. */
  requestWaitMs?: number;
  /** How long the creation of a task waits for its source to be downloaded and checked; 20 000. */
  ingestWaitMs?: number;
  /** How long a download waits for a render; 600 000 (section 4.10). */
  downloadWaitMs?: number;
  /** How long an external_access_token is good for; 3600. */
  tokenSeconds?: number;
  /** Longest source in seconds for both kinds of task; the specification's limits where left out. */
  maxSourceSeconds?: number;
  /** A folder of style presets beside the built-in ones. */
  presetsDir?: string;
  log?: Log;
}
