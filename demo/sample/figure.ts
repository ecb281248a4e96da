import { capsule, ellipse, polygon, type Point, type Shape } from './drawing.ts';

/**
 * Look and pose of the presenter at one time. Sizes at `scale` 1: 620 pixels from sole to crown.
 */
export interface Pose {
  /** Position of the feet. */
  x: number;
  ground: number;
  scale: number;
  time: number;
  /** Steps a second; 0 stands still. */
  walking: number;
  /** 1 looks right, -1 left. */
  facing: 1 | -1;
  /** How far the mouth is open, 0 to 1. */
  mouth: number;
  jumper: string;
}

const skin = '#E8A77C';
const skinShade = '#D18E64';
const hair = '#3A2418';
const trousers = '#26304D';
const shoe = '#141A2E';

const reach = (from: Point, angle: number, length: number): Point => ({
  x: from.x + Math.sin(angle) * length,
  y: from.y + Math.cos(angle) * length,
});

const darker = (colour: string): string =>
  `#${[1, 3, 5]
    .map((from) =>
      Math.round(parseInt(colour.slice(from, from + 2), 16) * 0.82)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;

/** The presenter, back to front. */
export function figure(pose: Pose): Shape[] {
  const { time: t, scale: s, facing } = pose;
  const stride = pose.walking > 0 ? Math.sin(t * pose.walking * Math.PI) : 0;
  const bounce = pose.walking > 0 ? Math.abs(stride) * 8 : Math.sin(t * 2.1) * 3;
  const place = (x: number, y: number): Point => ({
    x: pose.x + x * s * facing,
    y: pose.ground + (y - bounce * 0.6) * s,
  });
  const limb = (a: Point, b: Point, ra: number, rb: number, colour: string): Shape => ({
    path: capsule(place(a.x, a.y), place(b.x, b.y), ra * s, rb * s),
    colour,
  });

  const leg = (side: number, swing: number, colour: string): Shape[] => {
    const hip = { x: side * 24, y: -282 };
    const knee = reach(hip, swing * 0.5, 132);
    const ankle = reach(knee, swing * 0.5 - Math.max(0, -swing) * 0.7, 130);
    return [
      limb(hip, knee, 34, 27, colour),
      limb(knee, ankle, 27, 19, colour),
      limb({ x: ankle.x - 4, y: ankle.y + 6 }, { x: ankle.x + 34, y: ankle.y + 8 }, 16, 13, shoe),
    ];
  };
  const gesture = (offset: number) =>
    0.5 + 0.5 * Math.sin(t * 1.7 + offset) * Math.sin(t * 0.6 + offset * 2);
  const arm = (side: number, colour: string): Shape[] => {
    const lift = pose.walking > 0 ? 0.12 : gesture(side * 1.3);
    const shoulder = { x: side * 60, y: -448 };
    const upper = pose.walking > 0 ? -side * stride * 0.55 : side * (0.22 + lift * 0.42);
    const elbow = reach(shoulder, upper, 98);
    const fore =
      pose.walking > 0
        ? upper + 0.35
        : side * (0.5 + lift * 1.75) + 0.16 * Math.sin(t * 5.2 + side * 2);
    const hand = reach(elbow, fore, 88);
    const palm = reach(hand, fore, 15);
    return [
      limb(shoulder, elbow, 29, 23, colour),
      limb(elbow, hand, 23, 18, colour),
      limb(hand, palm, 17, 18, skin),
    ];
  };

  const sway = Math.sin(t * 1.3) * 4;
  const head = { x: sway + 4, y: -552 + Math.sin(t * 2.9) * 2 };
  const circle = (x: number, y: number, rx: number, ry: number, colour: string): Shape => {
    const centre = place(head.x + x, head.y + y);
    return { path: ellipse(centre.x, centre.y, rx * s, ry * s), colour };
  };
  const blink = t % 3.7 < 0.12 ? 0.12 : 1;
  const torso = [
    [-70, -470],
    [-30, -486],
    [30, -486],
    [70, -470],
    [78, -440],
    [64, -300],
    [60, -262],
    [-60, -262],
    [-64, -300],
    [-78, -440],
  ].map(([x, y]) => place((x ?? 0) + sway * (-(y ?? 0) / 520), y ?? 0));
  const shade: Shape = {
    path: ellipse(pose.x, pose.ground + 14 * s, 130 * s, 15 * s),
    colour: '#000000',
    opacity: 0.22,
    blur: 6,
  };
  // A closed mouth is a smile; the louder the speech, the lower the lower lip.
  const mouth = (): Shape[] => {
    const open = 3.5 + pose.mouth * 20;
    const lip = (drop: number, steps: number[]) =>
      steps.map((step) => {
        const u = step / 6 - 1;
        return place(head.x + 9 + u * 20, head.y + 37 + (1 - u * u) * drop);
      });
    const up = Array.from({ length: 13 }, (_, step) => step);
    const edge = [...lip(6, up), ...lip(6 + open, up.toReversed())];
    return [{ path: polygon(edge), colour: '#7A2E2A' }];
  };
  const brow = (x: number): Shape => {
    const lift = -14 - Math.max(0, Math.sin(t * 0.9)) * 4;
    return limb(
      { x: head.x + x - 11, y: head.y + lift + 1 },
      { x: head.x + x + 11, y: head.y + lift },
      3,
      3,
      hair,
    );
  };
  return [
    shade,
    ...arm(-1, darker(pose.jumper)),
    ...leg(-1, -stride, darker(trousers)),
    ...leg(1, stride, trousers),
    circle(-46, -34, 34, 34, hair),
    circle(0, 2, 70, 74, hair),
    limb({ x: sway, y: -505 }, { x: sway * 0.8, y: -470 }, 24, 28, skinShade),
    { path: polygon(torso), colour: pose.jumper },
    circle(2, 8, 60, 66, skin),
    circle(-60, 14, 11, 15, skinShade),
    // A fringe: hair over the forehead.
    circle(-16, -46, 50, 26, hair),
    circle(30, -48, 36, 20, hair),
    circle(-16, 6, 6.5, 8.5 * blink, '#23160F'),
    circle(30, 6, 6.5, 8.5 * blink, '#23160F'),
    circle(-32, 28, 12, 8, '#E48F74'),
    circle(44, 28, 11, 8, '#E48F74'),
    circle(9, 22, 6, 7, skinShade),
    ...mouth(),
    brow(-17),
    brow(30),
    ...arm(1, pose.jumper),
  ];
}
