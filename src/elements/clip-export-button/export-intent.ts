import { ClipError } from '../../client/clip-error.ts';
import type { ExportIntent } from '../../client/export-start.ts';
import { idOption } from '../settings/id-option.ts';
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
