import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { namedModels } from '../../packages/engine/src/transcribers/speech-model.ts';
import { hintsOf } from '../pages/studio/task-notes.ts';

test('a video without words comes with the one command that helps', async () => {
  const [hint, ...others] = hintsOf({ notes: [{ code: 'no-words', message: 'No words.' }] });
  assert.deepEqual(others, []);
  const [, script = '', name = ''] = /^npm run (\S+) -- (\S+)$/.exec(hint?.command ?? '') ?? [];
  const { scripts } = JSON.parse(
    await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as { scripts: Record<string, string> };
  assert.ok(scripts[script]?.endsWith('packages/engine/src/cli.ts speech-model'));
  const bytes = namedModels[name]!.files.reduce((sum, file) => sum + file.bytes, 0);
  assert.ok(hint?.text.includes(`${Math.round(bytes / 1e6)} MB`));
});

test('other notes are shown as the service writes them', () => {
  assert.deepEqual(hintsOf({ notes: [{ code: 'ranking-failed', message: 'It failed.' }] }), [
    { text: 'It failed.' },
  ]);
  assert.deepEqual(hintsOf({}), []);
});
