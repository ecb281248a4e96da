import { ellipse, roundRect, type Shape } from '../sample/drawing.ts';
import type { Video, Instant } from './video.ts';
import { boards, lake, park } from './grounds.ts';
import { people, portrait } from './portrait.ts';

const slide = '#F4F1EA';
const ink = '#27303F';

/** A slide with a speaker's webcam in its corner. */
export const lesson: Video = {
  lines: [
    { text: 'Here is how sleep helps you learn.', voice: 'slt', pause: 0.4 },
    { text: 'You forget half of it within a day.', voice: 'slt', pause: 0.4 },
    { text: 'Sleep on it, and most of it stays.', voice: 'slt', pause: 0.8 },
  ],
  shots: () => [
    {
      from: 0,
      colours: [slide, slide],
      still: [
        { path: roundRect(110, 560, 150, 340, 6), colour: '#C9CED8' },
        { path: roundRect(330, 730, 150, 170, 6), colour: '#C9CED8' },
        { path: roundRect(550, 610, 150, 290, 6), colour: '#E4573B' },
        { path: roundRect(90, 900, 660, 6, 2), colour: ink },
        { path: roundRect(1300, 690, 620, 390, 0), colour: '#3E5A5C' },
        { path: roundRect(1380, 690, 160, 390, 0), colour: '#4A686A' },
        { path: roundRect(1700, 690, 120, 390, 0), colour: '#4A686A' },
      ],
      texts: [
        { text: 'Sleep on what you learn', x: 110, y: 170, size: 96, colour: ink },
        { text: 'First day: you know all of it', x: 130, y: 310, size: 54, colour: ink },
        { text: 'Next day, awake: half is gone', x: 130, y: 395, size: 54, colour: ink },
        { text: 'Next day, after sleep: most stays', x: 130, y: 480, size: 54, colour: '#C2361C' },
      ],
      moving: (now) =>
        portrait(
          {
            x: 1610 + Math.sin(now.time * 0.8) * 8,
            y: 870,
            size: 170,
            time: now.time,
            mouth: now.loudness,
            look: Math.sin(now.time * 0.9) * 0.5,
            arms: 'rest',
          },
          people.june,
        ),
    },
  ],
};

/** A speaker on a wide stage, seen from the last row: her face is a tenth of the height. */
export const hall: Video = {
  lines: [
    { text: 'A thousand seats, and one small voice.', voice: 'slt', pause: 0.5 },
    { text: 'From the last row, my face is a dot.', voice: 'slt', pause: 0.5 },
    { text: 'On your phone, it should not be.', voice: 'slt', pause: 0.8 },
  ],
  shots: () => [
    {
      from: 0,
      colours: ['#3A3F63', '#1F2340'],
      still: [
        { path: roundRect(-20, 640, 1960, 460, 0), colour: '#6B4F3C' },
        { path: roundRect(-20, 640, 1960, 14, 0), colour: '#8A6A50' },
        { path: ellipse(1300, 655, 420, 50), colour: '#F3DFA8', opacity: 0.25, blur: 20 },
        ...Array.from({ length: 13 }, (_, seat) => ({
          path: roundRect(20 + seat * 148, 960, 116, 200, 40),
          colour: '#14172B',
        })),
      ],
      moving: ({ time, loudness }) =>
        portrait(
          {
            x: 1300 + 150 * Math.sin(time * 0.35),
            y: 430,
            size: 108,
            time,
            mouth: loudness,
            look: Math.sin(time * 0.7) * 0.4,
            arms: 'talk',
          },
          people.mira,
        ),
    },
  ],
};

/** Heads of an audience, which move when it claps. */
const audience = ({ time, loudness, line }: Instant, clapping: readonly number[]): Shape[] =>
  Array.from({ length: 12 }, (_, seat) => {
    const lift = clapping.includes(line) ? loudness * 26 * Math.sin(time * 9 + seat * 2) : 0;
    return { path: ellipse(80 + seat * 160, 1040 - lift, 58, 78), colour: '#17131F' };
  });

/** A story with a punch line, between what a host has to say. */
export const joke: Video = {
  lines: [
    { text: 'Please silence your phones, the exits are at the back.', voice: 'awb', pause: 0.7 },
    { text: 'And thank you to the sponsors of tonight.', voice: 'awb', pause: 0.9 },
    { text: 'Last week I told my doctor that I cannot sleep.', voice: 'rms', pause: 0.3 },
    { text: 'She asked me what I do all day.', voice: 'rms', pause: 0.3 },
    {
      text: 'I said that I give talks, and she said: so listen to one.',
      voice: 'rms',
      pause: 0.15,
    },
    { text: '[applause]', applause: 3, voice: 'rms', pause: 0.9 },
    { text: 'There is a coat room, and there are drinks in the break.', voice: 'awb', pause: 0.7 },
    { text: 'The next talk begins at nine in the other room.', voice: 'awb', pause: 0.9 },
  ],
  shots: () => [
    {
      from: 0,
      colours: ['#7A3B52', '#3C2036'],
      still: boards('#8F4A63'),
      moving: (now) => [
        ...portrait(
          {
            x: 960 + Math.sin(now.time * 0.8) * 14,
            y: 400,
            size: 300,
            time: now.time,
            mouth: now.line === 5 ? 0 : now.loudness,
            look: Math.sin(now.time * 0.9) * 0.5,
            arms: 'talk',
          },
          now.line < 2 || now.line > 5 ? people.sami : people.theo,
        ),
        ...audience(now, [5]),
      ],
    },
  ],
};

/** A lamp in the evening, recorded with more brightness than a usual screen has. */
export const dusk: Video = {
  encoding: 'high-dynamic-range',
  lines: [
    { text: 'The sun is gone, and the lamp is on.', voice: 'slt', pause: 0.5 },
    { text: 'Both are in the picture, and neither is grey.', voice: 'slt', pause: 0.9 },
  ],
  shots: () => [
    {
      from: 0,
      colours: ['#3A4590', '#B4688E'],
      still: [
        ...lake(),
        { path: roundRect(1392, 300, 16, 800, 4), colour: '#2B2430' },
        { path: ellipse(1400, 280, 150, 150), colour: '#FFD98A', opacity: 0.5, blur: 40 },
        { path: ellipse(1400, 280, 58, 58), colour: '#FFF6DC' },
      ],
      moving: (now) =>
        portrait(
          {
            x: 1080 + Math.sin(now.time * 0.8) * 14,
            y: 440,
            size: 300,
            time: now.time,
            mouth: now.loudness,
            look: Math.sin(now.time * 0.9) * 0.5,
            arms: 'talk',
          },
          people.mira,
        ),
    },
  ],
};

/** A walk from an old camera, which recorded the odd and the even rows one after the other. */
export const archive: Video = {
  encoding: 'interlaced',
  lines: [
    { text: 'This tape is from nineteen ninety four.', voice: 'rms', pause: 0.5 },
    { text: 'Every other row of it is a moment late.', voice: 'rms', pause: 0.9 },
  ],
  shots: () => [
    {
      from: 0,
      colours: ['#9DB0B5', '#B9BFAE'],
      still: park(),
      moving: ({ time, loudness, duration }) =>
        portrait(
          {
            x: 330 + (1260 * time) / duration,
            y: 420,
            size: 230,
            time,
            mouth: loudness,
            look: 1,
            arms: 'walk',
          },
          people.theo,
        ),
    },
  ],
};
