import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unsupported } from '../../src/http/unsupported.ts';

test('what is not there yet is refused only where it is asked for', () => {
  assert.deepEqual(unsupported({ source_video_url: 'http://x/' }), []);
  assert.deepEqual(unsupported({ editing_options: { emojis: true } }), []);
  assert.deepEqual(
    unsupported({ translate_to: 'de', style_preset_id: 's' }).map(({ path }) => path),
    ['translate_to'],
  );
  const withServer = unsupported({ translate_to: 'de' }, { translate: true });
  assert.deepEqual(withServer, []);
  assert.match(unsupported({ translate_to: 'de' })[0]?.message ?? '', /TRANSLATE_URL/);
});
