import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shortenHtml } from '../../tools/short-html.ts';

describe('shortHtml', () => {
  it('drops indentation between tags and values', () => {
    assert.deepEqual(shortenHtml(['<ul>\n  <li>\n    ', '\n  </li>\n  ', '\n</ul>']), [
      '<ul><li>',
      '</li>',
      '</ul>',
    ]);
  });

  it('keeps a blank between attributes, also around values, and none at the end of a tag', () => {
    assert.deepEqual(
      shortenHtml(['<a\n  part="open"\n  href=', '\n  @click=', '\n  >', '</a\n>']),
      ['<a part="open" href=', ' @click=', '>', '</a>'],
    );
  });

  it('keeps blanks in a line', () => {
    assert.deepEqual(shortenHtml(['<b>Two words</b> <i>: ', '</i>']), [
      '<b>Two words</b> <i>: ',
      '</i>',
    ]);
  });
});
