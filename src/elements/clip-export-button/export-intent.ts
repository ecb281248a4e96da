import { ClipError } from '../../client/clip-error.ts';
import type { ExportIntent } from '../../client/export-start.ts';
import { idOption } from '../settings/id-option.ts';
import type { WatermarkInput } from '../../contract/export.ts';

/** What a page has set for an export: not checked yet. */
export interface ExportSettings {
  readonly project: string | null;
  readonly folder: unknown;
  readonly exportId: unknown;
  readonly presetId: unknown;
  readonly watermark: unknown;
  readonly watermarkSrc: unknown;
  readonly watermarkX: unknown;
  readonly watermarkY: unknown;
  readonly watermarkScale: unknown;
}

/** A number that may be set as a text. Other texts give NaN, which fails the later check. */
const numberOption = (value: unknown): unknown =>
  typeof value === 'string' ? Number(value.trim() || NaN) : (value ?? undefined);

/** The watermark of the flat attributes, or null if there is no image. */
const flatWatermark = (settings: ExportSettings): unknown =>
  settings.watermarkSrc === null
    ? null
    : {
        src_url: settings.watermarkSrc,
        pos_x: numberOption(settings.watermarkX),
        pos_y: numberOption(settings.watermarkY),
        scale: numberOption(settings.watermarkScale),
      };

/**
 * The intent of these settings. Throws `invalid-watermark` or `invalid-option` if one cannot be
 * read, because an export without it would cost money and not be what the page wants.
 */
export function exportIntent(settings: ExportSettings): ExportIntent {
  const watermark = checkWatermark(settings.watermark ?? flatWatermark(settings));
  const presetId = idOption(settings.presetId, 'preset-id');
  if (watermark && presetId) {
    throw new ClipError('invalid-watermark', 'A watermark and a preset cannot go together.');
  }
  return {
    project: settings.project!,
    folder: idOption(settings.folder, 'folder'),
    exportId: idOption(settings.exportId, 'export-id'),
    options: { ...(watermark && { watermark }), ...(presetId && { preset_id: presetId }) },
  };
}

const within = (value: unknown, low: number, high: number): boolean =>
  typeof value === 'number' && value >= low && value <= high;

/**
 * The watermark with its defaults and an absolute URL; null for none. Throws `invalid-watermark` if
 * it does not fit the specification (2.6).
 */
function checkWatermark(watermark: unknown): Required<WatermarkInput> | null {
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
