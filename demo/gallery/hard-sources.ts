import { ellipse, polygon, roundRect, type Shape } from '../sample/drawing.ts';
import type { Video, Shot } from './video.ts';
import { boards, lake, park, room, table } from './grounds.ts';
import { people, portrait } from './portrait.ts';

/** Two people at the ends of a table, in one picture without a cut. */
export const interview: Video = {
  lines: [
    { text: 'How long did you live on the island?', voice: 'slt', pause: 0.5 },
    { text: 'Nine years, and the first winter was the hardest.', voice: 'rms', pause: 0.5 },
    { text: 'What made you stay?', voice: 'slt', pause: 0.5 },
    { text: 'The silence. You learn to listen to it.', voice: 'rms', pause: 0.8 },
  ],
  shots: () => [
    {
      from: 0,
      colours: ['#46506A', '#2C3448'],
      still: room(),
      moving: ({ time, line, loudness }) => [
        ...portrait(
          {
            x: 430,
            y: 270,
            size: 280,
            time,
            look: 0.6,
            mouth: line % 2 === 0 ? loudness : 0,
            arms: line % 2 === 0 ? 'talk' : 'rest',
          },
          people.june,
        ),
        ...portrait(
          {
            x: 1490,
            y: 270,
            size: 280,
            time: time + 1.7,
            look: -0.6,
            mouth: line % 2 === 1 ? loudness : 0,
            arms: line % 2 === 1 ? 'talk' : 'rest',
          },
          people.theo,
        ),
        ...table(),
      ],
    },
  ],
};

/** A face of nearly the whole height, so near to the edge that a part of it is outside. */
export const closeUp: Video = {
  lines: [
    { text: 'I have never told this to anybody.', voice: 'slt', pause: 0.6 },
    { text: 'The lighthouse was never meant to work.', voice: 'slt', pause: 0.8 },
  ],
  shots: () => [
    {
      from: 0,
      colours: ['#32485E', '#1E2C40'],
      still: boards('#3C556E'),
      moving: ({ time, loudness }) =>
        portrait(
          {
            x: 1660 + Math.sin(time * 0.6) * 30,
            y: 560,
            size: 940,
            time,
            mouth: loudness,
            look: -0.4 + Math.sin(time * 0.9) * 0.2,
            arms: 'rest',
          },
          people.mira,
        ),
    },
  ],
};

/** A video that was published before, with captions in its picture. */
export const captioned: Video = {
  lines: [
    { text: 'Bread is really simple.', voice: 'rms', pause: 0.4 },
    { text: 'Flour, salt,', voice: 'rms', pause: 0.2 },
    { text: 'and a whole night.', voice: 'rms', pause: 0.4 },
    { text: 'Then the oven.', voice: 'rms', pause: 0.8 },
  ],
  shots: (heard) =>
    heard.map(({ text, start }, index): Shot => ({
      from: index === 0 ? 0 : start,
      colours: ['#A8693C', '#6B3B2C'],
      still: boards('#BD7C48'),
      texts: [{ text, x: 960, y: 900, size: 60, colour: '#FFFFFF', centred: true }],
      moving: ({ time, loudness }) =>
        portrait(
          {
            x: 960 + Math.sin(time * 0.8) * 14,
            y: 330,
            size: 300,
            time,
            mouth: loudness,
            look: Math.sin(time * 0.9) * 0.5,
            arms: 'rest',
          },
          people.theo,
        ),
    })),
};

const bar = (colour: string): Shape[] => [
  { path: roundRect(0, 0, 1920, 110, 0), colour: '#DADDE3' },
  { path: roundRect(40, 26, 420, 90, 16), colour: '#FFFFFF' },
  ...['#E4573B', '#E8B23A', '#4F8163'].map((light, index) => ({
    path: ellipse(1780 + index * 46, 56, 14),
    colour: light,
  })),
  { path: roundRect(0, 108, 1920, 10, 0), colour },
];

/** A tab of a browser that was recorded: new pictures only where something changes. */
export const tab: Video = {
  encoding: 'sparse',
  lines: [
    { text: 'Here is the shop, with a green button.', voice: 'slt', pause: 0.5 },
    { text: 'Now I make it red, and nobody clicks.', voice: 'slt', pause: 0.5 },
    { text: 'Blue: twice as many orders.', voice: 'slt', pause: 0.8 },
  ],
  shots: (heard) =>
    (
      [
        ['#2F8F5B', 'Buy a ticket', '40 orders'],
        ['#C2361C', 'Buy a ticket', '12 orders'],
        ['#2D6CB5', 'Buy a ticket', '83 orders'],
      ] as const
    ).map(([colour, action, orders], index): Shot => ({
      from: index === 0 ? 0 : heard[index]!.start - 0.1,
      colours: ['#FFFFFF', '#FFFFFF'],
      still: [...bar(colour), { path: roundRect(160, 620, 620, 150, 24), colour }],
      texts: [
        { text: 'A night at the museum', x: 160, y: 290, size: 110, colour: '#27303F' },
        { text: 'Every Friday from seven to ten', x: 160, y: 430, size: 60, colour: '#27303F' },
        { text: action, x: 250, y: 695, size: 72, colour: '#FFFFFF' },
        { text: orders, x: 1180, y: 695, size: 110, colour },
      ],
      moving: () => [],
    })),
};

/** A title from edge to edge with small print below it, and then who speaks. */
export const titleCard: Video = {
  lines: [
    { text: 'In a small town, a clock stood still for eleven years.', voice: 'awb', pause: 0.5 },
    { text: 'Then a girl of nine asked for the key.', voice: 'awb', pause: 0.8 },
  ],
  shots: (heard) => [
    {
      from: 0,
      colours: ['#1D2733', '#101820'],
      still: [{ path: roundRect(160, 620, 1600, 6, 3), colour: '#E8B23A' }],
      texts: [
        {
          text: 'The Clock of Kettlewick',
          x: 960,
          y: 470,
          size: 170,
          colour: '#F4F1EA',
          centred: true,
        },
        {
          text: 'A true story, told by the man who wound it',
          ...{ x: 960, y: 720, size: 56, colour: '#B8C2CC', centred: true },
        },
      ],
      moving: () => [],
    },
    {
      from: heard[1]!.start - 0.1,
      colours: ['#4C5570', '#333B52'],
      still: boards('#59637F'),
      moving: ({ time, loudness }) =>
        portrait(
          { x: 1180, y: 400, size: 360, time, mouth: loudness, look: -0.3, arms: 'talk' },
          people.sami,
        ),
    },
  ],
};

const star = (x: number, y: number, size: number): Shape => ({
  path: polygon(
    Array.from({ length: 10 }, (_, corner) => {
      const [angle, reach] = [(corner * Math.PI) / 5, corner % 2 === 0 ? size : size * 0.4];
      return { x: x + Math.sin(angle) * reach, y: y - Math.cos(angle) * reach };
    }),
  ),
  colour: '#F4F1EA',
});

/** Two people in front of a flag, whose stars have the edges of letters. */
export const flag: Video = {
  lines: [
    { text: 'Who sewed the first flag of the harbour?', voice: 'slt', pause: 0.5 },
    { text: 'My grandmother did, in one night, from old sails.', voice: 'rms', pause: 0.8 },
  ],
  shots: () => [
    {
      from: 0,
      colours: ['#7A8791', '#56616B'],
      still: [
        { path: roundRect(620, 60, 680, 470, 4), colour: '#27406B' },
        ...Array.from({ length: 30 }, (_, index) =>
          star(680 + (index % 6) * 112, 116 + Math.floor(index / 6) * 90, 30),
        ),
      ],
      moving: ({ time, line, loudness }) =>
        [people.june, people.theo].flatMap((looks, seat) =>
          portrait(
            {
              x: seat === 0 ? 470 : 1450,
              y: 300,
              size: 290,
              time: time + seat * 1.7,
              look: seat === 0 ? 0.6 : -0.6,
              mouth: line === seat ? loudness : 0,
              arms: line === seat ? 'talk' : 'rest',
            },
            looks,
          ),
        ),
    },
  ],
};

/** A person from behind, of whom no face is ever seen. */
export const fromBehind: Video = {
  lines: [
    { text: 'She left before the village woke.', voice: 'awb', pause: 0.5 },
    { text: 'Nobody saw her face, only the red coat.', voice: 'awb', pause: 0.8 },
  ],
  shots: () => [
    {
      from: 0,
      colours: ['#6FA3C7', '#8FB3BF'],
      still: park(),
      moving: ({ time, duration }) => {
        const [x, y, size] = [1580 - (500 * time) / duration, 420, 220];
        return [
          ...portrait({ x, y, size, time, mouth: 0, look: 0, arms: 'walk' }, people.mira),
          { path: ellipse(x, y, size * 0.47, size * 0.6), colour: people.mira.hair },
        ];
      },
    },
  ],
};

/** A lake in the morning from a camera that stores 10 bits of each colour. */
export const tenBits: Video = {
  encoding: 'ten-bits',
  lines: [
    { text: 'Red coat, blue water, white fog.', voice: 'slt', pause: 0.5 },
    { text: 'The colours stay where they belong.', voice: 'slt', pause: 0.8 },
  ],
  shots: () => [
    {
      from: 0,
      colours: ['#5C8DB8', '#B9D3E0'],
      still: lake(),
      moving: ({ time, loudness, duration }) =>
        portrait(
          {
            x: 620 + (620 * time) / duration,
            y: 440,
            size: 280,
            time,
            mouth: loudness,
            look: 0.6,
            arms: 'walk',
          },
          people.mira,
        ),
    },
  ],
};
