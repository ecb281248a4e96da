import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EditChanges } from 'clip-kit/contract';
import {
  type Draft,
  type Refusal,
  type SaveAnswer,
  SaveQueue,
} from '../../src/editor/save-queue.ts';

/** A service whose answers the test gives, and a clock that it turns. */
class Desk {
  readonly sent: { patch: Record<string, unknown>; revision: number }[] = [];
  readonly states: string[] = [];
  readonly waits: number[] = [];
  draft: Draft | null = null;
  received: { changes: EditChanges; faults: readonly Refusal[] }[] = [];
  readonly queue: SaveQueue;
  #answer: (answer: SaveAnswer) => void = () => {};
  #timer: (() => void) | null = null;

  constructor(changes: EditChanges = {}) {
    this.queue = new SaveQueue(
      { revision: 1, changes },
      {
        send: (patch, revision) => {
          this.sent.push({ patch, revision });
          return new Promise((resolve) => (this.#answer = resolve));
        },
        schedule: (call, ms) => {
          this.waits.push(ms);
          this.#timer = call;
          return () => (this.#timer = null);
        },
        storeDraft: (draft) => (this.draft = draft),
        onState: () => this.states.push(this.queue.state),
        onChanges: (changes, faults) => this.received.push({ changes, faults }),
      },
    );
  }

  /** Changes the title, and sends it. */
  sendTitle(title: string): void {
    this.queue.scheduleSave({ title });
    this.rest();
  }

  rest(): void {
    const timer = this.#timer;
    this.#timer = null;
    timer?.();
  }

  get isWaiting(): boolean {
    return this.#timer !== null;
  }

  async answer(answer: SaveAnswer): Promise<void> {
    this.#answer(answer);
    await new Promise(setImmediate);
  }

  saved(revision: number, changes: EditChanges): Promise<void> {
    return this.answer({ kind: 'saved', stored: { revision, changes } });
  }
}

describe('the save queue', () => {
  it('sends what has changed, a moment after the last change', async () => {
    const desk = new Desk({ start: 1 });
    desk.queue.scheduleSave({ start: 1, title: 'O' });
    desk.queue.scheduleSave({ start: 1, title: 'One' });
    assert.deepEqual(desk.sent, []);
    desk.rest();
    assert.deepEqual(desk.sent, [{ patch: { title: 'One' }, revision: 1 }]);
    await desk.saved(2, { start: 1, title: 'One' });
    assert.deepEqual([desk.queue.state, desk.queue.revision], ['saved', 2]);
    assert.deepEqual(desk.states, ['waiting', 'saving', 'saved']);
  });

  it('answers everybody who waits for the same request', async () => {
    const desk = new Desk();
    desk.queue.scheduleSave({ title: 'One' });
    const both = Promise.all([desk.queue.flush(), desk.queue.flush(), desk.queue.flush()]);
    await desk.saved(2, { title: 'One' });
    assert.deepEqual(await both, [true, true, true]);
    assert.equal(desk.sent.length, 1);
  });

  it('sends one request at a time, and then what came meanwhile', async () => {
    const desk = new Desk();
    desk.sendTitle('One');
    desk.queue.scheduleSave({ title: 'Two' });
    assert.equal(desk.isWaiting, false);
    assert.equal(desk.sent.length, 1);
    await desk.saved(2, { title: 'One' });
    desk.rest();
    assert.deepEqual(desk.sent[1], { patch: { title: 'Two' }, revision: 2 });
    await desk.saved(3, { title: 'Two' });
    assert.equal(desk.queue.state, 'saved');
  });

  it('keeps a draft until it is saved', async () => {
    const desk = new Desk();
    desk.queue.scheduleSave({ title: 'One' });
    const draft = { revision: 1, base: {}, changes: { title: 'One' }, sent: [] };
    assert.deepEqual(desk.draft, draft);
    desk.rest();
    assert.deepEqual(desk.draft, { ...draft, sent: [{ title: 'One' }] });
    await desk.saved(2, { title: 'One' });
    assert.equal(desk.draft, null);
  });

  it('tries again, later and later, after a lost connection', async () => {
    const desk = new Desk();
    desk.sendTitle('One');
    await desk.answer({ kind: 'lost' });
    assert.equal(desk.queue.state, 'offline');
    desk.rest();
    await desk.answer({ kind: 'lost' });
    const [, first, second] = desk.waits;
    assert.ok(second! > first!, `${desk.waits}`);
    assert.ok(desk.draft, 'nothing is lost');
    desk.rest();
    await desk.saved(2, { title: 'One' });
    assert.equal(desk.queue.state, 'saved');
  });

  it('knows its own change again if the answer to it was lost', async () => {
    const desk = new Desk();
    desk.sendTitle('One');
    await desk.answer({ kind: 'lost' });
    desk.rest();
    await desk.answer({ kind: 'conflict', stored: { revision: 2, changes: { title: 'One' } } });
    assert.deepEqual([desk.queue.state, desk.queue.revision], ['saved', 2]);
  });

  it('knows its own change again if the answer was lost and more has changed since', async () => {
    const desk = new Desk();
    desk.sendTitle('One');
    await desk.answer({ kind: 'lost' });
    desk.sendTitle('Two');
    await desk.answer({ kind: 'conflict', stored: { revision: 2, changes: { title: 'One' } } });
    assert.equal(desk.queue.state, 'waiting');
    desk.rest();
    assert.deepEqual(desk.sent.at(-1), { patch: { title: 'Two' }, revision: 2 });
    await desk.saved(3, { title: 'Two' });
    assert.deepEqual([desk.queue.state, desk.draft], ['saved', null]);
  });

  it('asks what came of a lost change that was undone, and undoes it', async () => {
    const desk = new Desk();
    desk.sendTitle('One');
    await desk.answer({ kind: 'lost' });
    desk.queue.scheduleSave({});
    desk.rest();
    assert.deepEqual(desk.sent.at(-1), { patch: {}, revision: 1 });
    await desk.answer({ kind: 'conflict', stored: { revision: 2, changes: { title: 'One' } } });
    desk.rest();
    assert.deepEqual(desk.sent.at(-1), { patch: { title: null }, revision: 2 });
    await desk.saved(3, {});
    assert.deepEqual([desk.queue.state, desk.draft], ['saved', null]);
  });

  it('sends nothing after a change of somebody else, until it is said what stays', async () => {
    const desk = new Desk();
    const theirs = { revision: 5, changes: { title: 'Theirs', start: 3 } };
    desk.sendTitle('Mine');
    await desk.answer({ kind: 'conflict', stored: theirs });
    desk.queue.scheduleSave({ title: 'Mine too' });
    assert.deepEqual([desk.queue.state, desk.isWaiting], ['conflict', false]);
    desk.queue.applyOwnChanges();
    assert.deepEqual(desk.received.at(-1)?.changes, { title: 'Mine too', start: 3 });
    desk.rest();
    assert.deepEqual(desk.sent.at(-1), { patch: { title: 'Mine too' }, revision: 5 });
  });

  it('gives way to a change of somebody else', async () => {
    const desk = new Desk();
    desk.sendTitle('Mine');
    await desk.answer({ kind: 'conflict', stored: { revision: 5, changes: { start: 3 } } });
    desk.queue.discardOwnChanges();
    assert.deepEqual(desk.received.at(-1)?.changes, { start: 3 });
    assert.equal(desk.draft, null);
    assert.equal(desk.queue.revision, 5);
  });

  it('takes back the field that is refused, and saves the others', async () => {
    const desk = new Desk({ title: 'Old' });
    desk.queue.scheduleSave({ title: 'Bad', start: 3 });
    desk.rest();
    const fault = { path: 'changes.title', message: 'must be shorter' };
    await desk.answer({ kind: 'refused', faults: [fault] });
    assert.deepEqual(desk.received, [{ changes: { title: 'Old', start: 3 }, faults: [fault] }]);
    desk.rest();
    assert.deepEqual(desk.sent.at(-1)?.patch, { start: 3 });
  });

  it('goes on with what an earlier visit could not save', () => {
    const desk = new Desk();
    const draft = { revision: 1, base: {}, changes: { title: 'Draft' }, sent: [] };
    assert.deepEqual(desk.queue.restoreDraft(draft), { title: 'Draft' });
    desk.rest();
    assert.deepEqual(desk.sent, [{ patch: { title: 'Draft' }, revision: 1 }]);
    const later = new Desk({ start: 3 });
    later.queue.restoreDraft({ ...draft, revision: 0 });
    assert.equal(later.queue.state, 'conflict');
    later.queue.applyOwnChanges();
    assert.deepEqual(later.received.at(-1)?.changes, { title: 'Draft', start: 3 });
    const known = new Desk({ title: 'Draft' });
    known.queue.restoreDraft(draft);
    assert.deepEqual([known.queue.state, known.draft], ['saved', null]);
  });

  it('goes on after an earlier visit that ended before its answer', () => {
    const desk = new Desk({ title: 'Sent' });
    const sent = [{ title: 'Lost' }, { title: 'Sent' }];
    desk.queue.restoreDraft({ revision: 0, base: {}, changes: { title: 'Draft' }, sent });
    assert.equal(desk.queue.state, 'waiting');
    desk.rest();
    assert.deepEqual(desk.sent, [{ patch: { title: 'Draft' }, revision: 1 }]);
  });

  it('keeps a draft that undoes what is being sent', async () => {
    const desk = new Desk();
    desk.sendTitle('One');
    desk.queue.scheduleSave({});
    assert.deepEqual(desk.draft?.changes, {});
    await desk.saved(2, { title: 'One' });
    desk.rest();
    assert.deepEqual(desk.sent.at(-1), { patch: { title: null }, revision: 2 });
  });

  it('sends at once when asked to, and says whether all is saved', async () => {
    const desk = new Desk();
    assert.equal(await desk.queue.flush(), true);
    desk.queue.scheduleSave({ title: 'One' });
    const saved = desk.queue.flush();
    await desk.saved(2, { title: 'One' });
    assert.equal(await saved, true);
    desk.queue.scheduleSave({ title: 'Two' });
    const lost = desk.queue.flush();
    await desk.answer({ kind: 'lost' });
    assert.equal(await lost, false);
  });
});
