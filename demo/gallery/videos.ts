import { ellipse, polygon, roundRect, type Shape } from '../sample/drawing.ts';
import type { Video, Heard, Instant, Shot } from './video.ts';
import { boards, lake, park, room, table } from './grounds.ts';
import {
  captioned,
  closeUp,
  flag,
  fromBehind,
  interview,
  tab,
  tenBits,
  titleCard,
} from './hard-sources.ts';
import { people, portrait, type Looks } from './portrait.ts';
import { archive, dusk, hall, joke, lesson } from './source-videos.ts';

function smooth(share: number): number {
  const u = Math.min(1, Math.max(0, share));
  return u * u * (3 - 2 * u);
}

/** A cut just before a line. */
const before = (heard: readonly Heard[], line: number): number => heard[line]!.start - 0.12;

/** A close-up of a person who speaks to the viewer. */
const speaker = (looks: Looks, x = 960, size = 400) =>
  ((now: Instant) =>
    portrait(
      {
        x: x + Math.sin(now.time * 0.8) * 14,
        y: 420,
        size,
        time: now.time,
        mouth: now.loudness,
        look: Math.sin(now.time * 0.9) * 0.5,
        arms: 'talk',
      },
      looks,
    )) satisfies Shot['moving'];

/** She walks to the right, stops to make her point, and walks back. */
const walk: Video = {
  lines: [
    { text: 'Why do the best ideas come on a walk?', voice: 'slt', pause: 0.5 },
    { text: 'Your legs are busy, so your brain may wander.', voice: 'slt', pause: 0.5 },
    { text: 'Leave the phone at home, and take a question along.', voice: 'slt', pause: 0.6 },
  ],
  shots: (heard) => {
    const [rest, back] = [heard[1]!.start - 0.2, heard[2]!.start - 0.2];
    return [
      {
        from: 0,
        colours: ['#6FA3C7', '#8FB3BF'],
        still: park(),
        moving: ({ time, loudness, duration }) => {
          const away = smooth(time / rest);
          const home = smooth((time - back) / (duration - back - 0.3));
          const going = (away > 0.02 && away < 0.98) || (home > 0.02 && home < 0.98);
          return portrait(
            {
              x: 330 + 1260 * away - 900 * home,
              y: 420,
              size: 215,
              time,
              mouth: loudness,
              look: !going ? 0 : home > 0.02 ? -1 : 1,
              arms: going ? 'walk' : 'talk',
            },
            people.mira,
          );
        },
      },
    ];
  },
};

/** Two people at a table, too far apart for one upright window, with cuts to each. */
const talk: Video = {
  lines: [
    { text: 'Do you know why a cat purrs?', voice: 'slt', pause: 0.35 },
    { text: 'Because it is happy?', voice: 'rms', pause: 0.5 },
    { text: 'Not only. It also purrs to heal itself.', voice: 'slt', pause: 0.5 },
    { text: 'So my cat is a doctor!', voice: 'rms', pause: 1.3 },
    { text: 'And she never sends a bill.', voice: 'slt', pause: 0.8 },
  ],
  shots: (heard) => {
    const says = (line: number, voice: string) => heard[line]?.voice === voice;
    const left = (now: Instant, x: number, y: number, size: number): Shape[] =>
      portrait(
        {
          x,
          y,
          size,
          time: now.time,
          look: 0.9,
          mouth: says(now.line, 'slt') ? now.loudness : 0,
          arms: says(now.line, 'slt') ? 'talk' : 'rest',
        },
        people.june,
      );
    const right = (now: Instant, x: number, y: number, size: number): Shape[] =>
      portrait(
        {
          x,
          y,
          size,
          time: now.time + 1.7,
          look: -0.9,
          mouth: says(now.line, 'rms') ? now.loudness : 0,
          arms: says(now.line, 'rms') ? 'talk' : 'rest',
        },
        people.theo,
      );
    const colours = ['#46506A', '#2C3448'] as const;
    const wide = (from: number): Shot => ({
      from,
      colours,
      still: room(),
      moving: (now) => [...left(now, 370, 196, 200), ...right(now, 1550, 196, 200), ...table()],
    });
    return [
      wide(0),
      {
        from: before(heard, 2),
        colours: ['#4C5570', '#333B52'],
        still: boards('#59637F'),
        moving: (now) => left(now, 640, 430, 430),
      },
      {
        from: before(heard, 3),
        colours: ['#4A4E66', '#30344A'],
        still: boards('#575B78'),
        moving: (now) => right(now, 1280, 430, 430),
      },
      wide(before(heard, 4)),
    ];
  },
};

const bird = (x: number, y: number, size: number, flap: number): Shape => ({
  path: polygon([
    { x: x - 26 * size, y: y - flap * size },
    { x, y: y + 4 * size },
    { x: x + 26 * size, y: y - flap * size },
    { x, y: y + 9 * size },
  ]),
  colour: '#2B3360',
});

/** No subject to follow: a lake from edge to edge, with birds that cross it. */
const lakeside: Video = {
  lines: [
    { text: 'Six in the morning, and nobody is here.', voice: 'rms', pause: 0.6 },
    { text: 'No face to follow, only mountains and water.', voice: 'rms', pause: 0.6 },
    { text: 'So the whole picture stays.', voice: 'rms', pause: 0.9 },
  ],
  shots: () => [
    {
      from: 0,
      colours: ['#3A4590', '#6E78BE'],
      still: lake(),
      moving: ({ time }) =>
        Array.from({ length: 9 }, (_, index) =>
          bird(
            ((index * 230 + time * 46) % 2020) - 50,
            190 + ((index * 83) % 150) + Math.sin(time * 1.3 + index) * 10,
            0.7 + (index % 3) * 0.15,
            10 + Math.sin(time * 7 + index * 2) * 10,
          ),
        ),
    },
  ],
};

/** A person who speaks slowly. A meter shows silence. */
const pauses: Video = {
  lines: [
    { text: 'Let me think about that.', voice: 'rms', pause: 2.1 },
    { text: 'The secret of a good talk is the pause.', voice: 'rms', pause: 2.2 },
    { text: 'In a short video, nobody waits for it.', voice: 'rms', pause: 1.8 },
  ],
  shots: () => [
    {
      from: 0,
      colours: ['#C4603A', '#7F3437'],
      still: boards('#D98A55'),
      moving: (now) => [
        ...speaker(people.theo, 960, 380)(now),
        ...Array.from({ length: 5 }, (_, index) => {
          const height =
            16 + now.loudness * 150 * (0.5 + 0.5 * Math.sin(now.time * 21 + index * 2));
          return {
            path: roundRect(1560 + index * 46, 560 - height / 2, 26, height, 13),
            colour: now.loudness > 0.05 ? '#FFE0A8' : '#D98A55',
          };
        }),
      ],
    },
  ],
};

/** The story of coffee, in Arabic. The voice knows only English, so it reads a transcription. */
const coffee: Video = {
  lines: [
    {
      text: 'القهوة بدأت في اليمن.',
      said: 'al kahwa bada at fill yemen',
      voice: 'rms',
      pause: 0.6,
    },
    {
      text: 'شربها الناس ليسهروا حتى الفجر.',
      said: 'shariba han nas, lee yas haroo, hatta al fajer',
      voice: 'rms',
      pause: 0.6,
    },
    {
      text: 'واليوم يشربها العالم كله.',
      said: 'wal yom, yashra boo hal aalam, kulloo',
      voice: 'rms',
      pause: 0.8,
    },
  ],
  shots: () => [
    {
      from: 0,
      colours: ['#6E8A84', '#3E5A5C'],
      still: [
        ...boards('#86A39B'),
        { path: roundRect(120, 700, 260, 24, 8), colour: '#7A5B40' },
        { path: roundRect(180, 590, 130, 112, 22), colour: '#F7EFE3' },
        { path: ellipse(318, 640, 34, 30), colour: '#F7EFE3' },
        { path: ellipse(318, 640, 17, 14), colour: '#D9BC98' },
      ],
      moving: (now) => [
        ...[0, 1, 2].map((index) => {
          const rise = (now.time * 0.35 + index / 3) % 1;
          return {
            path: ellipse(
              245 + Math.sin(now.time * 1.6 + index * 2) * 16,
              570 - rise * 180,
              14 + rise * 16,
            ),
            colour: '#FFFFFF',
            opacity: 0.55 * Math.sin(rise * Math.PI),
            blur: 8,
          };
        }),
        ...speaker(people.sami, 1180, 370)(now),
      ],
    },
  ],
};

/** One sentence, for several styles. */
const styles: Video = {
  lines: [{ text: 'Keep what matters, and say it with style.', voice: 'slt', pause: 0.7 }],
  shots: () => [
    {
      from: 0,
      colours: ['#6C7BD9', '#B45FA5'],
      still: boards('#8E93E6'),
      moving: speaker(people.mira, 960, 400),
    },
  ],
};

/**
 * The videos of the gallery by name, each 4 to 15 s. Written and drawn for it; nothing is quoted.
 */
export const videos = {
  walk,
  talk,
  lesson,
  hall,
  lakeside,
  joke,
  pauses,
  dusk,
  archive,
  coffee,
  styles,
  interview,
  'close-up': closeUp,
  captioned,
  tab,
  'ten-bits': tenBits,
  'title-card': titleCard,
  flag,
  'from-behind': fromBehind,
} as const satisfies Readonly<Record<string, Video>>;
