import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shortenCss } from '../../tools/short-css.ts';

describe('shortCss', () => {
  it('drops comments, indentation and the last semicolon', () => {
    assert.equal(
      shortenCss(`
        /* why */
        a,
        b::before {
          color: red;
          inset: auto 0 0;
        }
      `),
      'a,b::before{color:red;inset:auto 0 0}',
    );
  });

  it('writes numbers, names in brackets and !important as short as they go', () => {
    assert.equal(
      shortenCss("[part='a-b'] { margin: 0.5rem 10.5px !important }"),
      '[part=a-b]{margin:.5rem 10.5px!important}',
    );
    assert.equal(shortenCss("[title='a b']{top:0}"), "[title='a b']{top:0}");
  });

  it('drops the blanks around a combinator and a slash', () => {
    assert.equal(shortenCss('a > b { grid-area: 1 / 2 }'), 'a>b{grid-area:1/2}');
  });

  it('keeps the blanks that mean something', () => {
    const text = ':host :hover>.a{width:calc(1px + 2 * 3px);font:500 1rem/1.4 var(--f,serif)}';
    assert.equal(shortenCss(text), text);
    assert.equal(
      shortenCss('@media (prefers-reduced-motion: reduce) { a :focus { b: c } }'),
      '@media (prefers-reduced-motion:reduce){a :focus{b:c}}',
    );
  });
});
