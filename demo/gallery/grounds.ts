import { capsule, ellipse, polygon, roundRect, type Shape } from '../sample/drawing.ts';

/**
 * A row of hills or mountains over the whole width. `waves` are [height, length, phase] in pixels.
 */
const ridge = (
  y: number,
  waves: readonly (readonly [number, number, number])[],
  colour: string,
): Shape => ({
  path: polygon([
    { x: -20, y: 1100 },
    ...Array.from({ length: 98 }, (_, step) => {
      const x = -20 + step * 20;
      const rise = waves.reduce(
        (sum, [height, length, phase]) => sum + height * Math.sin(x / length + phase),
        0,
      );
      return { x, y: y - rise };
    }),
    { x: 1940, y: 1100 },
  ]),
  colour,
});

const tree = (x: number, ground: number, size: number, colour: string): Shape[] => [
  {
    path: capsule({ x, y: ground }, { x, y: ground - 150 * size }, 13 * size, 9 * size),
    colour: '#6B5748',
  },
  { path: ellipse(x, ground - 210 * size, 95 * size, 110 * size), colour },
  { path: ellipse(x - 52 * size, ground - 165 * size, 62 * size), colour },
  { path: ellipse(x + 55 * size, ground - 170 * size, 60 * size), colour },
];

/** A park in pale colours, so that a walking person is easy to see. */
export const park = (): Shape[] => [
  { path: ellipse(1500, 240, 110), colour: '#FFF1C9', opacity: 0.9, blur: 6 },
  ridge(
    640,
    [
      [46, 260, 0],
      [18, 120, 1],
    ],
    '#7FA596',
  ),
  ridge(
    740,
    [
      [36, 330, 2],
      [12, 90, 0],
    ],
    '#6B957F',
  ),
  ...tree(240, 800, 1.15, '#4F8163'),
  ...tree(700, 780, 0.8, '#5E8F72'),
  ...tree(1210, 790, 0.95, '#558869'),
  ...tree(1700, 810, 1.25, '#4A7B5D'),
  ridge(845, [[14, 420, 1]], '#B09F80'),
  ridge(1010, [[10, 300, 0]], '#7FA070'),
];

/** A room in the evening: shelf, window, table. Its middle is empty. */
export const room = (): Shape[] => [
  { path: roundRect(770, 130, 380, 430, 24), colour: '#3B4A66' },
  { path: roundRect(790, 150, 340, 390, 14), colour: '#7F92B5' },
  { path: ellipse(1050, 250, 34), colour: '#E4E3D2' },
  { path: roundRect(954, 150, 12, 390, 2), colour: '#3B4A66' },
  { path: roundRect(790, 335, 340, 12, 2), colour: '#3B4A66' },
  ...[1340, 1400, 1450, 1510, 1580, 1640].map((x, index) => ({
    path: roundRect(x, 96 + (index % 3) * 14, 40, 130 - (index % 3) * 14, 6),
    colour: ['#55617A', '#6B5E6A', '#4E6A70', '#5F5A78', '#6A6658', '#50586F'][index] ?? '#55617A',
  })),
  { path: roundRect(1310, 226, 400, 16, 6), colour: '#2E3950' },
];

export const table = (): Shape[] => [
  { path: roundRect(-40, 790, 2000, 370, 20), colour: '#5A4636' },
  { path: roundRect(-40, 790, 2000, 22, 8), colour: '#6F5845' },
  ...[700, 1220].flatMap((x) => [
    { path: roundRect(x - 42, 728, 84, 84, 16), colour: '#D9D2C5' },
    { path: ellipse(x + 50, 766, 22, 22), colour: '#D9D2C5' },
    { path: ellipse(x + 50, 766, 11, 11), colour: '#4A4A58' },
  ]),
];

/** A mountain lake before sunrise, similar from edge to edge. */
export const lake = (): Shape[] => [
  { path: roundRect(-200, 300, 2320, 220, 100), colour: '#C9B8E6', opacity: 0.55, blur: 60 },
  { path: roundRect(-200, 380, 2320, 120, 60), colour: '#EFD9EA', opacity: 0.5, blur: 40 },
  ...Array.from({ length: 44 }, (_, index) => ({
    path: ellipse(
      (index * index * 97 + index * 443 + 60) % 1920,
      ((index * 157 + index * index * 31) % 330) + 24,
      2 + (index % 3),
    ),
    colour: '#FFFFFF',
    opacity: 0.75,
  })),
  ridge(
    470,
    [
      [60, 66, 0],
      [38, 31, 1],
      [16, 13, 2],
    ],
    '#6F7FB8',
  ),
  ridge(
    560,
    [
      [56, 78, 2],
      [30, 29, 0],
      [12, 11, 1],
    ],
    '#53619C',
  ),
  ridge(
    660,
    [
      [44, 58, 4],
      [26, 24, 2],
      [10, 9, 0],
    ],
    '#3B4780',
  ),
  { path: roundRect(-20, 740, 1960, 360, 2), colour: '#5566A4' },
  ...Array.from({ length: 34 }, (_, index) => ({
    path: roundRect(
      (index * index * 53 + index * 331) % 1880,
      765 + ((index * 97) % 300),
      90 + (index % 4) * 40,
      5,
      2,
    ),
    colour: '#A9B6E3',
    opacity: 0.6,
  })),
];

/** Boards of a studio wall behind a face in close-up. */
export const boards = (colour: string): Shape[] =>
  Array.from({ length: 9 }, (_, index) => ({
    path: roundRect(-10 + index * 218, -20, 206, 1120, 4),
    colour,
    opacity: 0.35,
  }));
