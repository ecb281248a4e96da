type Dice = () => number;

/**
 * The position of a person at a second, in widths of the window: random rests, slow walks and
 * sudden moves.
 */
export function wanderer(dice: Dice, { room, seconds }: { room: number; seconds: number }) {
  const moves: { start: number; takes: number; from: number; to: number }[] = [];
  const anywhere = () => 0.15 + dice() * (room - 0.3);
  let place = anywhere();
  for (let start = 0; start < seconds;) {
    const kind = dice();
    const to = kind < 0.45 ? place : anywhere();
    const far = Math.abs(to - place);
    // A walk is slow; a sudden move crosses two windows in a second.
    const takes = kind < 0.8 ? Math.max(1 + dice() * 5, far / 0.5) : Math.max(0.6, far / 2);
    moves.push({ start, takes, from: place, to });
    place = to;
    start += takes;
  }
  return (second: number): number => {
    const move = moves.findLast(({ start }) => start <= second) ?? moves[0]!;
    const share = Math.min(1, Math.max(0, (second - move.start) / move.takes));
    return move.from + (move.to - move.from) * share * share * (3 - 2 * share);
  };
}

/** A random value around zero, usually between -1 and 1. */
export const about = (dice: Dice): number =>
  Math.sqrt(-2 * Math.log(dice() + 1e-9)) * Math.cos(2 * Math.PI * dice());

/** Mean absolute third difference: how much a movement jerks from frame to frame. */
export function meanJerk(places: readonly number[]): number {
  let sum = 0;
  for (let at = 3; at < places.length; at++) {
    sum += Math.abs(places[at]! - 3 * places[at - 1]! + 3 * places[at - 2]! - places[at - 3]!);
  }
  return sum / Math.max(1, places.length - 3);
}
