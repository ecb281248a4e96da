import { ServiceClient, type ServiceClientOptions } from 'clip-kit/client';
import type { EditorLimits, Permission, ViewBatch } from 'clip-kit/contract';
import { checkOrigin } from './http/cross-origin.ts';
import type { Authorize, ChooseExportOptions, HostAuditEntry } from './policy.ts';
import { DownloadGrants } from './sessions/download-grant.ts';
import { Sessions, type SessionOptions } from './sessions/sessions.ts';
import { memoryStore } from './stores/memory-store.ts';
import type { HostStore } from './stores/store.ts';
import type { HostUser } from './users/account-tag.ts';

/** One event for the site's log. Contains no key, token, cookie, body or query. */
export interface HostLogEntry {
  readonly level: 'info' | 'warn' | 'error';
  readonly event: 'request' | 'refused' | 'failure' | 'memory-store' | 'user-replaced';
  readonly message: string;
  readonly method?: string;
  readonly path?: string;
  readonly status?: number;
  readonly code?: string;
  readonly milliseconds?: number;
}

export interface ClipHostOptions<User extends HostUser = HostUser> {
  /** The service and the organization's key for it, or an existing client. */
  readonly service: ServiceClient | ServiceClientOptions;
  /**
   * The logged-in user according to the site's own cookie; null if no user is logged in. For a host
   * in the site's own process; otherwise `sessions`.
   */
  readonly authenticate?: (request: Request) => User | null | Promise<User | null>;
  /**
   * Takes the user from a session that the site signs, instead of `authenticate`. Cookies are not
   * read then, and pages of `origins` may call the host without them.
   */
  readonly sessions?: SessionOptions;
  /** Path at which the host is mounted, such as `/clips`. Requests outside of it get 404. */
  readonly basePath: string;
  /**
   * Where managed users and attempt keys are stored. By default in this process's memory; a warning
   * is logged once.
   */
  readonly store?: HostStore;
  /**
   * Other origins whose pages may call the host, such as `https://www.example.com`. Add the site's
   * public origin here if a proxy hides it.
   */
  readonly origins?: readonly string[];
  /**
   * Decides whether a user may do an action with a clip. By default a logged-in user may do
   * everything with their own clips.
   */
  readonly authorize?: Authorize<User>;
  /**
   * Chooses the watermark or preset to send, whatever the page requested. By default the page's own
   * options.
   */
  readonly exportOptions?: ChooseExportOptions<User>;
  /**
   * Decides whether a user may watch a private clip of another user, such as one of the site's own.
   * By default users may watch their own. `authorize` is called before, with the action `read`.
   */
  readonly mayWatch?: Authorize<User>;
  /**
   * Decides whether a user may share an own clip, or all clips of an own video, by a link that
   * anyone can open. By default only a session that names the permission `share` may. `authorize`
   * is called before, with the action `share`.
   */
  readonly mayShare?: Authorize<User>;
  /**
   * Permissions of the embed tokens for the service's own pages, which do not apply the host's
   * policies; must contain `view`. By default only `view` beside `authorize`, `exportOptions` or
   * `audit`, otherwise all that the service gives.
   */
  readonly tokenPermissions?: readonly Permission[];
  /**
   * The parts of the editor that a user has, in the service's own pages and by the host's calls:
   * all of what is missing. With `sessions`, the claim `editor` says it.
   */
  readonly editorLimits?: (user: User) => EditorLimits | Promise<EditorLimits>;
  /**
   * The secrets with which the service signs its webhooks, such as `whsec_…`. With them, the host
   * receives webhooks at `POST {basePath}/webhook`, and held requests end with the service's
   * notice. Pass several while you replace a secret.
   */
  readonly webhookSecrets?: readonly string[];
  /**
   * Receives the views of visitors from pages that set `views`: `POST {basePath}/views`. No user
   * need be signed in. With our service: `(batch) => service.sendViews(batch)`. Without it the
   * answer is 501.
   */
  readonly onViews?: (batch: ViewBatch) => void | Promise<void>;
  /** Receives one entry for every action that costs something or gives something out. */
  readonly audit?: (entry: HostAuditEntry) => void | Promise<void>;
  readonly log?: (entry: HostLogEntry) => void;
  readonly now?: () => number;
}

/** The options of a host, checked and with their defaults. */
export interface HostSettings extends Omit<ClipHostOptions, 'service' | 'sessions'> {
  readonly service: ServiceClient;
  /** Null for a host that takes the user from the site's own cookie; so are the grants. */
  readonly sessions: Sessions | null;
  readonly grants: DownloadGrants | null;
  /** The secret for hashing the addresses of visitors. */
  readonly visitorSecret: string;
  readonly store: HostStore;
  readonly origins: readonly string[];
  readonly log: (entry: HostLogEntry) => void;
  readonly now: () => number;
}

/** Checks the options of a host. Throws a `TypeError` for invalid ones. */
export function readOptions(options: ClipHostOptions): HostSettings {
  const { origins = [], log = logToConsole, now = Date.now } = options;
  if (Boolean(options.authenticate) === Boolean(options.sessions)) {
    throw new TypeError('Give either sessions, or authenticate, to say who is logged in');
  }
  if (options.sessions && options.editorLimits) {
    throw new TypeError('With sessions, set the claim editor instead of editorLimits');
  }
  const sessions = options.sessions ? new Sessions(options.sessions, now) : null;
  const basePath = options.basePath.replace(/(?<!\/)\/+$/, '');
  if (!/^(?:\/[^/?#]+)*$/.test(basePath)) {
    throw new TypeError('basePath must be a path such as "/clips"');
  }
  for (const origin of origins) checkOrigin('origins', origin);
  const service =
    options.service instanceof ServiceClient ? options.service : new ServiceClient(options.service);
  const secrets = findSecrets(options);
  if (sessions && !secrets) {
    throw new TypeError(
      'With publicKeys, give the service as {baseUrl, apiKey}: its key also signs the addresses of downloads',
    );
  }
  const grants = sessions && secrets ? new DownloadGrants(secrets, now) : null;
  if (!options.store) {
    log({
      level: 'warn',
      event: 'memory-store',
      message:
        'managed users and attempt keys are stored in memory and lost when this process ends; pass a store to keep them',
    });
  }
  return {
    ...options,
    ...{ origins, log, now, sessions, grants, basePath, service },
    store: options.store ?? memoryStore(now),
    visitorSecret: secrets?.[0] ?? crypto.randomUUID(),
  };
}

function logToConsole(entry: HostLogEntry): void {
  if (entry.level !== 'info') console[entry.level](`clip-host: ${entry.message}`);
}

/**
 * Returns the secrets that sign the addresses of downloads, and hash those of visitors: the same in
 * all processes. Null if there are none.
 */
function findSecrets({ sessions, service }: ClipHostOptions): readonly string[] | null {
  if (sessions?.secrets?.length) return sessions.secrets;
  return service instanceof ServiceClient ? null : [service.apiKey];
}
