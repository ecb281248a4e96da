import { formatError } from 'clip-engine';
import type { Log } from '../config/config.ts';
import { readMissed } from './queries.ts';
import { readShownExports } from '../exports/queries.ts';
import { readShownTasks } from '../tasks/queries.ts';
import type { ShownExport } from '../exports/queries.ts';
import type { ShownTask } from '../tasks/queries.ts';
import type { ChangeListener } from '../db/listen.ts';
import { readListState, type ExportsQuery, type ListState } from '../exports/queries.ts';
import type { Db } from '../db/schema.ts';
import { readTaskListState, type TaskListState } from '../tasks/queries.ts';
import {
  type Batch,
  readOnce,
  LiveRows,
  type Wait,
  type Watcher,
  Watchers,
} from '../db/live-rows.ts';
import { LiveAccounts } from '../users/live-accounts.ts';
import { LiveFiles } from '../storage/live-files.ts';
import { findLiveFile } from '../storage/queries.ts';

/** Polling interval while notifications do not arrive. */
const pollIntervalMs = 2000;

/** Changes in the database, whichever process makes them, and those who wait for them. */
export class Changes implements ChangeListener {
  readonly tasks: LiveRows<ShownTask>;
  readonly exports: LiveRows<ShownExport>;
  readonly accounts: LiveAccounts;
  readonly files: LiveFiles;
  readonly #db: Db;
  readonly #log: Log;
  /** By user: those who wait for the user's list of exports. */
  readonly #lists = new Watchers();
  /** By user: those who wait for the user's list of tasks. */
  readonly #taskLists = new Watchers();
  /** By clip: those who make its preview. */
  readonly #clips = new Watchers();
  /** By kind: those who wait for work of the whole installation. */
  readonly #work = new Watchers();
  /** By the JSON of the query. */
  readonly #listStates: Batch<ListState>;
  /** By user. */
  readonly #taskListStates: Batch<TaskListState>;
  /** The state of each list at the last poll. */
  #looked: ReadonlyMap<string, string> = new Map();
  #polling: NodeJS.Timeout | null = null;

  constructor(db: Db, log: Log = () => {}) {
    this.#db = db;
    this.#log = log;
    this.tasks = new LiveRows((ids) => readShownTasks(db, ids));
    this.accounts = new LiveAccounts(db);
    this.files = new LiveFiles((key) => findLiveFile(db, key));
    this.exports = new LiveRows((ids) => readShownExports(db, ids));
    this.#listStates = readOnce((key) => readListState(db, JSON.parse(key) as ExportsQuery));
    this.#taskListStates = readOnce((userId) => readTaskListState(db, userId));
  }

  notify(notice: string): void {
    const [kind, id = '', userId = ''] = notice.split(' ');
    if (kind === 'organization') {
      this.accounts.clear();
      // Its clips may be private now.
      this.files.clear();
    }
    if (kind === 'task') {
      this.tasks.invalidateRow(id);
      this.#taskLists.wake(userId);
    }
    if (kind === 'export') {
      this.exports.invalidateRow(id);
      this.#lists.wake(userId);
    }
    if (kind === 'clip') this.#clips.wake(id);
    if (kind === 'removal') this.files.removed(id);
    if (kind === 'delivery' || kind === 'removal') this.#work.wake(kind);
  }

  /** The number of those who wait for a task, an export, or a list. */
  get waiting(): number {
    return this.tasks.waiting + this.exports.waiting + this.#lists.size + this.#taskLists.size;
  }

  /** Watches for webhook deliveries that are due, or for files that are to be removed. */
  watch(kind: 'delivery' | 'removal'): Watcher {
    return this.#work.watch(kind);
  }

  /** Watches whether a row that is worked on is settled or deleted. */
  watchRow(table: 'tasks' | 'projects' | 'proxies' | 'exports', id: string): Watcher {
    // A proxy has the id of its clip.
    const isClip = table === 'projects' || table === 'proxies';
    return isClip ? this.#clips.watch(id) : this[table].watch(id);
  }

  /** Notes a deletion by this process: its later answers must not contain the deleted object. */
  deleted(): void {
    for (const kept of [this.tasks, this.exports, this.files]) kept.clear();
    this.accounts.clear();
  }

  listening(state: boolean): void {
    for (const kept of [this.tasks, this.exports, this.accounts, this.files])
      kept.setTrusted(state);
    if (this.#polling) clearInterval(this.#polling);
    this.#polling = state ? null : setInterval(() => void this.#poll(), pollIntervalMs).unref();
    // What has changed since it was last listened.
    if (state) void this.#poll();
  }

  /** Stops polling. */
  close(): void {
    if (this.#polling) clearInterval(this.#polling);
    this.#polling = null;
  }

  /** Reads all watched rows in one query. */
  async #poll(): Promise<void> {
    const watched = {
      tasks: this.tasks.watched(),
      exports: this.exports.watched(),
      clips: this.#clips.keys(),
      users: this.#lists.keys(),
    };
    // Requests that wait for a list of tasks read it themselves.
    this.#taskLists.wakeAll();
    if (Object.values(watched).every((keys) => keys.length === 0)) return;
    try {
      const { tasks, exports, clips, lists } = await readMissed(this.#db, watched);
      for (const id of tasks) this.tasks.invalidateRow(id);
      for (const id of exports) this.exports.invalidateRow(id);
      for (const id of clips) this.#clips.wake(id);
      for (const user of watched.users) {
        if (lists.get(user) !== this.#looked.get(user)) this.#lists.wake(user);
      }
      this.#looked = lists;
    } catch (error) {
      this.#log({ event: 'changes-not-read', message: formatError(error) });
    }
  }

  /**
   * Waits for a list of exports: until none of them is processed, one is settled or started, or the
   * wait is over. Throws as the read does.
   */
  listChanged(query: ExportsQuery, wait: Wait): Promise<void> {
    const key = JSON.stringify(query);
    return this.#changed(this.#lists, query.userId, () => this.#listStates.read(key), wait);
  }

  /**
   * Waits for a user's list of tasks: until none of them is processed, something that the list
   * shows has changed, or the wait is over. Throws as the read does.
   */
  taskListChanged(userId: string, wait: Wait): Promise<void> {
    return this.#changed(this.#taskLists, userId, () => this.#taskListStates.read(userId), wait);
  }

  async #changed(
    watchers: Watchers,
    userId: string,
    read: () => Promise<{ open: number } | undefined>,
    wait: Wait,
  ): Promise<void> {
    if (wait.ms <= 0) return;
    const end = performance.now() + wait.ms;
    const watcher = watchers.watch(userId);
    try {
      const first = await read();
      for (let now = first; now?.open && JSON.stringify(now) === JSON.stringify(first);) {
        const left = end - performance.now();
        if (left <= 0 || wait.signal.aborted) return;
        await watcher.next(left, wait.signal);
        now = await read();
      }
    } finally {
      watcher.close();
    }
  }
}
