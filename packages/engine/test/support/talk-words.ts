/**
 * Sentences for the generated talks. `{a}`, `{b}`, `{c}` are things of the talk's subject, `{n}`,
 * `{m}` are numbers, `{w}` is a person.
 */
interface TalkWords {
  /** Subjects with their things. Each part of a talk is about one subject. */
  subjects: readonly (readonly string[])[];
  people: readonly string[];
  /**
   * A highlight begins with one of `open`, continues with some of `middle` and ends with one of
   * `close`.
   */
  highlights: Readonly<Record<HighlightKind, Highlight>>;
  /** Ordinary sentences that are not worth a clip. */
  plain: readonly string[];
  /** Fillers and housekeeping. */
  dull: readonly string[];
  /** Sentences that change the subject. */
  turns: readonly string[];
}

export type HighlightKind = 'question' | 'number' | 'contrast' | 'surprise' | 'story';

interface Highlight {
  open: readonly string[];
  middle: readonly string[];
  close: readonly string[];
}

export const talkWords: TalkWords = {
  subjects: [
    ['bread', 'the oven', 'yeast', 'flour', 'the crust'],
    ['sleep', 'the brain', 'a dream', 'the pillow', 'morning light'],
    ['bridges', 'the river', 'steel', 'a cable', 'the arch'],
    ['bees', 'the hive', 'honey', 'a flower', 'the queen'],
    ['money', 'the bank', 'savings', 'a loan', 'the interest'],
    ['running', 'the knee', 'a shoe', 'the trail', 'your breath'],
    ['music', 'the violin', 'a chord', 'the stage', 'silence'],
    ['maps', 'the compass', 'an island', 'the coast', 'a sailor'],
  ],
  people: ['Anna', 'my grandfather', 'Doctor Reyes', 'the old captain', 'my neighbour'],
  highlights: {
    question: {
      open: [
        'Why does {a} fail exactly when you need it?',
        'What would you do if {b} stopped working tonight?',
        'Have you ever wondered where {c} really comes from?',
        'How can something like {a} be older than {b}?',
      ],
      middle: [
        'Almost every person I ask gives me the same answer.',
        'They point at {b}, and they are mistaken.',
        'Look at {c} closely and you will see a pattern.',
        'Each time {a} changes, {b} changes with it.',
        'Would you bet your own house on {c}?',
        'Your eyes tell you one thing and {b} does another.',
      ],
      close: [
        'The answer is {c}, and it was there all along.',
        'That is the whole answer, and you can test it tonight.',
        'So it was never {b} at all, it was {a}.',
      ],
    },
    number: {
      open: [
        '{n} percent of all {a} is gone before anyone looks at it.',
        'In {n} days, {b} costs more than {m} houses.',
        'We measured {a} {n} times, and {m} times we were off.',
      ],
      middle: [
        'That is {n} of them for every {m} people in this room.',
        'Ten years ago it was only {m}.',
        '{b} grew by {n} percent in one single winter.',
        'Put {m} of those side by side and they reach the moon.',
        'One gram of {c} holds {n} million of them.',
        'Double it and you still have less than {n}.',
      ],
      close: [
        'Remember just that one number, {n}.',
        'From {m} to {n}, and nobody wrote about it.',
        'That is what {n} means for you.',
      ],
    },
    contrast: {
      open: [
        'Everybody thinks {a} is the problem, but it is {b}.',
        'It is not {a} that makes the difference, it is {c}.',
        'Schools teach {a}, yet life asks for {b}.',
      ],
      middle: [
        'One side wants more {a}, the other wants none.',
        'You train hard for {b}, but you are paid for {c}.',
        'Cheap {a} is not cheap, it is only paid later.',
        'The beginner looks at {b} while the master looks at {c}.',
        'Strong does not mean stiff, and soft does not mean weak.',
        'We fear {c}, although {a} does the harm.',
      ],
      close: [
        'Less {a}, more {b}, that is all.',
        'It sounds backwards, but it works.',
        'You do not need {a}, you need {c}.',
      ],
    },
    surprise: {
      open: [
        'Nobody expected what {a} did next.',
        'Here is the strangest thing about {b}.',
        'I was completely wrong about {c}.',
      ],
      middle: [
        'We opened the box and {b} was alive.',
        'The expert in the room went pale.',
        'It should be impossible, and still {a} does it every night.',
        'No textbook mentions {c}, not a single one.',
        'I checked it again and again, because I did not believe it.',
        'Even {w} could not explain it!',
      ],
      close: [
        'It turned out {c} had been the secret all the time.',
        'Since that day I never look at {a} the same way.',
        'And that changed everything we knew about {b}.',
      ],
    },
    story: {
      open: [
        'When I was nine, {w} took me to see {a}.',
        'One night {w} called me, and I could hear {b} in the background.',
        'Two years ago I lost everything because of {a}.',
      ],
      middle: [
        'I remember the cold, and the smell of {b}.',
        '{w} said, do not touch {c}, whatever happens.',
        'I waited for an hour, then I ran.',
        'My hands were shaking when I picked up {c}.',
        'Suddenly {a} gave way under my feet.',
        'He looked at me and he laughed.',
      ],
      close: [
        'That is how I learned what {b} is worth.',
        'I still have {c} on my desk, to remind me.',
        'In the end {w} was right, and I owe my life to it.',
      ],
    },
  },
  plain: [
    'There are several kinds of {a}, as is known.',
    'It is usually kept near {b} or in a similar place.',
    'The department has written a report on {c}.',
    'This also applies to {b} in most regions.',
    'We use {a} in the ordinary manner.',
    'The section on {c} follows the section on {b}.',
    'It is made of parts, and the parts are listed in the appendix.',
    'Further details on {a} are given in the handbook.',
    'And then there is {c}, which is similar.',
    'It has been like this for some time.',
  ],
  dull: [
    'Um, so, let me just find the right slide here.',
    'Okay, yeah, I think, uh, this works now.',
    'Can everybody in the back hear me all right?',
    'We will have a coffee break at half past ten.',
    'You know, it is kind of, well, what it is.',
    'Please sign the list at the door before you leave.',
    'The slides will be sent around by email afterwards.',
    'Sorry, one moment, the clicker does not respond.',
    'So, um, where was I, right, this one.',
    'Lunch is on the second floor, next to the elevator.',
  ],
  turns: [
    'All right, let us move on to the next part.',
    'That brings me to another subject.',
    'Now to something else.',
  ],
};
