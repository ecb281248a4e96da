import { ClipError } from '../client/clip-error.ts';
import type { ExportIntent } from '../client/export-intent.ts';
import { checkWatermark } from './watermark-check.ts';

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

/** An id that goes along with a start, or null for none. What a framework wrote in place of another value is refused. */
const idOption = (value: unknown, attribute: string): string | null => {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'string' && value !== '[object Object]') return value;
  throw new ClipError(
    'invalid-option',
    `${attribute} cannot be read: it must be the text of an id.`,
  );
};

/** A number that a framework may have set as a text; what is no number stays one, and is refused. */
const numberOption = (value: unknown): unknown =>
  typeof value === 'string' ? Number(value.trim() || NaN) : (value ?? undefined);

/** The watermark of the flat attributes, or null where there is no image. */
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
 * What the settings stand for. Throws `invalid-watermark` or `invalid-option` where an option cannot be read: a start
 * without it would be paid for, and not be what the page wants.
 */
export const exportIntent = (settings: ExportSettings): ExportIntent => {
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
};
