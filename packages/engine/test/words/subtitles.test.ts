import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { parseSubtitles, TooManyWords } from '../../src/words/subtitles.ts';
import { makeTranscript } from '../../src/words/transcript.ts';
import { joinWords, splitWords } from '../../src/words/word-text.ts';

const texts = (cue: { words: { text: string }[] }) => cue.words.map(({ text }) => text);

test('WebVTT: marks are left out, entities are read', async () => {
  const [cue] = await parseSubtitles(
    'WEBVTT\n\nNOTE a note\n\n1\n00:01.000 --> 00:03.000 line:0\n<v Ann>Salt &amp; <i>pepper</i>, she said\n',
  );
  assert.deepEqual(texts(cue!), ['Salt &', 'pepper,', 'she', 'said']);
  assert.deepEqual([cue!.start, cue!.end, cue!.timed], [1, 3, false]);
});

test('WebVTT: times within a cue are the words’ own', async () => {
  const [cue] = await parseSubtitles(
    'WEBVTT\n\n00:00.000 --> 00:04.000\nOne <00:01.000>two <00:00:03.000>three\n',
  );
  assert.equal(cue!.timed, true);
  assert.deepEqual(
    cue!.words.map(({ start }) => start),
    [0, 1, 3],
  );
});

test('SubRip, with commas, blank ends and a byte order mark', async () => {
  const cues = await parseSubtitles(
    '\uFEFF1\r\n00:00:01,500 --> 00:00:02,500\r\nHello there.\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\n[music]\r\n\r\n3\r\n00:00:05,000 --> 00:00:06,000\r\n<b>Again</b>\r\n',
  );
  assert.deepEqual(cues.map(texts), [['Hello', 'there.'], ['Again']]);
  assert.equal(cues[0]!.start, 1.5);
});

test('MicroDVD, in frames of the rate that it states or the usual one', async () => {
  const text = '{25}{75}Hello there.|My friend.\n{100}{150}{y:i}It rains.\n';
  const cues = await parseSubtitles(`{1}{1}25\n${text}`);
  assert.deepEqual(cues.map(texts), [
    ['Hello', 'there.', 'My', 'friend.'],
    ['It', 'rains.'],
  ]);
  assert.deepEqual([cues[0]!.start, cues[0]!.end, cues[1]!.start], [1, 3, 4]);
  const [usual] = await parseSubtitles(text);
  assert.equal(Math.round(usual!.start * 1000), 1043);
});

test('LRC: a line is shown until the next, and for ten seconds at most', async () => {
  const cues = await parseSubtitles('[ti:A song]\n[00:01.00]Hello there\n[00:05.50]It rains\n');
  assert.deepEqual(cues.map(texts), [
    ['Hello', 'there'],
    ['It', 'rains'],
  ]);
  assert.deepEqual(
    cues.map(({ start, end }) => [start, end]),
    [
      [1, 5.5],
      [5.5, 15.5],
    ],
  );
});

test('text that looks like a line of another format stays text', async () => {
  const said = ['{1}{2}three', '[00:12.00]now'];
  const cues = await parseSubtitles(
    `WEBVTT\n\n00:00.000 --> 00:02.000\n${said[0]}\n\n00:02.000 --> 00:04.000\nAnd then\n${said[1]} it rains.\n`,
  );
  assert.match(cues.flatMap(texts).join(' '), /three And then .*it rains\./);
});

test('letters without width are no part of a word', async () => {
  const [cue] = await parseSubtitles(
    'WEBVTT\n\n00:00.000 --> 00:02.000\nHel\u200blo wor\u2060ld\n',
  );
  assert.deepEqual(texts(cue!), ['Hello', 'world']);
});

test('a sentence goes on after a title or an abbreviation', async () => {
  const cues = await parseSubtitles(
    'WEBVTT\n\n00:00.000 --> 00:02.000\nWe met Dr. Smith in the lab.\n\n00:02.000 --> 00:04.000\nMr. Brown came, i.e. I did.\n',
  );
  const { sentences } = makeTranscript(cues, { silences: [], duration: 4, language: 'en' })!;
  assert.deepEqual(
    sentences.map(({ text }) => text),
    ['We met Dr. Smith in the lab.', 'Mr. Brown came, i.e. I did.'],
  );
});

test('a line that rolls on into the next cue is taken once', async () => {
  const cues = await parseSubtitles(
    'WEBVTT\n\n00:00.000 --> 00:02.000\nfirst line\n\n00:02.000 --> 00:04.000\nfirst line\nsecond line\n',
  );
  assert.deepEqual(cues.map(texts), [
    ['first', 'line'],
    ['second', 'line'],
  ]);
});

async function spoken(...cues: [start: number, end: number, text: string][]): Promise<string> {
  const clock = (seconds: number) => `00:${seconds.toFixed(3).padStart(6, '0')}`;
  const blocks = cues.map(([start, end, text]) => `${clock(start)} --> ${clock(end)}\n${text}`);
  const read = await parseSubtitles(['WEBVTT', ...blocks].join('\n\n'));
  return read.flatMap(texts).join(' ');
}

test('what is said twice is kept: “No.” “No.” “No.”', async () => {
  assert.equal(await spoken([0, 1, 'No.'], [1, 2, 'No.'], [2.5, 3, 'No.']), 'No. No. No.');
});

test('captions that roll say each line once', async () => {
  assert.equal(
    await spoken(
      [0, 2, 'we crossed the'],
      [2, 2.01, 'we crossed the'],
      [2.01, 4, 'we crossed the\nold bridge'],
      [4, 4.01, 'old bridge'],
      [4.01, 6, 'old bridge\nin spring'],
    ),
    'we crossed the old bridge in spring',
  );
  const cut = 'A long line that goes on in the next file.';
  assert.equal(await spoken([0, 2, cut], [2, 4, cut]), cut);
});

test('line breaks and hard spaces of ASS are no letters', async () => {
  assert.equal(await spoken([0, 2, 'One\\Ntwo\\hthree\\nfour']), 'One two three four');
});

test('what is no subtitle has no cues', async () => {
  for (const text of ['', '<!doctype html><p>404</p>', 'WEBVTT\n\n00:05.000 --> 00:01.000\nno\n']) {
    assert.deepEqual(await parseSubtitles(text), [], text);
  }
});

test('sentences reach over cues', async () => {
  const cues = await parseSubtitles(
    'WEBVTT\n\n00:00.000 --> 00:02.000\nThis is one\n\n00:02.000 --> 00:04.000\nsentence. Is this another?\n',
  );
  const transcript = makeTranscript(cues, { silences: [], duration: 4, language: 'en' });
  assert.deepEqual(
    transcript?.sentences.map(({ text }) => text),
    ['This is one sentence.', 'Is this another?'],
  );
  assert.deepEqual(
    transcript?.sentences.map(({ firstWord, lastWord }) => [firstWord, lastWord]),
    [
      [0, 3],
      [4, 6],
    ],
  );
});

test('words stand where something is heard, and none lies over a silence', async () => {
  const cues = await parseSubtitles(
    'WEBVTT\n\n00:00.000 --> 00:06.000\nHere we go now. After the pause.\n',
  );
  const silences = [{ start: 2, end: 4 }];
  const transcript = makeTranscript(cues, { silences, duration: 6, language: null });
  assert.equal(transcript?.words.length, 7);
  for (const word of transcript?.words ?? []) {
    assert.ok(word.end <= 2.001 || word.start >= 3.999, JSON.stringify(word));
  }
});

test('a timed word ends where its sound ends', async () => {
  const cues = await parseSubtitles('WEBVTT\n\n00:00.000 --> 00:04.000\nwait <00:03.000>there\n');
  const transcript = makeTranscript(cues, {
    silences: [{ start: 1, end: 2.9 }],
    duration: 4,
    language: null,
  });
  assert.deepEqual([transcript?.words[0]?.start, transcript?.words[0]?.end], [0, 1]);
});

test('words are in order, have length, and end within the video', async () => {
  const cues = await parseSubtitles(
    'WEBVTT\n\n00:00.000 --> 00:02.000\n<00:01.500>a <00:00.500>b <00:09.000>c\n\n00:01.000 --> 00:50.000\nd e f\n',
  );
  const transcript = makeTranscript(cues, { silences: [], duration: 3, language: null });
  let at = 0;
  for (const word of transcript?.words ?? []) {
    assert.ok(word.start >= at && word.end > word.start && word.end <= 3, JSON.stringify(word));
    at = word.end;
  }
});

test('scripts without spaces are split into words and joined without spaces', () => {
  const words = splitWords('私は猫が好きです。');
  assert.ok(words.length > 2);
  assert.equal(joinWords(words), '私は猫が好きです。');
  assert.equal(joinWords(['Hello', 'there']), 'Hello there');
});

test('a word ends after 200 letters, and a file after half a million words', async () => {
  const [cue] = await parseSubtitles(
    `WEBVTT\n\n00:00.000 --> 00:02.000\n${'😀a'.repeat(300)} next\n`,
  );
  assert.deepEqual(texts(cue!), ['😀a'.repeat(100), 'next']);
  const cues = Array.from({ length: 6 }, (_, index) => {
    const text = `${index} ${'a '.repeat(99_000)}`;
    return `00:0${index}.000 --> 00:0${index + 1}.000\n${text}\n`;
  });
  await assert.rejects(parseSubtitles(`WEBVTT\n\n${cues.join('\n')}`), TooManyWords);
});

/** A WebVTT file with a cue of four seconds for each text. */
function vtt(...texts: string[]): string {
  const clock = (seconds: number) => `00:00:${String(seconds).padStart(2, '0')}.000`;
  const cues = texts.map((text, at) => `${clock(4 * at)} --> ${clock(4 * at + 4)}\n${text}`);
  return `WEBVTT\n\n${cues.join('\n\n')}\n`;
}

/** The words, with a stroke before each that opens a turn. */
async function turnsOf(...texts: string[]) {
  const cues = await parseSubtitles(vtt(...texts));
  const transcript = makeTranscript(cues, { silences: [], duration: 60, language: 'en' })!;
  return transcript.words.map(({ text, opensTurn }) => (opensTurn ? `|${text}` : text)).join(' ');
}

describe('another person begins to speak', () => {
  it('with a voice tag of another name', async () => {
    assert.equal(
      await turnsOf('<v Ann>Who is it?', '<v Ann>Tell me.</v>', '<v.loud Bob>Me. <v Ann>Oh.'),
      '|Who is it? Tell me. |Me. |Oh.',
    );
  });

  it('with a name before the line, which nobody says', async () => {
    assert.equal(
      await turnsOf('ANN LEE: Who is it?', 'BOB: Me.', 'ANN LEE: Come in.', 'Now.', 'BOB: Yes.'),
      '|Who is it? |Me. |Come in. Now. |Yes.',
    );
  });

  it('but not with a word and a colon that comes once', async () => {
    assert.equal(
      await turnsOf('JOHN: Who is it?', 'It is late.'),
      '|Who is it? It is late.',
      'a single name in capitals',
    );
    assert.equal(
      await turnsOf('Remember: it is late.', 'Go home.'),
      'Remember: it is late. Go home.',
    );
  });

  it('with >> and with a dash before a line', async () => {
    assert.equal(
      await turnsOf('&gt;&gt; Who is it?', '- Me.\n- Come in.', 'A well-known man. >> No.'),
      '|Who is it? |Me. |Come in. A well-known man. |No.',
    );
  });

  it('with a dash before a small letter, if another line of the cue has one too', async () => {
    const [cue] = await parseSubtitles(
      'WEBVTT\n\n00:00.000 --> 00:03.000\n-Where is he?\n-at home.\n',
    );
    assert.deepEqual(
      cue!.words.filter(({ opensTurn }) => opensTurn).map(({ text }) => text),
      ['Where', 'at'],
    );
  });

  it('but not with a dash inside a sentence', async () => {
    assert.equal(
      await turnsOf('I say, here we', '- are again', '-- There is more.', '– Who is it?'),
      'I say, here we are again There is more. |Who is it?',
    );
  });

  it('and a sentence does not go on into the turn', async () => {
    const cues = await parseSubtitles(vtt('<v Ann>I would like to', '<v Bob>say nothing at all.'));
    const { sentences } = makeTranscript(cues, { silences: [], duration: 9, language: 'en' })!;
    assert.deepEqual(
      sentences.map(({ text }) => text),
      ['I would like to', 'say nothing at all.'],
    );
  });

  it('also if the first word of the turn has no room', async () => {
    const cues = await parseSubtitles(vtt('<v Ann>So it is.', '<v Bob>We are here.'));
    cues[1]!.words[0] = { ...cues[1]!.words[0]!, start: 0, end: 0.01 };
    cues[1]!.timed = true;
    const transcript = makeTranscript(cues, { silences: [], duration: 9, language: 'en' })!;
    assert.ok(transcript.words.some(({ text, opensTurn }) => opensTurn && text !== 'So'));
  });
});

describe('laughter and applause', () => {
  it('are times of the transcript, and no words', async () => {
    const cues = await parseSubtitles(
      vtt('That was me. [laughter]', '(Applause)', 'Danke. (Gelächter)', '（笑） Go on.'),
    );
    const transcript = makeTranscript(cues, { silences: [], duration: 60, language: 'en' })!;
    assert.deepEqual(transcript.reactions, [4, 4, 12, 12]);
    assert.equal(transcript.words.map(({ text }) => text).join(' '), 'That was me. Danke. Go on.');
  });

  it('are not known from a file without marks', async () => {
    const cues = await parseSubtitles(vtt('We laughed a lot (really).'));
    const transcript = makeTranscript(cues, { silences: [], duration: 60, language: 'en' })!;
    assert.equal(transcript.reactions, undefined);
  });
});
