import type { Task, TaskMore, TaskWords } from '../contract/task.ts';
import { retryDelay } from '../flow/poll-schedule.ts';
import { taskList, task as taskReader } from './clip-answers.ts';
import { type ClipError, isClipError, loadPart } from './clip-error.ts';
import { makeId } from './create-store.ts';
import { isOverdue, isSurelyRefused, getMsUntilOverdue, readOutcome } from './lost-start.ts';
import { getPageHost, type PageHostOptions } from './page-host.ts';
import { onReturn, Pause } from './pause.ts';
import {
  makeTaskOutcomeUnknownError,
  makeTaskOutcomeUnresolvedError,
  toStartError,
} from './start-errors.ts';

/** The number of times that a start is sent before the user has to retry it. */
const maxSends = 6;

/** After these errors, the outcome of a start that was sent is asked for. */
const isOpen = ({ code }: ClipError): boolean =>
  /^(task-outcome-unknown|network|timeout|service-error|rate-limited|invalid-answer)$/.test(code);

/** Subtitles to use: a file, or an address. Null: speech is recognised. */
export type WordsSource = File | string | null;

/** The request for a task's source: new words for its clips, or more clips in a new task. */
export type FromSource = { words: WordsSource } | { more: TaskMore };

/**
 * One decision of a person about the source of a task, to find further clips in it, or to give it
 * words: it is carried out once, however often it runs.
 */
export class SourceTaskStart {
  readonly #options: PageHostOptions;
  readonly #path: string;
  readonly #wanted: FromSource;
  readonly #id = makeId();
  /** When the start was sent and its answer has not come; null otherwise. */
  #sentAt: number | null = null;
  /** The person knows that the outcome of the last start is unknown. */
  #isConfirmed = false;
  #tries = 0;

  constructor(options: PageHostOptions, taskId: string, wanted: FromSource) {
    this.#options = options;
    this.#path = `/tasks/${encodeURIComponent(taskId)}/${'more' in wanted ? 'more' : 'words'}`;
    this.#wanted = wanted;
  }

  /** Milliseconds until the person may decide about a lost start; null if there is none. */
  get msUntilChoice(): number | null {
    return this.#sentAt && getMsUntilOverdue(this.#sentAt);
  }

  /**
   * Returns the task that is worked on. Rejects with a `ClipError`, after which it may run again.
   * `onOpen`: called while the outcome of a start is not known, and is asked for.
   */
  async run(signal: AbortSignal, onOpen: (error: ClipError) => void): Promise<Task> {
    const pause = new Pause();
    const life = new AbortController();
    onReturn(() => pause.wake(), AbortSignal.any([signal, life.signal]));
    let sends = 0;
    try {
      for (let failures = 1; ; failures++) {
        try {
          const known = await this.#known(signal);
          if (known) return known;
          sends++;
          return await this.#start(signal);
        } catch (cause) {
          signal.throwIfAborted();
          const error = isClipError(cause) ? cause : toStartError(cause);
          if (this.#sentAt === null || !isOpen(error) || sends === maxSends) throw error;
          onOpen(makeTaskOutcomeUnknownError(cause));
        }
        const { hidden } = document;
        const jitter = Math.random();
        await pause.for(retryDelay({ failures, retryAfter: null, hidden, jitter }), signal);
      }
    } finally {
      life.abort();
    }
  }

  get #attempt(): string {
    return `clip-again-${this.#id}-${this.#tries}`;
  }

  /** Finds the task of a start whose answer was lost; null if it may be sent again. */
  async #known(signal: AbortSignal): Promise<Task | null> {
    if (this.#sentAt === null) return null;
    const question = getPageHost(this.#options).byAttempt<Task>(
      '/tasks',
      this.#attempt,
      taskList,
      signal,
    );
    const known = await readOutcome(question, this.#sentAt);
    if (typeof known === 'object') return known.value;
    if (known === 'open') throw makeTaskOutcomeUnknownError(null);
    if (known === 'unknown') {
      if (!isOverdue(this.#sentAt)) throw makeTaskOutcomeUnknownError(null);
      if (!this.#isConfirmed) {
        this.#isConfirmed = true;
        throw makeTaskOutcomeUnresolvedError(null);
      }
      this.#tries += 1;
    }
    return null;
  }

  async #start(signal: AbortSignal): Promise<Task> {
    const body =
      'more' in this.#wanted ? this.#wanted.more : await this.#words(this.#wanted.words, signal);
    this.#sentAt = Date.now();
    this.#isConfirmed = false;
    try {
      const options = { body, attempt: this.#attempt, signal };
      return (await getPageHost(this.#options).change<Task>(this.#path, taskReader, options)).value;
    } catch (cause) {
      if (isSurelyRefused(cause)) this.#sentAt = null;
      throw cause;
    }
  }

  /** Subtitles of a file are sent before. */
  async #words(file: WordsSource, signal: AbortSignal): Promise<TaskWords> {
    if (file === null) return {};
    if (!(file instanceof File)) return { subtitles_url: file };
    const { sendFile } = await loadPart(import('./send-file.ts'));
    const host = getPageHost(this.#options);
    const attempt = `clip-subtitles-${this.#id}-0`;
    const { url } = await sendFile({ host, file, attempt, signal });
    return { subtitles_url: url };
  }
}
