import { ellipse, hexagon, polygon, roundRect, type Shape } from './drawing.ts';
import type { Scenery } from './script.ts';

export interface Palette {
  /** The two colours of the background, from the upper left to the lower right. */
  ground: [string, string];
  /** A second pair, for the close-ups. */
  near: [string, string];
  ink: string;
  accent: string;
  jumper: string;
  floor: string;
}

export const palettes: Readonly<Record<Scenery, Palette>> = {
  title: {
    ground: ['#16213E', '#3A2F6B'],
    near: ['#2A2A5C', '#5B3F84'],
    ink: '#FFFFFF',
    accent: '#FFD166',
    jumper: '#FF7B54',
    floor: '#0F1730',
  },
  bees: {
    ground: ['#FFE29A', '#FFB347'],
    near: ['#FFD36E', '#F79A3E'],
    ink: '#3B2208',
    accent: '#C2410C',
    jumper: '#2E6F6A',
    floor: '#E58A2B',
  },
  sleep: {
    ground: ['#141A46', '#4A3A8C'],
    near: ['#20215A', '#6A4A9C'],
    ink: '#F5F0FF',
    accent: '#FFD9A0',
    jumper: '#E88FB4',
    floor: '#0E1233',
  },
  money: {
    ground: ['#BFF0D4', '#4FB995'],
    near: ['#9FE3C2', '#35A283'],
    ink: '#083D33',
    accent: '#0B6B57',
    jumper: '#F2A93B',
    floor: '#2B8A6E',
  },
  questions: {
    ground: ['#FFC2B0', '#F2607A'],
    near: ['#FFA995', '#E24A6B'],
    ink: '#4A0F26',
    accent: '#8E1B45',
    jumper: '#2F4B8F',
    floor: '#C93D5C',
  },
};

const wave = (time: number, speed: number, offset = 0): number => Math.sin(time * speed + offset);

/** Large soft lights behind everything, which never move. */
export const lights = (scenery: Scenery, near: boolean): Shape[] => [
  {
    path: ellipse(near ? 640 : 620, 520, near ? 520 : 430),
    colour: '#FFFFFF',
    opacity: scenery === 'sleep' || scenery === 'title' ? 0.1 : 0.28,
    blur: 40,
  },
  { path: ellipse(1650, 190, 300), colour: '#FFFFFF', opacity: 0.1, blur: 40 },
];

/** The floor: a wide hill at the lower edge. */
export const floor = (scenery: Scenery): Shape => ({
  path: ellipse(900, 1330, 1700, 420),
  colour: palettes[scenery].floor,
});

function bee(x: number, y: number, size: number, facing: 1 | -1, time: number): Shape[] {
  const part = (u: number, v: number, ru: number, rv: number, colour: string, opacity = 1) => ({
    path: ellipse(x + u * size * facing, y + v * size, ru * size, rv * size),
    colour,
    opacity,
  });
  const flap = 0.75 + 0.25 * wave(time, 40);
  return [
    part(-8, -24, 13, 22 * flap, '#FFFFFF', 0.75),
    part(10, -24, 12, 20 * flap, '#FFFFFF', 0.75),
    part(0, 0, 34, 22, '#FFC928'),
    part(-12, 0, 5, 20, '#3B2208'),
    part(4, 0, 5, 21, '#3B2208'),
    part(27, 0, 13, 15, '#3B2208'),
    part(31, -4, 3.5, 3.5, '#FFFFFF'),
  ];
}

function honeycomb(): Shape[] {
  const cells: Shape[] = [];
  for (let row = 0; row < 5; row++) {
    for (let column = 0; column < 4; column++) {
      const x = 1330 + column * 176 + (row % 2) * 88;
      const y = 80 + row * 152;
      if ((row * 7 + column * 3) % 5 === 0) continue;
      cells.push({ path: hexagon(x, y, 92), colour: '#FFF3C9', opacity: 0.34 });
    }
  }
  return cells;
}

const stars = (): Shape[] =>
  Array.from({ length: 46 }, (_, index) => ({
    path: ellipse((index * 397) % 1920, (index * 211) % 700, 1.6 + ((index * 7) % 3)),
    colour: '#FFFFFF',
    opacity: 0.35 + ((index * 13) % 6) / 12,
  }));

const question = (x: number, y: number, size: number, opacity: number): Shape[] => [
  { path: roundRect(x, y, 250 * size, 170 * size, 60 * size), colour: '#FFFFFF', opacity },
  {
    path: polygon([
      { x: x + 60 * size, y: y + 150 * size },
      { x: x + 120 * size, y: y + 160 * size },
      { x: x + 50 * size, y: y + 215 * size },
    ]),
    colour: '#FFFFFF',
    opacity,
  },
  ...[0, 1, 2].map((dot) => ({
    path: ellipse(x + (70 + dot * 55) * size, y + 85 * size, 15 * size),
    colour: '#E24A6B',
    opacity,
  })),
];

/** What does not move behind the presenter in a wide shot. */
export function backdrop(scenery: Scenery): Shape[] {
  if (scenery === 'bees') return honeycomb();
  if (scenery === 'sleep') {
    return [
      ...stars(),
      { path: ellipse(1660, 210, 150), colour: '#FFE9C4', opacity: 0.25, blur: 30 },
      { path: ellipse(1660, 210, 96), colour: '#FFEFD2' },
      { path: ellipse(1630, 190, 18), colour: '#F2D9B0' },
      { path: ellipse(1690, 240, 26), colour: '#F2D9B0' },
      { path: ellipse(1675, 165, 12), colour: '#F2D9B0' },
    ];
  }
  if (scenery === 'title') return stars().map((star) => ({ ...star, opacity: 0.4 }));
  return [];
}

/** What moves around the presenter, at a time within the topic (`time`, `share` of it 0 to 1). */
export function props(scenery: Scenery, time: number, share: number): Shape[] {
  switch (scenery) {
    case 'bees':
      return [0, 1, 2].flatMap((index) => {
        const phase = time * (1.1 - index * 0.12) + index * 2.1;
        // A figure of eight, like the bees' dance.
        const x = 1540 + index * 30 + Math.sin(phase) * (210 - index * 30);
        const y = 250 + index * 190 + Math.sin(phase * 2) * 55 + wave(time, 26) * 3;
        return bee(x, y, 1.15 - index * 0.15, Math.cos(phase) > 0 ? 1 : -1, time);
      });
    case 'sleep':
      return [0, 1, 2, 3].map((index) => {
        const rise = (time * 0.22 + index / 4) % 1;
        return {
          path: ellipse(
            850 + rise * 60 + wave(time, 1.3, index) * 22,
            640 - rise * 460,
            12 + rise * 22,
          ),
          colour: '#FFE9C4',
          opacity: 0.7 * Math.sin(rise * Math.PI),
        };
      });
    case 'money':
      return [0, 1, 2, 3, 4].flatMap((index) => {
        const grown = Math.min(1, Math.max(0, share * 7 - index));
        const height = (70 + 38 * 1.78 ** index) * grown;
        const x = 1490 + index * 84;
        if (grown === 0) return [];
        const top = 930 - height;
        return [
          { path: roundRect(x, top, 64, height + 20, 18), colour: '#0B6B57', opacity: 0.9 },
          { path: ellipse(x + 32, top - 34 - wave(time, 3, index) * 7, 27), colour: '#E39A1F' },
          { path: ellipse(x + 29, top - 37 - wave(time, 3, index) * 7, 22), colour: '#FFD166' },
        ];
      });
    case 'questions':
      return [
        ...question(1490 + wave(time, 0.9) * 16, 130 + wave(time, 1.3) * 14, 1, 0.92),
        ...question(1270 + wave(time, 0.7, 2) * 14, 60 + wave(time, 1.1, 1) * 16, 0.62, 0.6),
        ...question(1640 + wave(time, 0.8, 4) * 12, 420 + wave(time, 1.2, 3) * 16, 0.5, 0.5),
      ];
    case 'title':
      return [0, 1, 2, 3].map((index) => ({
        path: ellipse(
          1660 + Math.cos(time * 0.5 + (index * Math.PI) / 2) * 170,
          215 + Math.sin(time * 0.5 + (index * Math.PI) / 2) * 110,
          30 + 12 * wave(time, 1.4, index),
        ),
        colour: ['#FFD166', '#FF7B54', '#7BDFF2', '#C77DFF'][index] ?? '#FFFFFF',
        opacity: 0.85,
      }));
  }
}
