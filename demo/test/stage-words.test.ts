import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Task } from 'clip-kit/contract';
import { percent, stageWords, stepsOf, timeLeft } from '../pages/studio/stage-words.ts';

const task = (progress: Task['progress'], status: Task['status'] = 'processing'): Task => ({
  id: 'a',
  type: 'video-to-shorts',
  status,
  created_at: '2026-01-31T10:00:00Z',
  output_type: 'folder',
  output_id: 'b',
  progress,
});
const at = (stage: string, share = 0.5, left: number | null = null) =>
  task({ stage, share, seconds_left: left });

describe('the words for a task’s progress', () => {
  it('name every stage, and one that is new to them', () => {
    const stages = ['queued', 'ingest', 'scan', 'transcript', 'candidates', 'preview'];
    const said = stages.map((stage) => stageWords(at(stage)));
    assert.equal(new Set(said).size, stages.length);
    assert.ok(!said.includes('Working on it'));
    assert.equal(stageWords(at('polish')), 'Working on it');
    assert.equal(stageWords(task(null, 'ready')), 'Done');
  });

  it('never say 100 % before it is done', () => {
    assert.equal(percent(at('preview', 0.999)), 99);
    assert.equal(percent(at('preview', 1)), 99);
    assert.equal(percent(task(null, 'ready')), 100);
    assert.equal(percent(task(undefined)), null);
  });

  it('say how long it takes no finer than a guess can', () => {
    const said = (seconds: number) => timeLeft(at('preview', 0.5, seconds));
    assert.equal(said(0), 'A few seconds left');
    assert.equal(said(8), 'About 10 seconds left');
    assert.equal(said(43), 'About 45 seconds left');
    assert.equal(said(56), 'About a minute left');
    assert.equal(said(89), 'About a minute left');
    assert.equal(said(400), 'About 7 minutes left');
    assert.equal(said(3600), 'About an hour left');
    assert.equal(said(5400), 'About 1.5 hours left');
    assert.equal(timeLeft(at('scan')), null);
    assert.equal(timeLeft(task({ stage: 'scan', share: 0.2 })), null);
    assert.equal(timeLeft(task(null, 'ready')), null);
  });

  it('show the steps done, the one under way, and the rest', () => {
    assert.deepEqual(
      stepsOf(at('transcript')).map(({ state }) => state),
      ['done', 'done', 'now', 'later', 'later'],
    );
    assert.ok(stepsOf(at('queued')).every(({ state }) => state === 'later'));
    assert.deepEqual(stepsOf(at('polish')), []);
    assert.deepEqual(stepsOf(task(null, 'ready')), []);
  });
});
