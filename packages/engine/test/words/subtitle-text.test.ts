import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  decodeText,
  detectSubtitleLanguage,
  UnreadableText,
} from '../../src/words/subtitle-text.ts';
import { parseSubtitles } from '../../src/words/subtitles.ts';

async function languageOf(header: string, ...sentences: string[]): Promise<string | null> {
  const cues = sentences.map((text, index) => `00:0${index}.000 --> 00:0${index + 1}.000\n${text}`);
  const text = [header, ...cues].join('\n\n');
  return detectSubtitleLanguage(text, await parseSubtitles(text));
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

const said = '1\n00:00:01,000 --> 00:00:03,000\nÜber die Brücke ging “niemand”.\n';
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16();

/** Bytes of a text in an encoding of one byte a letter, by the decoder of the platform. */
function bytesIn(encoding: string, text: string): Uint8Array {
  const table = new Map<string, number>();
  for (let byte = 255; byte >= 0; byte--) {
    table.set(new TextDecoder(encoding).decode(Uint8Array.of(byte)), byte);
  }
  return Uint8Array.from(text, (letter) => table.get(letter)!);
}

describe('a text file', () => {
  for (const [name, bytes] of [
    ['UTF-8', Buffer.from(said)],
    ['UTF-8 with a mark', Buffer.from(`\uFEFF${said}`)],
    ['UTF-16 with a mark', utf16(`\uFEFF${said}`)],
    ['UTF-16 of the other order', swapped(utf16(`\uFEFF${said}`))],
    ['UTF-16 without a mark', utf16(said)],
    ['UTF-16 of the other order without a mark', swapped(utf16(said))],
    ['windows-1252', bytesIn('windows-1252', said)],
  ] as const) {
    it(`is read in ${name}`, async () => assert.equal(await decodeText(bytes), said));
  }

  it('of Chinese in UTF-16 without a mark is read by its times and line ends', async () => {
    const text = '1\n00:00:01,000 --> 00:00:03,000\n没有人从那座旧桥上走过去，因为它已经关闭了。\n';
    assert.equal(await decodeText(utf16(text)), text);
  });

  for (const [encoding, text] of [
    ['windows-1252', 'Schön.'],
    ['windows-1252', 'Où es-tu allé hier ? Ça ne me plaît pas, garçon.'],
    ['windows-1252', 'It’s a “café”, you know.'],
    ['windows-1250', 'Dziękuję bardzo. Już idę, kochanie!'],
    ['windows-1250', 'Nevím, co se stalo včera večer, příteli.'],
    ['windows-1250', 'Nem tudom, mit csináljak ma este. Őszintén köszönöm!'],
    ['iso-8859-2', 'Żółta łódź płynie po rzece, gdzie jest świat.'],
    ['windows-1251', 'Да. Нет, спасибо.'],
    ['windows-1251', 'ЧТО ТЫ ДЕЛАЕШЬ? УХОДИ ОТСЮДА!'],
    ['windows-1251', 'Я не знаю, що робити сьогодні ввечері, їжачку.'],
    ['koi8-r', 'Никто не перешёл старый мост весной, потому что он был закрыт.'],
    ['ibm866', 'Никто не перешёл старый мост весной, потому что он был закрыт.'],
    ['windows-1253', 'Δεν ξέρω τι να κάνω απόψε, ευχαριστώ πολύ.'],
    ['windows-1254', 'Teşekkür ederim. Güneş doğdu, şimdi ne yapacağımı bilmiyorum.'],
    ['windows-1255', 'אני לא יודע מה לעשות הערב, תודה רבה.'],
    ['windows-1256', 'لا أعرف ماذا أفعل الليلة، شكرا جزيلا لك.'],
    ['windows-1257', 'Nežinau, ką veikti šį vakarą, labai ačiū tau už viską.'],
  ] as const) {
    it(`is read in ${encoding}: ${text}`, async () => {
      const file = `1\n00:00:01,000 --> 00:00:03,000\n${text}\n`;
      assert.equal(await decodeText(bytesIn(encoding, file)), file);
    });
  }

  it('whose encoding cannot be told is refused, and never read as wrong letters', async () => {
    const noise = Uint8Array.from({ length: 400 }, (_, index) => 128 + ((index * 37) % 128));
    await assert.rejects(decodeText(noise), (error: Error) => {
      assert.ok(error instanceof UnreadableText);
      assert.match(error.message, /not in UTF-8.*Save the file as UTF-8/);
      return true;
    });
  });

  it('that breaks its own encoding is refused by its name', async () => {
    const cut = Buffer.concat([Buffer.from([0xff, 0xfe]), utf16('ab'), Buffer.from([0xd8])]);
    await assert.rejects(decodeText(cut), /UTF-16LE/);
  });
});
