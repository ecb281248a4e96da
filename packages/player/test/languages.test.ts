import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { describe, it } from 'node:test';
import ar from '../src/locales/editor-ar.json' with { type: 'json' };
import de from '../src/locales/editor-de.json' with { type: 'json' };
import en from '../src/locales/editor-en.json' with { type: 'json' };
import es from '../src/locales/editor-es.json' with { type: 'json' };
import fr from '../src/locales/editor-fr.json' with { type: 'json' };
import ja from '../src/locales/editor-ja.json' with { type: 'json' };
import pt from '../src/locales/editor-pt.json' with { type: 'json' };
import zh from '../src/locales/editor-zh.json' with { type: 'json' };
import { locales } from '../src/locales/all.ts';
import {
  chooseLanguage,
  directionOf,
  editorLanguages,
  languageOf,
  languages,
} from '../src/locales/languages.ts';

const editorTexts = { ar, de, en, es, fr, ja, pt, zh };

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
      assert.equal(languageOf(tag), language, tag);
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
    const found = languages.filter((one) => directionOf(one) === 'rtl');
    assert.deepEqual(found, ['ar', 'he']);
  });

  it('are those of the elements', async () => {
    const files = await readdir(new URL('../../../src/locales/', import.meta.url));
    const ofElements = files.map((file) => /^([a-z]{2})\.ts$/.exec(file)?.[1]).filter(Boolean);
    assert.deepEqual([...languages], [...ofElements, 'en'].sort());
  });

  for (const language of languages.filter((one) => one !== 'en')) {
    it(`${language} has every text, with the same values`, () => {
      const editor = editorLanguages.find((one) => one === language);
      const pairs: [Record<string, string>, Record<string, string>][] = [
        [locales.en, locales[language]],
        ...(editor ? [[en, editorTexts[editor]] as [typeof en, typeof en]] : []),
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
