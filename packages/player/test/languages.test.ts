import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { locales } from '../src/locales/all.ts';
import {
  chooseLanguage,
  getDirection,
  findLanguage,
  languages,
  type Language,
} from '../src/locales/languages.ts';

const read = async (language: Language) =>
  JSON.parse(
    await readFile(new URL(`../src/locales/editor-${language}.json`, import.meta.url), 'utf8'),
  ) as Record<string, string>;

const placeholders = (text: string): string[] => (text.match(/\{\d\}/g) ?? []).sort();

describe('the languages of the pages', () => {
  it('are those of a tag, also with a region', () => {
    for (const [tag, language] of [
      ['de', 'de'],
      ['pt-BR', 'pt'],
      ['AR-eg', 'ar'],
      ['zh-CN', 'zh'],
      ['zh-Hans-SG', 'zh'],
      ['zh-TW', null],
      ['zh-Hant', null],
      ['den', null],
      ['nl-BE', 'nl'],
      ['he', 'he'],
      ['fi', null],
      ['', null],
      ['__proto__', null],
    ] as const) {
      assert.equal(findLanguage(tag), language, tag);
    }
  });

  it('are chosen by the address, then by the reader', () => {
    for (const [asked, accepted, language] of [
      ['fr', 'de', 'fr'],
      ['fi', 'de', 'en'],
      [undefined, 'fi, en;q=0.5, de;q=0.9', 'de'],
      ['', 'es-MX', 'es'],
      [undefined, 'de;q=0, ja', 'ja'],
      [undefined, '*', 'en'],
      [undefined, ';;,=q', 'en'],
      [undefined, undefined, 'en'],
      [undefined, 'x,'.repeat(100_000), 'en'],
    ] as const) {
      assert.equal(chooseLanguage(asked, accepted), language, `${asked} ${accepted?.slice(0, 40)}`);
    }
  });

  it('are written from right to left in Arabic and Hebrew', () => {
    const found = languages.filter((one) => getDirection(one) === 'rtl');
    assert.deepEqual(found, ['ar', 'he']);
  });

  it('are those of the elements', async () => {
    const files = await readdir(new URL('../../../src/locales/', import.meta.url));
    const ofElements = files.map((file) => /^([a-z]{2})\.json$/.exec(file)?.[1]).filter(Boolean);
    assert.deepEqual([...languages], [...ofElements, 'en'].sort());
  });

  for (const language of languages.filter((one) => one !== 'en')) {
    it(`${language} has every text, with the same values`, async () => {
      const pairs: [Record<string, string>, Record<string, string>][] = [
        [locales.en, locales[language]],
        [await read('en'), await read(language)],
      ];
      for (const [key, english, text] of pairs.flatMap(([first, own]) =>
        Object.entries(first).map(([key, english]) => [key, english, own[key]!] as const),
      )) {
        assert.ok(text.trim(), key);
        assert.deepEqual(placeholders(text), placeholders(english), key);
        assert.ok(!text.includes("'"), `${key}: a straight apostrophe`);
      }
    });
  }
});
