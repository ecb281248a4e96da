import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { english } from '../locales/english.ts';

const page = await readFile(new URL('../../docs/elements/errors.md', import.meta.url), 'utf8');
const sections = page
  .split(/^## /m)
  .slice(1)
  .map((text) => ({ code: text.split('\n', 1)[0]!, text }));

/** The place where the codes are listed compares them: `test/define/entries.test.ts`. */
describe('docs/elements/errors.md', () => {
  for (const { code, text } of sections) {
    it(`${code}: what it means, what is shown, what to do`, () => {
      assert.match(text, /^[\w-]+\n[A-Z`<].{20,}\n\n- Shown: .{15,}\n- To do: .{3,}\n/);
    });

    const shown = (english as Readonly<Record<string, string>>)[code];
    if (shown) {
      it(`${code}: quotes the text that is shown`, () => assert.ok(text.includes(`“${shown}”`)));
    }
  }

  it('a code that the locales leave in English is said to be', () => {
    for (const { code, text } of sections) {
      assert.equal(text.includes('In English in every language'), !(code in english), code);
    }
  });
});
