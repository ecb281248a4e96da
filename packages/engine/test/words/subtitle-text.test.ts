import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { subtitleLanguage } from '../../src/words/subtitle-text.ts';
import { parseSubtitles } from '../../src/words/subtitles.ts';

async function languageOf(header: string, ...sentences: string[]): Promise<string | null> {
  const cues = sentences.map((text, index) => `00:0${index}.000 --> 00:0${index + 1}.000\n${text}`);
  const text = [header, ...cues].join('\n\n');
  return subtitleLanguage(text, await parseSubtitles(text));
}

const german = [
  'Niemand ging in diesem Jahr über die alte Brücke.',
  'Sie war im Frühling gesperrt.',
];

describe('the language of subtitles', () => {
  it('is what their header says', async () => {
    assert.equal(await languageOf('WEBVTT\nKind: captions\nLanguage: pt-BR', ...german), 'pt-BR');
  });

  it('is that of the words, where the header says nothing', async () => {
    assert.equal(await languageOf('WEBVTT', ...german), 'de');
    assert.equal(await languageOf('WEBVTT', 'Nobody crossed the old bridge in that year.'), 'en');
    assert.equal(
      await languageOf('WEBVTT', '去年没有人从那座旧桥上走过去，因为它已经关闭了。'),
      'zh',
    );
  });

  it('is not guessed from a word, and a sentence does not state it', async () => {
    assert.equal(await languageOf('WEBVTT', 'No.'), null);
    assert.equal(await languageOf('WEBVTT', 'Language: en', ...german), 'de');
  });
});
