import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostileTexts } from '../../../engine/test/support/hostile-texts.ts';
import { contentDisposition } from '../../src/http/routes/download.ts';

test('a name of a clip ends no header and opens no other', () => {
  for (const text of [...hostileTexts, 'a"; filename=b.exe', 'a\r\nSet-Cookie: x=1']) {
    assert.match(
      contentDisposition(text),
      /^attachment; filename="[A-Za-z0-9._-]+\.mp4"(; filename\*=UTF-8''[A-Za-z0-9%._~-]+)?$/,
      text,
    );
  }
});
