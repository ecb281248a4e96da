import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseSubtitles } from '../../src/words/subtitles.ts';
import { transcriptOf } from '../../src/words/transcript.ts';

/** A WebVTT file with a cue of four seconds for each text. */
function vtt(...texts: string[]): string {
  const clock = (seconds: number) => `00:00:${String(seconds).padStart(2, '0')}.000`;
  const cues = texts.map((text, at) => `${clock(4 * at)} --> ${clock(4 * at + 4)}\n${text}`);
  return `WEBVTT\n\n${cues.join('\n\n')}\n`;
}

/** The words, with a stroke before each that opens a turn. */
async function turnsOf(...texts: string[]) {
  const cues = await parseSubtitles(vtt(...texts));
  const transcript = transcriptOf(cues, { silences: [], duration: 60, language: 'en' })!;
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

  it('but not with a dash inside a sentence', async () => {
    assert.equal(
      await turnsOf('I say, here we', '- are again', '-- There is more.', '– Who is it?'),
      'I say, here we are again There is more. |Who is it?',
    );
  });

  it('and a sentence does not go on into the turn', async () => {
    const cues = await parseSubtitles(vtt('<v Ann>I would like to', '<v Bob>say nothing at all.'));
    const { sentences } = transcriptOf(cues, { silences: [], duration: 9, language: 'en' })!;
    assert.deepEqual(
      sentences.map(({ text }) => text),
      ['I would like to', 'say nothing at all.'],
    );
  });

  it('also if the first word of the turn has no room', async () => {
    const cues = await parseSubtitles(vtt('<v Ann>So it is.', '<v Bob>We are here.'));
    cues[1]!.words[0] = { ...cues[1]!.words[0]!, start: 0, end: 0.01 };
    cues[1]!.timed = true;
    const transcript = transcriptOf(cues, { silences: [], duration: 9, language: 'en' })!;
    assert.ok(transcript.words.some(({ text, opensTurn }) => opensTurn && text !== 'So'));
  });
});

describe('laughter and applause', () => {
  it('are times of the transcript, and no words', async () => {
    const cues = await parseSubtitles(
      vtt('That was me. [laughter]', '(Applause)', 'Danke. (Gelächter)', '（笑） Go on.'),
    );
    const transcript = transcriptOf(cues, { silences: [], duration: 60, language: 'en' })!;
    assert.deepEqual(transcript.reactions, [4, 4, 12, 12]);
    assert.equal(transcript.words.map(({ text }) => text).join(' '), 'That was me. Danke. Go on.');
  });

  it('are not known from a file without marks', async () => {
    const cues = await parseSubtitles(vtt('We laughed a lot (really).'));
    const transcript = transcriptOf(cues, { silences: [], duration: 60, language: 'en' })!;
    assert.equal(transcript.reactions, undefined);
  });
});
