import { ClipError } from '../client/clip-error.ts';
import type { ExportIntent } from '../client/export-session.ts';
import type { ClipExportButton } from './clip-export-button.ts';
import { checkWatermark } from './watermark-check.ts';

/** What the button stands for. Throws `invalid-watermark` where its watermark cannot be used. */
export const exportIntent = (button: ClipExportButton): ExportIntent => {
  const { project, folder, presetId, exportId, watermarkSrc } = button;
  const flat = watermarkSrc
    ? {
        src_url: watermarkSrc,
        pos_x: button.watermarkX ?? undefined,
        pos_y: button.watermarkY ?? undefined,
        scale: button.watermarkScale ?? undefined,
      }
    : null;
  const watermark = checkWatermark(button.watermark ?? flat);
  if (watermark && presetId) {
    throw new ClipError('invalid-watermark', 'A watermark and a preset cannot go together.');
  }
  return {
    project: project!,
    folder: folder || null,
    exportId: exportId || null,
    options: { ...(watermark && { watermark }), ...(presetId && { preset_id: presetId }) },
  };
};
