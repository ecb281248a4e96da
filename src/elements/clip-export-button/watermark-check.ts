import { ClipError } from '../../client/clip-error.ts';
import type { WatermarkInput } from '../../contract/export.ts';

const within = (value: unknown, low: number, high: number): boolean =>
  typeof value === 'number' && value >= low && value <= high;

/**
 * The watermark with its defaults and an absolute URL; null for none. Throws `invalid-watermark` if
 * it does not fit the specification (2.6).
 */
export function checkWatermark(watermark: unknown): Required<WatermarkInput> | null {
  if (watermark === null || watermark === undefined) return null;
  const refuse = (what: string): never => {
    throw new ClipError('invalid-watermark', `The watermark cannot be used: ${what}.`);
  };
  if (typeof watermark !== 'object') return refuse('it must be an object with src_url');
  const { src_url, pos_x = 0.5, pos_y = 0.5, scale = 1, ...rest } = watermark as WatermarkInput;
  // These would count as URLs relative to the page.
  const unreadable = typeof src_url !== 'string' || /^(\s*|\[object Object\])$/.test(src_url);
  const url =
    !unreadable && URL.canParse(src_url, document.baseURI)
      ? new URL(src_url, document.baseURI)
      : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    return refuse('its image needs an http or https address');
  }
  if (!within(pos_x, 0, 1) || !within(pos_y, 0, 1)) refuse('positions are numbers from 0 to 1');
  if (!within(scale, Number.MIN_VALUE, 100)) refuse('the scale is above 0 and at most 100');
  const [unknown] = Object.keys(rest);
  if (unknown) refuse(`it has no "${unknown}"`);
  return { src_url: url.href, pos_x, pos_y, scale };
}
