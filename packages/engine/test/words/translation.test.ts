import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stallMs } from 'clip-testkit/stall-ms';
import { splitIntoBatches, createLibreTranslate } from '../../src/words/libretranslate.ts';
import {
  matchCode,
  findSentencesWithin,
  makeTranslatedTranscript,
  translateAnalysis,
} from '../../src/words/translation.ts';
import { fakeServer, type Asked, type Reply } from 'clip-testkit/fake-server';
import { spokenAnalysis } from 'clip-testkit/media-analysis';

const languages = [
  { code: 'en', name: 'English', targets: ['ar', 'de', 'en', 'zh-Hans'] },
  { code: 'de', name: 'German', targets: ['en', 'de'] },
];

describe('a LibreTranslate-compatible server', () => {
  const apiKey = 'translation-secret';
  const signal = new AbortController().signal;

  /** Runs with a server that gives these answers for `/translate`. */
  const against = async <T>(
    translate: (asked: Asked, count: number) => Reply | null,
    run: (translator: ReturnType<typeof createLibreTranslate>, asked: Asked[]) => Promise<T>,
  ): Promise<T> => {
    let count = 0;
    const server = await fakeServer((asked) => {
      if (asked.path.endsWith('/languages')) return { body: languages };
      count += 1;
      return translate(asked, count);
    });
    try {
      const config = { url: `${server.url}/lt/`, apiKey, timeoutMs: stallMs };
      return await run(createLibreTranslate(config), server.asked);
    } finally {
      await server.close();
    }
  };
  const shout = ({ json }: Asked): Reply => ({
    body: { translatedText: json().q.map((text: string) => text.toUpperCase()) },
  });

  it('is asked for whole lists, and answers in their order', async () => {
    await against(shout, async (translator, asked) => {
      const texts = ['One thing.', 'Another.'];
      const options = { from: 'en-US', to: 'de', signal };
      assert.deepEqual(await translator.translate(texts, options), ['ONE THING.', 'ANOTHER.']);
      const call = asked.find(({ path }) => path === '/lt/translate')!;
      assert.deepEqual(call.json(), {
        q: texts,
        source: 'en',
        target: 'de',
        format: 'text',
        api_key: apiKey,
      });
    });
  });

  it('finds the language out where it is not known', async () => {
    await against(shout, async (translator, asked) => {
      await translator.translate(['a'], { from: null, to: 'zh', signal });
      const { source, target } = asked.at(-1)!.json();
      assert.deepEqual([source, target], ['auto', 'zh-Hans']);
    });
  });

  it('gets long lists in parts, and smaller ones where they are too large for it', async () => {
    const texts = Array.from({ length: 90 }, (_, index) => `Sentence ${index}.`);
    const strict = (asked: Asked): Reply =>
      asked.json().q.length > 20
        ? { status: 400, body: { error: 'request exceeds text limit' } }
        : shout(asked);
    const shares: number[] = [];
    const result = await against(strict, (translator) =>
      translator.translate(texts, {
        from: 'en',
        to: 'de',
        signal,
        onProgress: (share) => shares.push(share),
      }),
    );
    assert.deepEqual(
      result,
      texts.map((text) => text.toUpperCase()),
    );
    assert.deepEqual([shares.length, shares.at(-1)], [3, 1]);
  });

  it('is asked for single texts where it does not know lists', async () => {
    const single = ({ json }: Asked): Reply => ({ body: { translatedText: `=${json().q}` } });
    const result = await against(single, (translator) =>
      translator.translate(['a', 'b', 'c'], { from: 'en', to: 'de', signal }),
    );
    assert.deepEqual(result, ['=a', '=b', '=c']);
  });

  it('fails with a reason, and without the key', async () => {
    const cases: [Reply, RegExp][] = [
      [{ status: 403, body: { error: `Invalid key ${apiKey}` } }, /403.*TRANSLATE_API_KEY/],
      [{ body: { translatedText: null } }, /without a translation/],
    ];
    for (const [reply, reason] of cases) {
      await assert.rejects(
        against(
          () => reply,
          (translator) => translator.translate(['a'], { from: 'en', to: 'de', signal }),
        ),
        ({ message }: Error) => {
          assert.match(message, reason);
          assert.doesNotMatch(message, /translation-secret/);
          return true;
        },
      );
    }
  });

  it('lists its target languages, and does not guess at others', async () => {
    await against(shout, async (translator) => {
      assert.deepEqual(await translator.targets(signal), ['ar', 'de', 'en', 'zh-Hans']);
      await assert.rejects(translator.translate(['a'], { from: 'en', to: 'fr', signal }), {
        message: 'The translation server does not translate to fr. Choose another language.',
      });
    });
  });
});

describe('translated words', () => {
  const analysis = spokenAnalysis(['Nobody finishes a race.', 'Why is that?', 'I do not know.']);
  const { silences, duration } = analysis;
  const transcript = analysis.transcript!;

  it('take the time of their own sentence, and say that they are estimated', () => {
    const given = ['Niemand beendet ein Rennen, das so lang ist.', 'Warum?', 'Weiß nicht.'];
    const made = makeTranslatedTranscript(transcript.sentences, given, {
      silences,
      duration,
      language: 'de',
    })!;
    assert.equal(made.language, 'de');
    assert.equal(made.estimated, true);
    assert.deepEqual(
      made.sentences.map(({ text }) => text),
      given,
    );
    made.sentences.forEach((sentence, index) => {
      const original = transcript.sentences[index]!;
      assert.ok(Math.abs(sentence.start - original.start) < 1e-6);
      assert.ok(Math.abs(sentence.end - original.end) < 1e-6);
    });
    const lengths = made.words.slice(0, 3).map(({ start, end }) => end - start);
    assert.ok(lengths[0]! > lengths[2]!, 'a longer word lasts longer');
  });

  it('keep their script and their order from right to left', () => {
    const given = ['لا أحد ينهي السباق.', 'لماذا؟', ''];
    const made = makeTranslatedTranscript(transcript.sentences, given, {
      silences,
      duration,
      language: 'ar',
    })!;
    assert.deepEqual(
      made.words.map(({ text }) => text),
      ['لا', 'أحد', 'ينهي', 'السباق.', 'لماذا؟'],
    );
  });

  it('have the speakers of their originals', async () => {
    const words = transcript.words.map((word, index) => ({
      ...word,
      speaker: index >= transcript.sentences[1]!.firstWord ? 2 : 1,
    }));
    const { transcript: made } = await translateAnalysis(
      { ...analysis, transcript: { ...transcript, words } },
      {
        ...{ to: 'de', spans: [{ start: 0, end: duration }] },
        translate: () => Promise.resolve(['Niemand beendet es.', 'Warum?', 'Weiß nicht.']),
      },
    );
    assert.deepEqual(
      made!.words.map(({ speaker }) => speaker),
      [1, 1, 1, 2, 2, 2],
    );
    assert.deepEqual([made!.turnsHeard, made!.words[3]!.opensTurn], [true, true]);
  });

  it('are asked for only where clips are', () => {
    const second = transcript.sentences[1]!;
    assert.deepEqual(findSentencesWithin(transcript, [second]), [second]);
    assert.deepEqual(findSentencesWithin(transcript, []), []);
  });

  it('are left out where there is no translation', () => {
    const known = { silences, duration, language: 'de' };
    assert.equal(makeTranslatedTranscript(transcript.sentences, ['', ' ', '…'], known), null);
  });
});

describe('requests of a translation', () => {
  it('find the code of the server', () => {
    const cases: [string, string[], string | null][] = [
      ['de', ['en', 'de'], 'de'],
      ['pt-BR', ['pt', 'pt-BR'], 'pt-BR'],
      ['pt-BR', ['pt'], 'pt'],
      ['zh', ['zh-Hans', 'zh-Hant'], 'zh-Hans'],
      ['EN_us', ['en'], 'en'],
      ['fr', ['en', 'de'], null],
      ['not a language', ['en'], null],
    ];
    for (const [wanted, codes, found] of cases) assert.equal(matchCode(wanted, codes), found);
  });

  it('are of a size that servers take', () => {
    const texts = ['x'.repeat(9000), ...Array.from({ length: 100 }, () => 'y'.repeat(90)), 'z'];
    const parts = splitIntoBatches(texts);
    assert.deepEqual(parts.flat(), texts);
    assert.deepEqual(parts[0]?.length, 1);
    for (const part of parts.slice(1)) {
      assert.ok(part.length <= 40 && part.join('').length <= 4000);
    }
    assert.deepEqual(splitIntoBatches([]), []);
  });
});
