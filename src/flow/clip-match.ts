import type { Export } from '../contract/export.ts';

/**
 * Whether an export is of the clip that was asked for. The folder counts where both the page and the export name one: a
 * service may leave it out.
 */
export const isOfClip = (
  one: Pick<Export, 'project_id' | 'folder_id'>,
  { project, folder }: { readonly project: string; readonly folder?: string | null },
): boolean =>
  one.project_id === project && (!folder || one.folder_id === null || one.folder_id === folder);
