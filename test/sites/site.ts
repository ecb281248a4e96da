/** How a site of the matrix is installed, built and served: the default export of its `site.ts`. */
export interface Site {
  /** Its row in the matrix. */
  readonly title: string;
  /**
   * Pages of `docs/`, such as `start/react`: the files that they show are put into the copy of
   * `app/`, which is a blank starter without them.
   */
  readonly docs?: readonly string[];
  /** Another site whose `app/` it uses, with `versions` of its own. */
  readonly app?: string;
  /** Replaces versions of its `package.json`. */
  readonly versions?: Readonly<Record<string, string>>;
  /** What it needs beside npm packages, such as Debian packages. */
  readonly prepare?: (place: Place) => void | Promise<void>;
  readonly types?: {
    /** Type check: passes, and fails in each file that has a mistake. */
    readonly command: Command;
    readonly mistakes: readonly Mistake[];
  };
  readonly build?: Command;
  /** Directories of the built client, for the bytes that the kit adds. */
  readonly client?: readonly string[];
  /** A build of a page with one preview, and the most bytes that the kit may add to its load. */
  readonly preview?: { readonly build: Command; readonly page: string; readonly limit: number };
  /** Its own tests: programs that end. */
  readonly tests?: readonly Command[];
  /**
   * How the built site is served: static files, or a program that listens on `$PORT`. Without it
   * there is no walk.
   */
  readonly serve?: Served;
  /** A development server on `$PORT`, and the text that is edited while it runs. */
  readonly develop?: {
    readonly command: Command;
    readonly file: string;
    /** The heading on the page of the clip, and what it becomes. */
    readonly from: string;
    readonly to: string;
  };
  /** Whether the server's HTML has the elements, and what continues it in the browser. */
  readonly rendered: 'no' | 'server' | 'hydrated';
  /**
   * `kit`: `clip-host` in front of the site, at `/clips`. `sessions`: a host of another origin,
   * for sessions that the site signs at `/clip-session` with `CLIP_HOST_SECRET`. `own`: the site
   * has its own host, and gets `CLIP_API_URL` and `CLIP_API_KEY`.
   */
  readonly host?: 'kit' | 'sessions' | 'own';
  /** Its two pages. */
  readonly paths?: { readonly home: string; readonly clip: string };
  /** Logs a member in, for a site with its own log-in. Runs in the page, before the walk. */
  readonly logIn?: (page: import('puppeteer-core').Page, origin: string) => Promise<void>;
  /** What else is looked at before the walk. */
  readonly look?: (page: import('puppeteer-core').Page, origin: string) => Promise<void>;
  /** Steps that do not apply, or the page's own listener, each with the reason. */
  readonly without?: Readonly<Partial<Record<WalkStep | 'listener', string>>>;
}

/** A misspelt name: the file has `wrong` instead of `right`. */
interface Mistake {
  readonly file: string;
  readonly right: string;
  readonly wrong: string;
}

/** A program and its arguments; `$PORT` is replaced. Found in the site's `node_modules/.bin`. */
export type Command = readonly string[];

export type Served =
  | { readonly directory: string; /** Answers paths without a file. */ readonly fallback?: string }
  | { readonly command: Command; readonly env?: Readonly<Record<string, string>> };

/** The copy of a site outside of the project. */
export interface Place {
  readonly directory: string;
  /** A free port, the same for each start of its server. */
  readonly port: number;
  /** What the browser sees: a proxy in front of the server. */
  readonly origin: string;
  readonly service: { readonly baseUrl: string; readonly apiKey: string };
  /** Runs a program in the directory to its end; throws with its output if it fails. */
  run(command: Command): Promise<string>;
}

/** The steps of the walk, in order. */
export type WalkStep =
  'early press' | 'upload' | 'preview' | 'embed' | 'export' | 'reload' | 'download' | 'route';
