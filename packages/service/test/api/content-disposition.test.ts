import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostileTexts } from 'clip-testkit/hostile-texts';
import { makeContentDisposition } from '../../src/api/exports.ts';

test('a name of a clip ends no header and opens no other', () => {
  for (const text of [...hostileTexts, 'a"; filename=b.exe', 'a\r\nSet-Cookie: x=1']) {
    assert.match(
      makeContentDisposition(text),
      /^attachment; filename="[A-Za-z0-9._-]+\.mp4"(; filename\*=UTF-8''[A-Za-z0-9%._~-]+)?$/,
      text,
    );
  }
});

test('letters of other languages are kept in filename*, and only then is there one', () => {
  const disposition = makeContentDisposition('Top 5: 100% (ok)');
  assert.equal(disposition, 'attachment; filename="Top_5__100___ok_.mp4"');
  assert.equal(
    makeContentDisposition('Früh/跑步'),
    `attachment; filename="Fr_h___.mp4"; filename*=UTF-8''Fr%C3%BCh_%E8%B7%91%E6%AD%A5.mp4`,
  );
});
