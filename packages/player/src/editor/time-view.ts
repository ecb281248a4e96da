import type { Span } from 'clip-engine/drawing';

/** The shortest part of the stretch that fills the time line. */
const minSeconds = 2;

/** A view of a length, kept inside the stretch. */
function within(start: number, seconds: number, stretch: Span): Span {
  const length = Math.min(Math.max(minSeconds, seconds), stretch.end - stretch.start);
  const from = Math.min(Math.max(stretch.start, start), stretch.end - length);
  return { start: from, end: from + length };
}

/** The clip with some of the stretch before and after it. */
export function viewAround(clip: Span, stretch: Span): Span {
  const length = clip.end - clip.start;
  const beside = Math.max(4, length * 0.35);
  return within(clip.start - beside, length + 2 * beside, stretch);
}

export const moved = ({ start, end }: Span, by: number, stretch: Span): Span =>
  within(start + by, end - start, stretch);

/** @param by above 1: more of the stretch */
export function zoomed({ start, end }: Span, by: number, stretch: Span): Span {
  const length = Math.max(minSeconds, (end - start) * by);
  return within((start + end) / 2 - length / 2, length, stretch);
}

/** This share of the view stays free beside a handle that is pulled. */
const marginShare = 0.06;

/** The view, moved so that a time is inside it. */
export function beside(view: Span, seconds: number, stretch: Span): Span {
  const margin = (view.end - view.start) * marginShare;
  if (seconds < view.start + margin) return moved(view, seconds - view.start - margin, stretch);
  if (seconds > view.end - margin) return moved(view, seconds - view.end + margin, stretch);
  return view;
}
