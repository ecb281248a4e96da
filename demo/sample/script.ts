/** The text and pictures of the sample video. Written for it; nothing is quoted. */

export type Scenery = 'title' | 'bees' | 'sleep' | 'money' | 'questions';

export interface Topic {
  scenery: Scenery;
  /** Small line above the headline. */
  eyebrow: string;
  /** Lines of the headline. */
  headline: string[];
  sentences: string[];
}

export const topics: readonly Topic[] = [
  {
    scenery: 'title',
    eyebrow: 'A SHORT SHOW',
    headline: ['Four', 'small', 'ideas'],
    sentences: [
      'Here are four small ideas that can change your week.',
      'Each one takes less than a minute.',
      'You need no money, no talent, and no new app.',
    ],
  },
  {
    scenery: 'bees',
    eyebrow: 'IDEA ONE',
    headline: ['Why', 'bees', 'dance'],
    sentences: [
      'Why do bees dance?',
      'It is not for joy, and it is not for show.',
      'A bee that finds flowers flies home, and draws a map with her body.',
      'The angle of her dance tells the others which way to fly.',
      'The length of the dance tells them how far.',
      'Up on the comb means fly towards the sun.',
      'One second of waggling means about one kilometer.',
      'Nobody teaches her, and yet every bee in the hive can read it.',
    ],
  },
  {
    scenery: 'sleep',
    eyebrow: 'IDEA TWO',
    headline: ['The', 'night', 'shift'],
    sentences: [
      'What does your brain do all night?',
      'Most people think that it simply switches off.',
      'In fact, it is busier than a post office in December.',
      'It plays back the day, many times faster than it happened.',
      'What matters is kept, and the rest is thrown away.',
      'It is like a librarian who works when the doors are closed.',
      'You learn in the day, but you remember at night.',
      'So the best time to study is the hour before bed.',
    ],
  },
  {
    scenery: 'money',
    eyebrow: 'IDEA THREE',
    headline: ['Two', 'coins', 'a day'],
    sentences: [
      'Imagine that you save two coins every day.',
      'After one year you have seven hundred and thirty.',
      'That is nice, but it is not the surprising part.',
      'Leave them alone at seven percent, and they double in ten years.',
      'In thirty years, every coin has become almost eight.',
      'You did nothing at all for seven of those eight.',
      'The secret is not the money, it is the time.',
      'Start small, but never start late.',
    ],
  },
  {
    scenery: 'questions',
    eyebrow: 'IDEA FOUR',
    headline: ['Ask', 'better', 'questions'],
    sentences: [
      'Have you ever asked a question, and got only one word back?',
      'The problem is not the person, it is the question.',
      'A closed question has a short answer, yes or no.',
      'Instead, begin with how, or with what.',
      'How did you decide that?',
      'Now nobody can answer with a yes.',
      'People love to explain a choice that they made.',
      'Ask one good question a day, and in a year you will know everyone.',
    ],
  },
  {
    scenery: 'title',
    eyebrow: 'YOUR TURN',
    headline: ['Pick', 'one', 'today'],
    sentences: [
      'Four ideas, two minutes, and a week to try them.',
      'Which one will you start with?',
    ],
  },
];

/** Seconds of silence after a sentence, and after the last one of a topic. */
export const sentencePause = 0.55;
export const topicPause = 1.5;
/** Seconds before the first word. */
export const leadIn = 0.8;
