import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseSubtitles } from '../../src/words/subtitles.ts';

const clock = (seconds: number, mark = ','): string =>
  new Date(seconds * 1000).toISOString().slice(11, 23).replace('.', mark);

/** A SubRip file with a cue of two seconds for each text. */
const srt = (...texts: string[]): string =>
  texts
    .map((text, at) => `${at + 1}\n${clock(2 * at)} --> ${clock(2 * at + 2)}\n${text}\n`)
    .join('\n');

/** The words of a file, with a stroke before each that opens a turn, and one line for each cue. */
async function read(file: string, language?: string): Promise<string> {
  const cues = await parseSubtitles(file, language);
  const lines = cues.map(({ words }) =>
    words.map(({ text, opensTurn }) => (opensTurn ? `|${text}` : text)).join(' '),
  );
  return lines.filter(Boolean).join('\n');
}

type Row = readonly [file: string, read: string, language?: string];

function reads(what: string, rows: readonly Row[]): void {
  describe(what, () => {
    for (const [file, expected, language] of rows) {
      it(JSON.stringify(file.slice(0, 120)), async () =>
        assert.equal(await read(file, language), expected),
      );
    }
  });
}

reads('marks that stand alone are as written', [
  [srt('Pourquoi tu pars ? Je ne sais pas !'), 'Pourquoi tu pars ? Je ne sais pas !'],
  [srt('Il a 20 % et 30 €.', '« Bonjour », dit-il.'), 'Il a 20 % et 30 €.\n« Bonjour », dit-il.'],
  [srt('Johnson & Johnson', '5 + 3 = 8'), 'Johnson & Johnson\n5 + 3 = 8'],
  [srt('-5 degrees', '- 5 degrees'), '-5 degrees\n|5 degrees'],
  [srt('Well ... yes : no ; so'), 'Well ... yes : no ; so'],
]);

reads('names of speakers are turns, and never shown', [
  [srt('Speaker 1: Hello', 'Speaker 2: Hi'), '|Hello\n|Hi'],
  [srt('MAN:\nHello', 'It is late.'), '|Hello\nIt is late.'],
  [srt('[SPEAKER_00]: Hello', '[SPEAKER_01]: Hi'), '|Hello\n|Hi'],
  [srt('[John] Hello', '[Mary] Hi', '[John] Yes', '[Mary] No'), '|Hello\n|Hi\n|Yes\n|No'],
  [srt('(JOHN) Hello', '(MARY) Hi', '(JOHN) Yes'), '|Hello\n|Hi\n|Yes'],
  [srt('JOHN (WHISPERING): Hello', 'It is late.'), '|Hello\nIt is late.'],
  [
    srt('Anna van der Berg: Hello', 'Bob: Hi', 'Anna van der Berg: Yes', 'Bob: No'),
    '|Hello\n|Hi\n|Yes\n|No',
  ],
  [srt('anna: hello', 'bob: hi', 'anna: yes', 'bob: no'), '|hello\n|hi\n|yes\n|no'],
  [srt('anna: hello', 'hi', 'anna: yes', 'anna: no'), '|hello\nhi\nyes\nno'],
  [srt('(太郎)はい', '（笑）いいえ', '（店員）どうぞ'), '|はい\nいいえ\n|どうぞ'],
  [srt('-Ja. -Nein.', 'Gut - sehr gut.'), '|Ja. |Nein.\nGut - sehr gut.'],
  [srt('\u200f- שלום', '\u200f- היי'), '|שלום\n|היי'],
  [
    srt('Remember: it is late.', 'Look: a bird.', 'Go.'),
    'Remember: it is late.\nLook: a bird.\nGo.',
  ],
  [srt('Sprecher 1: Guten Tag', 'Sprecher 2: Hallo'), '|Guten Tag\n|Hallo'],
]);

const one = '00:00:01,000 --> 00:00:02,000';
const two = '00:00:03,000 --> 00:00:04,000';

reads('the borders of cues', [
  [`1\n${one}\nHello\n \n2\n${two}\nyou\n`, 'Hello\nyou'],
  [`1\n${one}\nHello\n2\n${two}\nyou\n`, 'Hello\nyou'],
  [`${one}\nHello\n${two}\nyou\n`, 'Hello\nyou'],
  ['WEBVTT\n\n00:01.000-->00:03.000\nHello\n', 'Hello'],
  ['WEBVTT\n\n00:00:01,000 --> 00:00:03,000\nHello\n', 'Hello'],
  [`1\n00:00:01,000 -- > 00:00:02,000\nHello\n`, 'Hello'],
  [`1\n00:00:01,000 00:00:02,000\nHello\n`, 'Hello'],
  [`1\n${one}\nHello\n\nworld\n\n2\n${two}\nyou\n`, 'Hello world\nyou'],
  [`1\r${one}\rHello\r\r2\r${two}\ryou\r`, 'Hello\nyou'],
  [`1\n\n${one}\n\nHello\n\n2\n\n${two}\n\nyou\n`, 'Hello\nyou'],
  [`1\n${one}\nBorn in\n1984\n\n2\n${two}\n42\n`, 'Born in 1984\n42'],
  ['1\n00:00:01,50 --> 00:00:02,75\nHello\n', 'Hello'],
  ['WEBVTT\n\nNOTE\nsecret\n\nid\n00:01.000 --> 00:02.000\nHello\n\nSTYLE\n::cue {}\n', 'Hello'],
  [
    'WEBVTT\n\n-->\n00:00.000 --> 00:01.000\nHello\nfoo-->\n00:02.000 --> 00:03.000\nyou\n',
    'Hello\nyou',
  ],
  [
    `1\n00:00:00,000 --> 00:00:10,000\nOne two three\n\n2\n00:00:03,000 --> 00:00:06,000\nfour five\n`,
    'One two three\nfour five',
  ],
  [
    `1\n00:00:00,000 --> 00:00:04,000\nOne two three\n\n2\n00:00:02,000 --> 00:00:06,000\nfour five\n`,
    'One two three\nfour five',
  ],
]);

it('a cue inside another has its own time', async () => {
  const cues = await parseSubtitles(
    '1\n00:00:00,000 --> 00:00:10,000\nOne two three\n\n2\n00:00:03,000 --> 00:00:06,500\nfour\n',
  );
  assert.deepEqual(
    cues.map(({ start, end }) => [start, end]),
    [
      [0, 3],
      [3, 6.5],
    ],
  );
});

reads('captions that grow or roll have each word once', [
  [srt('and', 'and so', 'and so we', 'and so we went'), 'and\nso\nwe\nwent'],
  [
    srt(
      'we crossed the old',
      'crossed the old bridge',
      'the old bridge in spring',
      'bridge in spring and then',
    ),
    'we crossed the old\nbridge\nin spring\nand then',
  ],
  [srt('A B', 'A B\nC D', 'A B\nC D\nE F', 'C D\nE F\nG H'), 'A B\nC D\nE F\nG H'],
  [
    srt('and we cro', 'and we crossed', 'and we crossed the br', 'and we crossed the bridge'),
    'and we crossed\nthe bridge',
  ],
  [
    srt('we went to the', 'the river and swam', 'swam until it was', 'was dark and cold', 'cold.'),
    'we went to the\nriver and swam\nuntil it was\ndark and cold',
  ],
  [srt('No.', 'No.', 'No.'), 'No.\nNo.\nNo.'],
]);

it('the words of Whisper’s highlighted cues have their own times', async () => {
  const shown = ['<u>Hello</u> big world', 'Hello <u>big</u> world', 'Hello big <u>world</u>'];
  const [cue, ...others] = await parseSubtitles(srt(...shown));
  assert.equal(others.length, 0);
  assert.deepEqual(
    cue!.words.map(({ text, start }) => [text, start]),
    [
      ['Hello', 0],
      ['big', 2],
      ['world', 4],
    ],
  );
});

reads('what is not spoken', [
  [
    srt('( clock ticking )', 'Hello (sighs) you', '*music*', 'I *really* mean it'),
    'Hello you\nI really mean it',
  ],
  [srt('{Y:i}Hello', '{\\an8}you', 'm 0 0 l 100 0 100 50'), 'Hello\nyou'],
  [srt('<ruby>漢字<rt>かんじ</rt></ruby>', '漢字(かんじ)'), '漢字\n漢字'],
  [
    srt('Tom &amp;amp; Jerry', '[&nbsp;__&nbsp;] you', '&lt;i&gt;Hi&lt;/i&gt;'),
    'Tom & Jerry\nyou\nHi',
  ],
  [srt('Hello', 'a', 'b', 'c', 'Subtitles by the Amara.org community'), 'Hello\na\nb\nc'],
  [srt('Hallo', 'a', 'b', 'c', 'Untertitel im Auftrag des ZDF, 2020'), 'Hallo\na\nb\nc'],
  [
    srt('a', 'b', 'c', 'd', 'www.OpenSubtitles.org', 'Go to www.example.com.', 'e', 'f', 'g'),
    'a\nb\nc\nd\nGo to www.example.com.\ne\nf\ng',
  ],
  [srt('The World Health Organization (WHO) knows.'), 'The World Health Organization (WHO) knows.'],
]);

const english = [
  'How are you doing today?',
  'I am very well, thank you.',
  'Where do you live now?',
];
const german = [
  'Wie geht es dir heute?',
  'Mir geht es sehr gut, danke.',
  'Wo wohnst du denn jetzt?',
];
const chinese = ['你今天好吗', '我很好谢谢', '你现在住在哪里'];
const both = (a: readonly string[], b: readonly string[]): string =>
  srt(...a.map((line, at) => `${line}\n${b[at]}`));

const inCuesBeside = (a: readonly string[], b: readonly string[]): string =>
  a
    .flatMap((line, at) => [
      `${clock(2 * at)} --> ${clock(2 * at + 1.9)}\n${line}\n`,
      `${clock(2 * at + 0.04)} --> ${clock(2 * at + 1.8)}\n${b[at]}\n`,
    ])
    .join('\n');

reads('of two languages in each cue or in cues of one time, one is read', [
  [inCuesBeside(english, german), english.join('\n')],
  [inCuesBeside(english, chinese), english.join('\n')],
  [both(english, german), english.join('\n')],
  [both(english, german), german.join('\n'), 'de'],
  [both(german, english), english.join('\n'), 'en-GB'],
  [both(english, chinese), english.join('\n')],
  [
    srt(
      'We went over the old',
      'bridge\nand came home',
      'I said\nthat it was late',
      'and he\nlaughed',
    ),
    'We went over the old\nbridge and came home\nI said that it was late\nand he laughed',
  ],
]);

reads('SBV', [
  ['0:00:01.000,0:00:03.000\nHello\nworld\n\n0:00:04.000,0:00:05.000\nyou\n', 'Hello world\nyou'],
  ['0:00:01.000,0:00:03.000\r\nHello\r\n\r\n0:00:04.000,0:00:05.000\r\nyou\r\n', 'Hello\nyou'],
  ['\ufeff0:00:01.000,0:00:03.000\nHello[br]world\n', 'Hello world'],
  ['0:00:01.000,0:00:03.000\n>> ANN: Hello\n\n0:00:04.000,0:00:05.000\n>> Hi\n', '|Hello\n|Hi'],
  ['1:02:03.500,1:02:05.000\n[music]\n\n1:02:06.000,1:02:07.000\nÇa va ?\n', 'Ça va ?'],
]);

/** An ASS file with these lines of its events. */
const ass = (...lines: string[]): string =>
  `[Script Info]\nScriptType: v4.00+\n\n[V4+ Styles]\nFormat: Name, Fontname\nStyle: Default,Arial\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n${lines.join('\n')}\n`;
const first = '0,0:00:01.00,0:00:02.50,Default';
const second = '0,0:00:03.00,0:00:04.00,Default';

reads('ASS and SSA', [
  [
    ass(
      `Dialogue: ${first},,0,0,0,,{\\i1}Hello,\\Nworld`,
      `Comment: ${first},,0,0,0,,no`,
      `Dialogue: ${second},,0,0,0,,{\\p1}m 0 0 l 1 1{\\p0}`,
    ),
    'Hello, world',
  ],
  [ass(`Dialogue: ${second},,0,0,0,,you`, `Dialogue: ${first},,0,0,0,,Hello`), 'Hello\nyou'],
  [ass(`Dialogue: ${first},,0,0,0,,{\\k20}Hel{\\k30}lo {\\k50}you`), 'Hello you'],
  [
    ass(`Dialogue: ${first},,0,0,0,,{\\pos(320,50)\\fad(200,200)}One, two\\h{\\b1}three{\\b0}`),
    'One, two three',
  ],
  [
    '[Script Info]\nScriptType: v4.00\n\n[Events]\nFormat: Marked, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\nDialogue: Marked=0,0:00:01.00,0:00:02.00,Default,,0000,0000,0000,,Hello\\nyou\n',
    'Hello you',
  ],
]);

/** A TTML file with this content of its body. */
const ttml = (body: string, attributes = ''): string =>
  `<?xml version="1.0" encoding="UTF-8"?><tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttp="http://www.w3.org/ns/ttml#parameter" xmlns:tts="http://www.w3.org/ns/ttml#styling" ${attributes}><head><metadata><title>no</title></metadata></head><body><div>${body}</div></body></tt>`;

reads('TTML', [
  [
    ttml(
      '<p begin="00:00:01.000" end="00:00:02.000">Hello<br/>world &amp; you</p><p begin="3s" dur="1.5s">Bye</p>',
    ),
    'Hello world & you\nBye',
  ],
  [ttml('<p begin="00:00:01:12" end="00:00:02:00">Hello</p>', 'ttp:frameRate="25"'), 'Hello'],
  [
    ttml(
      '<p begin="10000000t" end="20000000t"><span tts:fontStyle="italic">Hello</span> you</p>',
      'ttp:tickRate="10000000"',
    ),
    'Hello you',
  ],
  [
    ttml('<p begin="1500ms" end="2500ms">\n    Il a 20 %\n    <br/>&#233;t&#xE9;\n  </p>'),
    'Il a 20 % été',
  ],
  [
    ttml(
      '<p begin="1s" end="2s">- Hello</p><!-- <p begin="2s" end="3s">no</p> --><p begin="3s" end="4s">- Hi</p>',
    ),
    '|Hello\n|Hi',
  ],
]);

it('the times of TTML are of clocks, frames, ticks and parts of seconds', async () => {
  const spansOf = async (file: string) =>
    (await parseSubtitles(file)).map(({ start, end }) => [start, end]);
  const frames = ttml('<p begin="00:00:01:12" end="00:00:02:00">a</p>', 'ttp:frameRate="25"');
  assert.deepEqual(await spansOf(frames), [[1.48, 2]]);
  const ticks = ttml('<p begin="15000000t" end="20000000t">a</p>', 'ttp:tickRate="10000000"');
  assert.deepEqual(await spansOf(ticks), [[1.5, 2]]);
  assert.deepEqual(await spansOf(ttml('<p begin="1500ms" dur="2s">a</p>')), [[1.5, 3.5]]);
});

it('marks that are never closed take no longer than others of their length', async () => {
  // Quadratic patterns would take hours, and a worker does nothing else meanwhile.
  for (const tag of ['<p a>', '<tt:p begin="1s"><span ruby="text">', '<!--', '<p']) {
    assert.deepEqual(await parseSubtitles(`<tt>${tag.repeat(3_000_000)}`), []);
  }
  assert.equal((await parseSubtitles(srt('*a '.repeat(1_000_000)))).length, 1);
});

it('10,000 mutated files have no time and no tag in any word', async () => {
  const sources = [
    srt('Speaker 1: Hello <i>there</i>', '[music] It is late', '- No.\n- Yes, 20 %'),
    `WEBVTT\n\nNOTE x\n\n1\n00:01.000 --> 00:03.000 line:0\n<v Ann>Salt &amp; <i>pepper</i>\n\n00:04.000 --> 00:06.000\nOne <00:05.000>two\n`,
    '0:00:01.000,0:00:03.000\nHello\nworld\n\n0:00:04.000,0:00:05.000\nyou\n',
    ass(`Dialogue: ${first},,0,0,0,,{\\i1}Hello,\\Nworld`, `Dialogue: ${second},,0,0,0,,you`),
    ttml('<p begin="1s" end="2s">Hello<br/><span>you</span></p><p begin="3s" dur="1s">Bye</p>'),
  ];
  let state = 1;
  const random = (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  const parts = [
    '\n',
    ' ',
    '-->',
    '<',
    '>',
    '{',
    '[',
    ':',
    '0',
    '\r',
    '&',
    ',',
    '\n\n',
    'x',
    '\u0003',
  ];
  for (let round = 0; round < 10_000; round++) {
    let text = sources[round % sources.length]!;
    for (let change = random(4); change >= 0; change--) {
      const at = random(text.length);
      text = text.slice(0, at) + parts[random(parts.length)] + text.slice(at + random(3));
    }
    for (const { words } of await parseSubtitles(text)) {
      for (const { text: word } of words) {
        assert.doesNotMatch(
          word,
          /-->|\d\d:\d\d[.,]\d{3}|<[^<>]+>|[\u0001-\u0004]/,
          JSON.stringify(text),
        );
      }
    }
  }
});
