import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { load } from '../../src/locales/loaders.ts';
import type { Locale } from '../../src/locales/messages.ts';
import { english } from './english.ts';

const root = new URL('../../', import.meta.url);
const keys = Object.keys(english) as (keyof Locale)[];
const files = (await readdir(new URL('src/locales/', root)))
  .map((file) => /^([a-z]{2}(?:-[a-z]{2})?)\.json$/.exec(file)?.[1])
  .filter((name) => name !== undefined);

const placeholders = (text: string): string[] => text.match(/\{[^}]*\}/g) ?? [];

/** The parts of a language's texts that are not in its own script. */
const script: Readonly<Record<string, RegExp>> = {
  ar: /\p{Script=Arabic}/u,
  he: /\p{Script=Hebrew}/u,
  hi: /\p{Script=Devanagari}/u,
  ja: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u,
  ko: /\p{Script=Hangul}/u,
  ru: /\p{Script=Cyrillic}/u,
  uk: /\p{Script=Cyrillic}/u,
  zh: /\p{Script=Han}/u,
};

/** Words that a language shares with English. */
const same = new Set([
  'de announce-clips',
  'de announce-share',
  'es announce-clips',
  'fr create-options',
  'fr create-portrait',
  'fr create-style',
  'id create-emoji',
  'it create-emoji',
]);

async function loadLocale(name: string): Promise<Locale> {
  const { promise, resolve } = Promise.withResolvers<Locale>();
  await load(name, resolve);
  return promise;
}

describe('the kit’s locales', () => {
  it('are those that are loaded', async () => {
    const loaders = await readFile(new URL('src/locales/loaders.ts', root), 'utf8');
    const listed = [...loaders.matchAll(/import\('\.\/([\w-]+)\.json'/g)].map(([, name]) => name);
    assert.deepEqual([...new Set(listed)].sort(), files.sort());
    assert.equal(files.length, 20);
  });

  for (const name of files) {
    describe(name, async () => {
      const locale = await loadLocale(name);

      it('has each text that there is, and no other', () => {
        assert.deepEqual(Object.keys(locale).sort(), [...keys].sort());
      });

      it('has values where English has them', () => {
        for (const key of keys) {
          assert.deepEqual(placeholders(locale[key]), placeholders(english[key]), key);
        }
      });

      it('leaves no text in English', () => {
        for (const key of keys) {
          if (!same.has(`${name} ${key}`)) assert.notEqual(locale[key], english[key], key);
          if (script[name]) assert.match(locale[key], script[name], key);
          assert.doesNotMatch(locale[key], /\b(the|this|your|exporting|exported)\b/, key);
        }
      });

      it('is trimmed, has one character for an ellipsis, and ends sentences where English does', () => {
        for (const key of keys) {
          assert.equal(locale[key], locale[key].trim(), key);
          assert.doesNotMatch(locale[key], /\.\.|'|  /, key);
          assert.equal(/[.。।]$/.test(locale[key]), /\.$/.test(english[key]), key);
          assert.equal(locale[key].includes('…'), english[key].includes('…'), key);
        }
      });
    });
  }

  it('French puts a narrow space that does not break before high punctuation', async () => {
    const french = await loadLocale('fr');
    for (const key of keys) assert.doesNotMatch(french[key], /[^\u202f][:;!?]/, key);
  });

  it('Portuguese outside of Brazil has only what differs', async () => {
    const own = await readFile(new URL('src/locales/pt-pt.json', root), 'utf8');
    const brazil = await loadLocale('pt');
    for (const [key, said] of Object.entries(JSON.parse(own) as Locale)) {
      assert.notEqual(said, brazil[key as keyof Locale], key);
    }
  });

  it('English in the sources is as in this test’s list', async () => {
    const directories = ['src/elements/', 'src/client/'];
    const sources = await Promise.all(
      directories.map(async (directory) => {
        const all = await readdir(new URL(directory, root), { recursive: true });
        const names = all.filter((name) => name.endsWith('.ts'));
        return Promise.all(names.map((file) => readFile(new URL(directory + file, root), 'utf8')));
      }),
    );
    const said = [
      ...sources
        .flat()
        .join('\n')
        .matchAll(/\.text\(\s*'(?<key>[\w-]+)',\s*(['"])(?<words>.*?)\2/g),
    ];
    assert.ok(said.length > 10);
    for (const { groups } of said) {
      const { key = '', words } = groups ?? {};
      assert.equal(words, english[key as keyof Locale], key);
    }
  });
});
