import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { downloadFileName } from '../../src/contract/index.ts';

describe('file name of a download (4.10)', () => {
  for (const [name, file] of [
    ['clip', 'clip.mp4'],
    ['Clip no. 1', 'Clip_no._1.mp4'],
    ['A-b_c.9', 'A-b_c.9.mp4'],
    ['Grüße aus Köln', 'Gr__e_aus_K_ln.mp4'],
    ['💡 idea', '__idea.mp4'],
    ['../../etc/passwd', '.._.._etc_passwd.mp4'],
    ['"; filename="x.exe', '___filename__x.exe.mp4'],
    ['a\r\nSet-Cookie: b', 'a__Set-Cookie__b.mp4'],
    ['', '.mp4'],
  ] as const) {
    it(`of ${JSON.stringify(name)} is ${file}`, () => assert.equal(downloadFileName(name), file));
  }
});
