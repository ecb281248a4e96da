import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeContentDisposition } from '../../src/routes/download.ts';

const cases: [name: string, ascii: string, full: string][] = [
  ['Clip no. 1', 'Clip_no._1', 'Clip%20no.%201'],
  ['harbour.mp4', 'harbour', 'harbour'],
  ['harbour.MP4', 'harbour', 'harbour'],
  ['setup.exe', 'setup.exe', 'setup.exe'],
  ['Make $$$ fast', 'Make_____fast', 'Make%20%24%24%24%20fast'],
  ['Ökö', '_k_', '%C3%96k%C3%B6'],
  ['ميناء', '_____', '%D9%85%D9%8A%D9%86%D8%A7%D8%A1'],
  ["It's (1)*", 'It_s__1__', 'It%27s%20%281%29_'],
  ['a"; filename="b', 'a___filename__b', 'a_%3B%20filename%3D_b'],
  ['a\r\nSet-Cookie: b=1', 'a__Set-Cookie__b_1', 'a__Set-Cookie_%20b%3D1'],
  ['../../etc/passwd', '_.._etc_passwd', '_.._etc_passwd'],
  ['gpj\u202egnp', 'gpj_gnp', 'gpj_gnp'],
  ['half \ud800', 'half__', 'half%20_'],
  ['', 'clip', 'clip'],
  [' .. ', 'clip', 'clip'],
  ['.mp4', 'clip', 'clip'],
  ['😀'.repeat(90), '_'.repeat(80), '%F0%9F%98%80'.repeat(80)],
];

describe('Content-Disposition of a download', () => {
  for (const [name, ascii, full] of cases) {
    it(`of ${JSON.stringify(name)}`, () => {
      const value = makeContentDisposition(name);
      assert.equal(value, `attachment; filename="${ascii}.mp4"; filename*=UTF-8''${full}.mp4`);
      assert.equal(new Headers({ 'Content-Disposition': value }).get('Content-Disposition'), value);
    });
  }
});
