import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pickCandidates } from '../../src/moments/candidates.ts';
import { splitSentences } from '../../src/words/transcript.ts';
import type { Span, Word } from '../../src/facts.ts';
import { quietAnalysis } from 'clip-testkit/media-analysis';

/** Short talks of one speaker. What an editor would cut out stands between `[` and `]`. */
const talks: Readonly<Record<string, string>> = {
  lecture: `
Good morning everyone, can you hear me at the back? Please sign the attendance sheet before
you leave. Today we continue with chapter seven of the handbook. The slides are on the
course page. We saw last week that a bridge carries load through its cables. The deck is
attached at regular intervals. The intervals are listed in table four. There are several
kinds of attachment. We will go through them one after another. Problem sheet five is due on
Tuesday. [In November 1940 a bridge in Tacoma began to twist in a wind of only forty miles
an hour. A reporter named Leonard Coatsworth left his car on the bridge and crawled to
safety on his hands and knees. His dog stayed in the car and would not come out. Within an
hour the whole span had torn itself apart and fallen into the water. Nobody had designed
against the wind at all. The only one who died that day was the dog.] The office hours are
on Thursday from two to four. Now the second kind of attachment is the clamp. A clamp is
fixed with bolts. The bolts are tightened to a specified torque. The torque is listed in the
manual. There are various types of bolts. Some are coated and some are not. The coating is
described in the appendix. [Why do engineers still use a safety factor of two when computers
can calculate everything? Because the computer only knows what you told it. In 1978 a
student called Diane Hartley found that a tower in New York, fifty nine floors high, could
fall over in a storm that comes every sixteen years. The computer said the tower was fine.
It had never been asked about wind from the corner. They welded steel plates over the bolts
at night, in secret, for three months. A factor of two is the price of the question you
forgot to ask.] Please remember to switch off the projector. We then move on to the third
kind. The third kind is less common. It is used in some regions. The details are in the
report of the committee. The exam will cover chapters five to nine. Are there any questions
so far? Please use the microphone. We will have a short break now.
`,
  keynote: `
Welcome back to the conference, and thanks to our sponsors. Lunch is on the second floor
today. I want to thank the organisers for having me. My name is Sara and I run a company
that makes software for hospitals. Let me share my screen. Can everybody see it? So our
product has a number of modules. The modules can be combined in different ways. There is a
module for scheduling and one for billing. [Three years ago a nurse called me at two in the
morning and said your software just killed a man. I sat on the edge of my bed and I could
not breathe. The screen had shown a dose in milligrams and she had read it as micrograms. He
survived, but only because she checked twice. The next morning I deleted our entire roadmap.
We have not shipped a single feature since then that a tired person could misread.] The
billing module integrates with several systems. The integration is documented on our
website. We support the usual standards. There are also reports. The reports can be exported
in various formats. [Everybody in this room believes that more data makes better decisions.
We measured it in forty hospitals, and the opposite was true. Doctors with twelve numbers on
the screen made twice as many mistakes as doctors with three. Not because they are stupid,
but because a brain at four in the morning can hold three things. So we took nine numbers
away, and deaths fell by eleven percent.] In general the configuration is done by the
administrator. The handbook describes the procedure. Further details are available from our
sales team. You can find us at booth nineteen. Check out the newsletter as well. Questions
after the session please.
`,
  cooking: `
Hi everybody and welcome to my channel. Don't forget to subscribe and hit the like button.
Today we are making a simple tomato sauce. I have got some tomatoes here. I have also got
some onions and some garlic. You can use any kind of onions. I usually use the yellow ones.
Let me just turn on the stove. Okay so we chop the onions. We chop them fairly fine. Then we
put them in the pan. [My grandmother never let anyone else touch her sauce. When she was
eighty four she called me into the kitchen, locked the door, and told me the secret. You
burn one tomato. You put it straight on the flame until the skin is black, and you throw it
in whole. I laughed, and then I tasted it, and I have never made it any other way.] So now
the onions are getting soft. We stir them from time to time. The heat is medium. The link to
the pan is in the description. We add the tomatoes now. You can use canned tomatoes as well.
[What is the biggest mistake people make with pasta? They rinse it. The starch on the
outside is the glue that holds your sauce, and you just washed it down the drain. Take it
out two minutes early and finish it in the pan with a cup of the water. That one cup is the
difference between a restaurant and a canteen.] Okay so that is more or less done. I will
just clean up here a little. We let it rest for some minutes. You can serve it with any kind
of pasta. Thanks for watching and see you next week.
`,
};

/** The words of a talk with times, and the times of its highlights. */
function spoken(text: string) {
  const words: Word[] = [];
  const highlights: Span[] = [];
  let time = 1;
  let start = 0;
  for (const token of text.trim().split(/\s+/)) {
    if (token.startsWith('[')) start = time;
    const word = token.replace(/[[\]]/g, '');
    const end = time + 0.1 + 0.055 * word.length;
    words.push({ text: word, start: time, end });
    if (token.endsWith(']')) highlights.push({ start, end });
    time = end + (/[.?!]$/.test(word) ? 0.45 : /,$/.test(word) ? 0.15 : 0.02);
  }
  const analysis = quietAnalysis(time, {
    silences: words.slice(1).flatMap((word, index) => {
      const before = words[index]!;
      return word.start - before.end > 0.4 ? [{ start: before.end, end: word.start }] : [];
    }),
    loudness: { step: 0.5, values: Array<number>(Math.ceil(2 * time)).fill(-20) },
    transcript: { language: 'en', words, sentences: splitSentences(words, 'en') },
  });
  return { analysis, highlights };
}

describe('the stories of a talk', () => {
  for (const [genre, text] of Object.entries(talks)) {
    it(`${genre}: lie whole within as many clips, with titles of their own words`, () => {
      const { analysis, highlights } = spoken(text);
      const options = { count: highlights.length, min: 15, max: 60, target: 30 };
      const clips = pickCandidates(analysis, options);
      for (const { start, end } of highlights) {
        assert.ok(
          clips.some((clip) => clip.start <= start + 0.01 && clip.end >= end - 0.01),
          `${start} to ${end} is not in ${clips.map((clip) => `${clip.start}–${clip.end}`).join(', ')}`,
        );
      }
      const said = text.replace(/[[\]\s]+/g, ' ').toLowerCase();
      for (const { title, ownWords = true } of clips) {
        if (!ownWords) continue;
        assert.ok(said.includes(title.toLowerCase()), title);
        assert.ok(title.split(' ').length >= 4 && !title.endsWith('…'), title);
      }
    });
  }
});
