import { capsule, ellipse, polygon, roundRect, type Point, type Shape } from '../sample/drawing.ts';

/** How a person looks; the same in every picture. */
export interface Looks {
  skin: string;
  /** Around the eyes, below the nose, the neck. */
  shade: string;
  /** The bridge of the nose. */
  light: string;
  hair: string;
  cut: 'bob' | 'short' | 'bun' | 'beard';
  top: string;
  /** A darker shade of the top, so that the arms are visible against it. */
  sleeve: string;
  collar: string;
}

/** Position and pose of a person at one time, from the hips up. */
export interface Pose {
  /** Middle of the face. */
  x: number;
  y: number;
  /** Height of the face's oval in pixels; all other sizes follow from it. */
  size: number;
  time: number;
  /** How far the mouth is open, 0 to 1. */
  mouth: number;
  /** Where they look, -1 (left) to 1 (right). */
  look: number;
  /** `walk` swings the arms, `talk` moves the hands, `rest` keeps them down. */
  arms: 'walk' | 'talk' | 'rest';
}

const dark = '#23160F';
const lips = '#9A4044';

function arm(pose: Pose, looks: Looks, side: 1 | -1, at: (x: number, y: number) => Point) {
  const { time: t, size: s } = pose;
  const swing = pose.arms === 'walk' ? Math.sin(t * 6) * 0.5 * side : 0;
  const lift =
    pose.arms === 'talk'
      ? 0.55 + 0.45 * Math.sin(t * 1.9 + side * 1.4) * Math.sin(t * 0.7 + side)
      : 0;
  const upper = side * 0.16 + swing * 0.5;
  const fore = pose.arms === 'talk' ? side * (-0.5 - lift * 1.5) : swing * 0.9 + side * 0.05;
  const reach = (from: Point, angle: number, length: number): Point => ({
    x: from.x + Math.sin(angle) * length * s,
    y: from.y + Math.cos(angle) * length * s,
  });
  const shoulder = at(side * 0.74, 1.02);
  const elbow = reach(shoulder, upper, 0.88);
  const hand = reach(elbow, fore, 0.72);
  return [
    { path: capsule(shoulder, elbow, 0.24 * s, 0.19 * s), colour: looks.sleeve },
    { path: capsule(elbow, hand, 0.19 * s, 0.13 * s), colour: looks.sleeve },
    { path: capsule(hand, reach(hand, fore, 0.14), 0.13 * s, 0.14 * s), colour: looks.skin },
  ];
}

/**
 * A friendly face on shoulders, drawn from back to front. It has the light and dark areas that
 * detectors look for: eyes in shade, a light bridge of the nose between them, a dark mouth below.
 */
export function portrait(pose: Pose, looks: Looks): Shape[] {
  const { time: t, size: s, look } = pose;
  const bob = pose.arms === 'walk' ? Math.abs(Math.sin(t * 6)) * -0.05 : Math.sin(t * 1.7) * 0.012;
  const at = (x: number, y: number): Point => ({ x: pose.x + x * s, y: pose.y + (y + bob) * s });
  const oval = (x: number, y: number, rx: number, ry: number, colour: string, more = {}): Shape => {
    const middle = at(x, y);
    return { path: ellipse(middle.x, middle.y, rx * s, ry * s), colour, ...more };
  };
  /** A part of the face that turns with it. */
  const part = (x: number, y: number, rx: number, ry: number, colour: string, more = {}): Shape =>
    oval(x + look * 0.045, y, rx, ry, colour, more);
  const limb = (a: Point, b: Point, ra: number, rb: number, colour: string): Shape => ({
    path: capsule(a, b, ra * s, rb * s),
    colour,
  });
  const corner = at(-0.92, 0.7);
  const long = looks.cut === 'bob';
  const hairBack: Shape[] = long
    ? [
        oval(0, -0.05, 0.52, 0.6, looks.hair),
        {
          path: roundRect(at(-0.52, 0).x, at(0, -0.1).y, 1.04 * s, 0.72 * s, 0.24 * s),
          colour: looks.hair,
        },
      ]
    : [oval(0, -0.1, 0.45, 0.54, looks.hair)];
  if (looks.cut === 'bun') hairBack.unshift(oval(-look * 0.12, -0.66, 0.22, 0.2, looks.hair));
  const blink = (t + pose.x / 300) % 3.9 < 0.12 ? 0.15 : 1;
  // Curved, because a straight eyebrow looks angry or worried.
  const brow = (side: number): Shape[] => {
    const lift = Math.max(0, Math.sin(t)) * 0.015;
    const [inner, middle, outer] = [
      [0.09, -0.19],
      [0.17, -0.215],
      [0.255, -0.185],
    ].map(([x = 0, y = 0]) => at(side * x + look * 0.045, y - lift)) as [Point, Point, Point];
    return [
      limb(inner, middle, 0.02, 0.021, looks.hair),
      limb(middle, outer, 0.021, 0.012, looks.hair),
    ];
  };
  const eye = (side: number): Shape[] => [
    part(side * 0.165, -0.07, 0.125, 0.09, looks.shade, { opacity: 0.55, blur: 3 }),
    part(side * 0.165, -0.07, 0.085, 0.056 * blink, '#FFFFFF'),
    part(side * 0.165 + look * 0.03, -0.07, 0.05, 0.053 * blink, dark),
    part(side * 0.165 + look * 0.03 + 0.015, -0.088, 0.013, 0.013 * blink, '#FFFFFF'),
    ...brow(side),
  ];
  const mouth = (): Shape => {
    const open = 0.035 + pose.mouth * 0.13;
    const edge = (drop: number, steps: number[]) =>
      steps.map((step) => {
        const u = step / 6 - 1;
        return at(u * 0.13 + look * 0.05, 0.25 + Math.sqrt(1 - u * u) * drop);
      });
    const steps = Array.from({ length: 13 }, (_, step) => step);
    return {
      path: polygon([...edge(0.045, steps), ...edge(0.045 + open, steps.toReversed())]),
      colour: lips,
    };
  };
  const beard: Shape[] =
    looks.cut === 'beard'
      ? [
          part(0, 0.3, 0.34, 0.25, looks.hair, { opacity: 0.45 }),
          part(0, 0.12, 0.3, 0.2, looks.skin),
          part(0, 0.215, 0.15, 0.03, looks.hair, { opacity: 0.6 }),
        ]
      : [];
  return [
    ...hairBack,
    limb(at(0, 0.3), at(0, 0.78), 0.16, 0.18, looks.shade),
    { path: roundRect(corner.x, corner.y, 1.84 * s, 3.2 * s, 0.5 * s), colour: looks.top },
    oval(0, 0.72, 0.27, 0.13, looks.collar),
    limb(at(0, 0.5), at(0, 0.7), 0.155, 0.15, looks.shade),
    ...[-1, 1].map((side) => oval(side * 0.39, 0.02, 0.07, 0.1, looks.shade)),
    oval(0, 0, 0.38, 0.5, looks.skin),
    ...beard,
    ...[-1, 1].map((side) =>
      part(side * 0.24, 0.12, 0.08, 0.055, '#E9836B', { opacity: 0.4, blur: 3 }),
    ),
    ...eye(-1),
    ...eye(1),
    part(0, 0.03, 0.04, 0.13, looks.light, { blur: 1 }),
    part(0, 0.145, 0.06, 0.028, looks.shade),
    mouth(),
    oval(-0.13, -0.4, 0.3, 0.16, looks.hair),
    oval(0.2, -0.4, 0.22, 0.13, looks.hair),
    ...arm(pose, looks, -1, at),
    ...arm(pose, looks, 1, at),
  ];
}

export const people = {
  mira: {
    skin: '#E9B48C',
    shade: '#B07F60',
    light: '#F8D2B2',
    hair: '#4A2A1C',
    cut: 'bob',
    top: '#E4573B',
    sleeve: '#CC4529',
    collar: '#FFF3E4',
  },
  theo: {
    skin: '#C98E63',
    shade: '#8C5E40',
    light: '#E3AE85',
    hair: '#211712',
    cut: 'short',
    top: '#2D6CB5',
    sleeve: '#245A99',
    collar: '#DCE9F7',
  },
  june: {
    skin: '#F0C3A0',
    shade: '#BC8B6C',
    light: '#FCDFC6',
    hair: '#A8532A',
    cut: 'bun',
    top: '#2F8F7B',
    sleeve: '#257867',
    collar: '#E2F4EE',
  },
  sami: {
    skin: '#E0AB80',
    shade: '#9A6A49',
    light: '#EFC29B',
    hair: '#2A1C15',
    cut: 'beard',
    top: '#3F3A7A',
    sleeve: '#332E66',
    collar: '#EFEAFF',
  },
} as const satisfies Readonly<Record<string, Looks>>;
