import type { Project } from '../../src/contract/project.ts';
import type { Task } from '../../src/contract/task.ts';
import type { ByteFaults } from 'clip-testkit/byte-faults';

/**
 * How a world's service and its site behave, and what happens between them and the page. A test
 * sets what it needs; counters such as `failTokens` count down. A later change also affects delayed
 * answers and running renders: a test can hold one with a long time, and release it with none.
 */
export interface Behaviour
  extends
    ServiceBehaviour,
    SiteBehaviour,
    Faults,
    OtherHosts,
    Pick<
      ByteFaults,
      'cutAfter' | 'cuts' | 'cutsEndOffline' | 'isHeld' | 'offline' | 'refuseBytes'
    > {}

interface ServiceBehaviour {
  /** Duration of a render in milliseconds, and the first estimate. */
  render: number;
  estimate: number;
  /** Milliseconds for which a render has already run when it is started. */
  age: number;
  outcome: 'ready' | 'error';
  /** The clips of the folder `f`, as their names; null: the folder is not known. */
  clips: readonly string[] | null;
  /** How often each of them was watched; the service does not say it of others. */
  views: readonly number[];
  /** Fields of each clip. */
  clip: Partial<Project>;
  /** The revision of every clip's edit; null: the service has no editor. */
  revision: number | null;
  /** Fields of the task `t`, whose clips are those of the folder; null: it is not known. */
  task: Partial<Task> | null;
  /**
   * What becomes of starts of exports and tasks. `fail`, `full`: the service answers 502, 507.
   * `not-found`: it knows no clip but those of the folder. The others lie between page and host.
   * `down`: 503. `act-then-*`: it is started, but the answer is a 502 or missing.
   */
  start:
    | ('ok' | 'limit' | 'not-found' | 'refused' | 'fail' | 'full')
    | ('act-then-fail' | 'act-then-drop' | 'down' | 'drop' | 'hang');
  /** The service has starts of exports, and does not carry them out yet. */
  holdsStarts: boolean;
  /** The answer to `POST /uploads` of the service; 0: the upload is opened. */
  refuse: number;
  /** Seconds of `Retry-After` in that answer, and in those of `failPolls`. */
  retryAfter: number;
}

interface SiteBehaviour {
  /** Who is logged in. */
  account: string;
  unauthenticated: boolean;
  /** Users are known by a session, instead of `account`. Cannot be changed from or to null. */
  session: SessionBehaviour | null;
  /** The token that a request needs which changes something. */
  csrf: string | null;
  /** How far the clocks of host and service are ahead in milliseconds. */
  skew: number;
}

interface Faults {
  /** This many token requests are answered 503. */
  failTokens: number;
  /** This many questions about exports are answered 503. */
  failPolls: number;
  /** This many questions about clips are answered 503. */
  failLists: number;
  /** Milliseconds until a token is answered. */
  tokenDelay: number;
  /** Milliseconds until the answer about a start. */
  startDelay: number;
  /** Every path is answered like an unknown path of a web server. */
  elsewhere: boolean;
  /** Uploads are opened, and the answers are lost. */
  losesOpens: boolean;
}

/** What hosts do that others wrote. */
interface OtherHosts {
  holds: boolean;
  /** Whether the service keeps attempt keys; only as the world is made. */
  keepsKeys: boolean;
  /** Lists omit running exports. */
  hidesRunning: boolean;
  /** How many more clips without any field. */
  brokenClips: number;
  /** The answer to `DELETE /tasks/{id}`; 0: the task is deleted. */
  refuseDelete: number;
}

/** How the site gives sessions at `_session`. */
export interface SessionBehaviour {
  /** Id of the user; null: no user is signed in. */
  user: string | null;
  /** What the site answers instead. */
  answers?: 'page' | 'text' | 'redirect' | 500 | 404;
  /** This many calls with a session come when it has ended. */
  expired?: number;
  /** The site signs with another secret than the host has. */
  isForeign?: boolean;
}

export const standardBehaviour: Readonly<Behaviour> = {
  render: 400,
  estimate: 400,
  age: 0,
  outcome: 'ready',
  clips: [],
  views: [],
  clip: {},
  revision: null,
  task: null,
  start: 'ok',
  holdsStarts: false,
  refuse: 0,
  retryAfter: 0,
  account: 'ann',
  unauthenticated: false,
  session: null,
  csrf: null,
  skew: 0,
  failTokens: 0,
  failPolls: 0,
  failLists: 0,
  tokenDelay: 0,
  startDelay: 0,
  elsewhere: false,
  losesOpens: false,
  holds: true,
  keepsKeys: true,
  hidesRunning: false,
  brokenClips: 0,
  refuseDelete: 0,
  cutAfter: 0,
  cuts: 0,
  cutsEndOffline: false,
  isHeld: false,
  offline: false,
  refuseBytes: 0,
};
