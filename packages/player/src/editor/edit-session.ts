import type { EditChanges } from 'clip-kit/contract';
import { RefusedCall, type EditAnswer, type EditorApi } from './editor-api.ts';
import { EditorModel } from './editor-model.ts';
import {
  storeDraft,
  readDraft,
  type SaveAnswer,
  SaveQueue,
  type SaveState,
  type Stored,
} from './save-queue.ts';

const readStored = ({ edit }: EditAnswer): Stored => ({
  revision: edit.revision,
  changes: edit.changes,
});

/** The interval at which the page asks whether the service has analysed the new pictures. */
const pollIntervalMs = 4000;

interface SessionOptions {
  api: EditorApi;
  clipId: string;
  storage: Storage | null;
  /** A revision was stored. */
  onSaved: (revision: number, at: Date) => void;
  /** Called when nothing can be saved any more. */
  onDenied: (message: string, status: number) => void;
}

/** One user's work on a clip. Saves changes automatically. */
export class EditSession {
  readonly model: EditorModel;
  readonly #options: SessionOptions;
  readonly #queue: SaveQueue;
  readonly #listeners = new Set<() => void>();
  #savedAt: Date | null = null;
  #latest: EditAnswer;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(answer: EditAnswer, options: SessionOptions) {
    this.#options = options;
    this.#latest = answer;
    this.model = new EditorModel(answer);
    const { clipId, storage } = options;
    this.#queue = new SaveQueue(readStored(answer), {
      send: (patch, revision) => this.#send(patch, revision),
      schedule: (call, ms) => {
        const timer = setTimeout(call, ms);
        return () => clearTimeout(timer);
      },
      storeDraft: (draft) => storeDraft(storage, clipId, draft),
      onState: () => this.#notify(),
      onChanges: (changes, faults) => this.model.applyRemoteChanges(changes, faults),
    });
    const draft = readDraft(storage, clipId);
    if (draft) this.model.applyRemoteChanges(this.#queue.restoreDraft(draft));
    this.model.subscribe(() => this.#scheduleSave());
    this.#pollFraming();
  }

  get state(): SaveState {
    return this.#queue.state;
  }

  get revision(): number {
    return this.#queue.revision;
  }

  get savedAt(): Date | null {
    return this.#savedAt;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  flush(): Promise<boolean> {
    return this.#queue.flush();
  }

  retry(): void {
    this.#queue.retry();
  }

  applyOwnChanges(): void {
    this.model.applyAnswer(this.#latest);
    this.#queue.applyOwnChanges();
  }

  discardOwnChanges(): void {
    this.model.applyAnswer(this.#latest);
    this.#queue.discardOwnChanges();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #wanted: EditChanges | null = null;

  #scheduleSave(): void {
    // A drag is not a change yet, and neither is the service's answer.
    const { made, changes } = this.model;
    if (this.model.isPreviewing || changes === this.#wanted || !made) return;
    this.#wanted = changes;
    this.#queue.scheduleSave(changes);
  }

  async #send(patch: Record<string, unknown>, revision: number): Promise<SaveAnswer> {
    const { api, onSaved, onDenied } = this.#options;
    try {
      const answer = await api.changeEdit(patch, revision);
      this.#latest = answer;
      this.#savedAt = new Date();
      this.model.applyAnswer(answer);
      this.#pollFraming();
      onSaved(answer.edit.revision, this.#savedAt);
      return { kind: 'saved', stored: readStored(answer) };
    } catch (error) {
      if (!(error instanceof RefusedCall)) return { kind: 'lost' };
      if (error.status === 412) return this.#readConflict();
      const isBeyondLimits = error.status === 403 && error.errors.length > 0;
      if (isBeyondLimits || error.status === 422 || error.status === 400) {
        const faults =
          error.errors.length > 0 ? error.errors : [{ path: '', message: error.message }];
        return { kind: 'refused', faults };
      }
      if (![401, 403, 404].includes(error.status)) return { kind: 'lost' };
      onDenied(error.message, error.status);
      return { kind: 'denied' };
    }
  }

  async #readConflict(): Promise<SaveAnswer> {
    try {
      this.#latest = await this.#options.api.readEdit();
      return { kind: 'conflict', stored: readStored(this.#latest) };
    } catch {
      return { kind: 'lost' };
    }
  }

  /** Polls until the service has analysed the pictures: before, the framing is a guess. */
  #pollFraming(): void {
    clearTimeout(this.#timer);
    if (this.#isClosed || this.#latest.edit.preview !== 'preparing') return;
    this.#timer = setTimeout(() => void this.#readFraming(), pollIntervalMs);
  }

  async #readFraming(): Promise<void> {
    const answer = await this.#options.api.readEdit().catch(() => null);
    if (this.#isClosed) return;
    if (answer?.edit.revision === this.#queue.revision) {
      this.#latest = answer;
      this.model.applyAnswer(answer);
    }
    this.#pollFraming();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
