import type { Task, TaskMore, TaskWords } from '../contract/task.ts';
import { task as taskReader } from './clip-answers.ts';
import { type ClipError, loadPart } from './clip-error.ts';
import { makeId } from './create-store.ts';
import { sendStart } from './paid-start.ts';
import { getPageHost, type PageHostOptions } from './page-host.ts';
import { Pause } from './pause.ts';
import {
  makeTaskOutcomeUnknownError,
  makeTaskOutcomeUnresolvedError,
  toStartError,
} from './start-errors.ts';

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
  readonly #pause = new Pause();
  #isSent = false;
  /** The start that the last error asks the person about: another run sends it again. */
  #unresolved: string | null = null;

  constructor(options: PageHostOptions, taskId: string, wanted: FromSource) {
    this.#options = options;
    this.#path = `/tasks/${encodeURIComponent(taskId)}/${'more' in wanted ? 'more' : 'words'}`;
    this.#wanted = wanted;
  }

  /**
   * Returns the task that is worked on. Rejects with a `ClipError`, after which it may run again.
   * `onLost`: called while the answer is not known.
   */
  async run(signal: AbortSignal, onLost: (error: ClipError) => void): Promise<Task> {
    const wanted =
      'more' in this.#wanted ? this.#wanted.more : await this.#words(this.#wanted.words, signal);
    const confirmed = this.#unresolved;
    const body = { ...wanted, ...(confirmed && { confirmed_start: confirmed }) };
    const options = { body, attempt: `clip-again-${this.#id}`, signal };
    const isRepeated = this.#isSent;
    this.#isSent = true;
    const host = getPageHost(this.#options);
    const result = await sendStart(() => host.change<Task>(this.#path, taskReader, options), {
      isRepeated,
      pause: this.#pause,
      signal,
      onLost: (cause) => onLost(makeTaskOutcomeUnknownError(cause)),
    });
    if ('answer' in result) return result.answer.value;
    const { cause, isRefused, unresolved } = result;
    this.#isSent = !isRefused || confirmed !== null;
    this.#unresolved = unresolved;
    throw unresolved === null ? toStartError(cause) : makeTaskOutcomeUnresolvedError(cause);
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
