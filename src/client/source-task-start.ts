import type { Task, TaskMore, TaskWords } from '../contract/task.ts';
import { task as taskReader } from './clip-answers.ts';
import { type ClipError, loadPart } from './clip-error.ts';
import { makeId } from './create-store.ts';
import type { HostAnswer } from './host-client.ts';
import { readQuestion, sendStart } from './paid-start.ts';
import { getPageHost, type PageHostOptions } from './page-host.ts';
import { taskErrors } from './start-errors.ts';

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
  #isSent = false;
  /** Why the last run has failed. If it asks the person, another run is the yes. */
  #error: ClipError | null = null;

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
    const confirmed = readQuestion(this.#error);
    const body = { ...wanted, ...(confirmed && { confirmed_start: confirmed }) };
    const options = { body, key: `clip-again-${this.#id}`, signal };
    const isRepeated = this.#isSent;
    this.#isSent = true;
    const host = getPageHost(this.#options);
    const send = (): Promise<HostAnswer<Task>> => host.change(this.#path, taskReader, options);
    const result = await sendStart(send, { isRepeated, signal, errors: taskErrors, onLost });
    if ('answer' in result) return result.answer.value;
    this.#isSent = !result.isRefused || confirmed !== null;
    throw (this.#error = result.error);
  }

  /** Subtitles of a file are sent before. */
  async #words(file: WordsSource, signal: AbortSignal): Promise<TaskWords> {
    if (file === null) return {};
    if (!(file instanceof File)) return { subtitles_url: file };
    const { sendFile } = await loadPart(import('./send-file.ts'));
    const host = getPageHost(this.#options);
    const key = `clip-subtitles-${this.#id}-0`;
    const { url } = await sendFile({ host, file, key, signal });
    return { subtitles_url: url };
  }
}
