import type { EditChanges } from 'clip-kit/contract';
import { mergePatch, patchBetween, isSameJson } from '../merge-patch.ts';

/** A field that the service did not take, and why. */
export interface Refusal {
  path: string;
  message: string;
}

/** The edit that the service has stored. */
export interface Stored {
  revision: number;
  changes: EditChanges;
}

/** The outcome of a request. In a conflict, the service has stored another edit. */
export type SaveAnswer =
  | { kind: 'saved'; stored: Stored }
  | { kind: 'conflict'; stored: Stored }
  | { kind: 'refused'; faults: readonly Refusal[] }
  | { kind: 'lost' }
  | { kind: 'denied' };

/** `waiting`: the last change is a moment ago. `offline`: it is retried automatically. */
export type SaveState = 'saved' | 'waiting' | 'saving' | 'offline' | 'conflict' | 'denied';

export interface SaveDependencies {
  send(patch: Record<string, unknown>, revision: number): Promise<SaveAnswer>;
  /** Calls later; returns a function that prevents it. */
  schedule(call: () => void, ms: number): () => void;
  storeDraft(draft: Draft | null): void;
  /** The state has changed, or something was saved. */
  onState(): void;
  /** The changes are not what was wanted: some were refused, or another person's came in. */
  onChanges(changes: EditChanges, faults: readonly Refusal[]): void;
}

const saveDelayMs = 1000;
const computeRetryDelay = (failures: number): number =>
  Math.min(2000 * 1.7 ** (failures - 1), 30_000);

/**
 * Saves the changes automatically, a moment after the last one. One request at a time; lost ones
 * are tried again. Two people at once: nothing is sent until one of them says what stays.
 */
export class SaveQueue {
  readonly #dependencies: SaveDependencies;
  #stored: Stored;
  #wanted: EditChanges;
  #state: SaveState = 'saved';
  #failures = 0;
  #isSending = false;
  #cancel: () => void = () => {};
  #conflict: Stored | null = null;
  /** Wait for the answer to the request that is on its way. */
  readonly #waiting: (() => void)[] = [];
  /**
   * Changes that were sent on the stored revision without an answer: it has at most one of these.
   */
  #unanswered: readonly EditChanges[] = [];

  constructor(stored: Stored, dependencies: SaveDependencies) {
    this.#stored = stored;
    this.#wanted = stored.changes;
    this.#dependencies = dependencies;
  }

  get state(): SaveState {
    return this.#state;
  }

  get revision(): number {
    return this.#stored.revision;
  }

  /** Continues with the changes that an earlier visit could not save. */
  restoreDraft(draft: Draft): EditChanges {
    if (isSameJson(draft.changes, this.#stored.changes)) {
      this.#dependencies.storeDraft(null);
      return this.#wanted;
    }
    const theirs = this.#stored;
    this.#wanted = draft.changes;
    this.#unanswered = draft.sent;
    if (draft.revision === theirs.revision || this.#isSent(theirs)) {
      this.#scheduleSend(saveDelayMs, 'waiting');
    } else {
      this.#stored = { revision: draft.revision, changes: draft.base };
      this.#reportConflict(theirs);
    }
    return this.#wanted;
  }

  /** Saves these changes a moment after the last call. */
  scheduleSave(changes: EditChanges): void {
    this.#wanted = changes;
    this.#storeDraft();
    if (this.#state === 'conflict' || this.#state === 'denied') return;
    if (this.#isSending) return;
    this.#scheduleSend(saveDelayMs, 'waiting');
  }

  /** Sends what is not sent yet. Resolves when nothing is left, or it cannot be sent. */
  async flush(): Promise<boolean> {
    this.#cancel();
    while (!this.#isClean && !this.#conflict && this.#state !== 'denied') {
      const failures = this.#failures;
      if (this.#isSending) {
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
        continue;
      }
      await this.#send();
      if (this.#failures > failures) return false;
    }
    return this.#isClean;
  }

  /** Another token, or a connection again. */
  retry(): void {
    if (this.#isClean || this.#conflict || this.#isSending) return;
    this.#cancel();
    void this.#send();
  }

  /** Ends a conflict: one's own changes on top of the other person's. */
  applyOwnChanges(): void {
    const theirs = this.#conflict;
    if (!theirs) return;
    const mine = patchBetween(this.#stored.changes, this.#wanted);
    this.#resolveConflict(theirs, mergePatch(theirs.changes, mine) as EditChanges);
  }

  /** Ends a conflict: the other person's changes stay. */
  discardOwnChanges(): void {
    if (this.#conflict) this.#resolveConflict(this.#conflict, this.#conflict.changes);
  }

  get #isClean(): boolean {
    return this.#unanswered.length === 0 && isSameJson(this.#wanted, this.#stored.changes);
  }

  /** Whether this is what was sent, and not a change from elsewhere. */
  #isSent({ changes }: Stored): boolean {
    return this.#unanswered.some((sent) => isSameJson(changes, sent));
  }

  #storeDraft(): void {
    const { revision, changes: base } = this.#stored;
    const draft = { revision, base, changes: this.#wanted, sent: this.#unanswered };
    this.#dependencies.storeDraft(this.#isClean ? null : draft);
  }

  #setStored(stored: Stored): void {
    this.#stored = stored;
    this.#unanswered = [];
  }

  #resolveConflict(stored: Stored, changes: EditChanges): void {
    this.#conflict = null;
    this.#setStored(stored);
    this.#state = 'saved';
    this.#dependencies.onChanges(changes, []);
    this.scheduleSave(changes);
    this.#dependencies.onState();
  }

  #reportConflict(theirs: Stored): void {
    this.#conflict = theirs;
    this.#setState('conflict');
  }

  #setState(state: SaveState): void {
    this.#state = state;
    this.#dependencies.onState();
  }

  #scheduleSend(ms: number, state: SaveState): void {
    this.#cancel();
    this.#cancel = this.#dependencies.schedule(() => void this.#send(), ms);
    if (this.#state !== state) this.#setState(state);
  }

  async #send(): Promise<void> {
    const sent = this.#wanted;
    const patch = patchBetween(this.#stored.changes, sent);
    // Also without a change: the answer says whether an unanswered one has been stored.
    if (this.#isClean) return this.#setState('saved');
    this.#isSending = true;
    if (this.#unanswered.at(-1) !== sent) this.#unanswered = [...this.#unanswered, sent];
    this.#storeDraft();
    this.#setState('saving');
    const answer = await this.#dependencies.send(patch, this.#stored.revision);
    this.#isSending = false;
    this.#applyAnswer(answer, sent);
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #applyAnswer(answer: SaveAnswer, sent: EditChanges): void {
    if (answer.kind === 'lost') {
      this.#failures += 1;
      return this.#scheduleSend(computeRetryDelay(this.#failures), 'offline');
    }
    this.#failures = 0;
    if (answer.kind === 'denied') return this.#setState('denied');
    if (answer.kind === 'refused') {
      this.#unanswered = this.#unanswered.filter((one) => one !== sent);
      return this.#revertRefused(answer.faults, sent);
    }
    if (answer.kind === 'conflict' && !this.#isSent(answer.stored)) {
      return this.#reportConflict(answer.stored);
    }
    const isSent = answer.kind === 'saved' || isSameJson(answer.stored.changes, sent);
    this.#setStored(answer.stored);
    // The service may write what it takes in another way.
    if (this.#wanted === sent && isSent) this.#wanted = answer.stored.changes;
    if (this.#isClean) {
      this.#storeDraft();
      this.#setState('saved');
    } else this.scheduleSave(this.#wanted);
  }

  /** Reverts the refused fields; all of them if none is named. */
  #revertRefused(faults: readonly Refusal[], sent: EditChanges): void {
    const stored = this.#stored.changes as Record<string, unknown>;
    const kept: Record<string, unknown> = { ...this.#wanted };
    const named = new Set(faults.map(({ path }) => path.replace(/^changes\.?/, '').split('.')[0]!));
    const isNamed = named.size > 0 && !named.has('');
    for (const key of isNamed ? named : Object.keys({ ...sent, ...stored })) {
      if (stored[key] === undefined) delete kept[key];
      else kept[key] = stored[key];
    }
    this.#wanted = kept as EditChanges;
    this.#dependencies.onChanges(this.#wanted, faults);
    this.#setState('saved');
    this.scheduleSave(this.#wanted);
  }
}

/** Changes that are not saved yet, and what they were made on. */
export interface Draft {
  revision: number;
  base: EditChanges;
  changes: EditChanges;
  /** Changes that were sent since then without an answer: the service may have it or not. */
  sent: readonly EditChanges[];
}

const makeKey = (clipId: string): string => `clip-edit:${clipId}`;

/** The draft that an earlier visit left; null if there is none, or it cannot be read. */
export function readDraft(storage: Pick<Storage, 'getItem'> | null, clipId: string): Draft | null {
  try {
    return JSON.parse(storage?.getItem(makeKey(clipId)) ?? 'null') as Draft | null;
  } catch {
    return null;
  }
}

/** Stores a draft, or deletes it (null). A page without storage has none. */
export function storeDraft(
  storage: Pick<Storage, 'setItem' | 'removeItem'> | null,
  clipId: string,
  draft: Draft | null,
): void {
  try {
    if (draft) storage?.setItem(makeKey(clipId), JSON.stringify(draft));
    else storage?.removeItem(makeKey(clipId));
  } catch {
    // Full, or refused: the change is still in the page.
  }
}
