import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type SourceRange,
  videoToShortsRequestSchema,
  videoToVideoRequestSchema,
} from '../../src/contract/task.ts';
import { createBody, type CreateChoices } from '../../src/flow/create-request.ts';

const choices: CreateChoices = {
  kind: 'shorts',
  count: null,
  length: null,
  language: null,
  translateTo: null,
  shape: null,
  noCaptions: false,
  noEmojis: false,
  noTitle: false,
  removeSilences: false,
  removeFillers: false,
  presetId: null,
  topics: null,
};
const source = { source_video_url: 'https://videos.example/a.mp4' };

describe('the request for a task', () => {
  it('fits the contract, whatever is chosen', () => {
    for (const count of [null, 0, 3, 1000, 2.4]) {
      for (const length of [null, 0.2, 30, 119, 5000]) {
        const body = createBody({ ...choices, count, length }, 'n');
        assert.ok(videoToShortsRequestSchema.safeParse({ ...source, ...body }).success);
      }
    }
    const video = createBody({ ...choices, kind: 'video', count: 3, shape: '16:9' }, '');
    assert.ok(videoToVideoRequestSchema.safeParse({ ...source, ...video }).success);
  });

  it('names the removal of fillers only if it is asked for: the specification has none', () => {
    const optionsOf = (removeFillers: boolean) =>
      (createBody({ ...choices, removeFillers }, 'n') as Record<string, object>)[
        'editing_options'
      ]!;
    assert.ok(!('remove_fillers' in optionsOf(false)));
    assert.deepEqual({ ...optionsOf(false), remove_fillers: true }, optionsOf(true));
  });

  it('has the topics of a text, and the range, only where there are some', () => {
    const body = (changes: Partial<CreateChoices>, range?: SourceRange) =>
      createBody({ ...choices, ...changes }, 'n', range) as Record<string, unknown>;
    const topics = ' bees, machine learning;bees , …,気候、経済';
    assert.deepEqual(body({ topics })['topics'], ['bees', 'machine learning', '気候', '経済']);
    for (const none of [null, '', ' , ;', '…']) assert.ok(!('topics' in body({ topics: none })));
    assert.ok(
      !('topics' in body({ topics, kind: 'video' })),
      'one video is about what it is about',
    );
    const many = Array.from({ length: 30 }, (_, at) => `${'x'.repeat(200)}${at}`).join(',');
    const range = { start: 5, end: 65 };
    const full = { ...source, ...body({ topics: many }, range) };
    assert.ok(videoToShortsRequestSchema.safeParse(full).success);
    assert.deepEqual(body({}, range)['source_range'], range);
    assert.ok(!('source_range' in body({})));
  });

  it('lets a clip be half as long as wished, or one and a half times', () => {
    const { min_duration, target_duration, max_duration } = createBody(
      { ...choices, length: 60 },
      'n',
    ) as Record<string, unknown>;
    assert.deepEqual([min_duration, target_duration, max_duration], [30, 60, 90]);
  });
});
