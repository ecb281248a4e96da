import { ClipError } from '../client/clip-error.ts';
import type { ExportIntent } from '../client/export-session.ts';
import type { ClipExportButton } from './clip-export-button.ts';
import { checkWatermark } from './watermark-check.ts';

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
const flatWatermark = (button: ClipExportButton): unknown =>
  button.watermarkSrc === null
    ? null
    : {
        src_url: button.watermarkSrc,
        pos_x: numberOption(button.watermarkX),
        pos_y: numberOption(button.watermarkY),
        scale: numberOption(button.watermarkScale),
      };

/**
 * What the button stands for. Throws `invalid-watermark` or `invalid-option` where an option cannot be read: a start
 * without it would be paid for, and not be what the page wants.
 */
export const exportIntent = (button: ClipExportButton): ExportIntent => {
  const watermark = checkWatermark(button.watermark ?? flatWatermark(button));
  const presetId = idOption(button.presetId, 'preset-id');
  if (watermark && presetId) {
    throw new ClipError('invalid-watermark', 'A watermark and a preset cannot go together.');
  }
  return {
    project: button.project!,
    folder: idOption(button.folder, 'folder'),
    exportId: idOption(button.exportId, 'export-id'),
    options: { ...(watermark && { watermark }), ...(presetId && { preset_id: presetId }) },
  };
};
