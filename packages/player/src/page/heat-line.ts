import type { ViewReport } from 'clip-kit/contract';
import { find } from './dom.ts';

/*
 * How much of a clip its visitors watch, over the time line. Loaded by an embed page with `heat=1`.
 */

const width = 1000;
const height = 100;

/**
 * The outline of the line as an SVG path: the middle of each ten seconds at its share, in a box of
 * 1000 to 100. Empty for a clip that was not watched, or without a length.
 */
export function drawHeatPath(
  { views, retention }: Pick<ViewReport, 'views' | 'retention'>,
  durationSeconds: number,
): string {
  if (!views || !(durationSeconds > 0)) return '';
  const points = retention.map(({ second, share }, at) => {
    const end = Math.min(durationSeconds, retention[at + 1]?.second ?? durationSeconds);
    return [(second + end) / 2 / durationSeconds, share] as const;
  });
  const first = points[0]?.[1] ?? 0;
  const last = points.at(-1)?.[1] ?? 0;
  const outline = [[0, 0], [0, first], ...points, [1, last], [1, 0]] as const;
  return `M${outline
    .map(([x, y]) => `${Math.round(x * width)} ${Math.round((1 - y) * height)}`)
    .join('L')}Z`;
}

/** Draws the line above the time line, in the place of an earlier one. */
export function drawHeat(report: ViewReport, durationSeconds: number): void {
  const timeline = find('.timeline');
  timeline.querySelector('.heat')?.remove();
  const outline = drawHeatPath(report, durationSeconds);
  if (!outline) return;
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.classList.add('heat');
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  svg.setAttribute('preserveAspectRatio', 'none');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(svg.namespaceURI!, 'path');
  path.setAttribute('d', outline);
  svg.append(path);
  timeline.prepend(svg);
}
