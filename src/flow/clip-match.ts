import type { Export } from '../contract/export.ts';

/**
 * Whether an export is of this clip. The folder counts only if both sides have one, because a
 * service may omit it.
 */
export const isOfClip = (
  item: Pick<Export, 'project_id' | 'folder_id'>,
  { project, folder }: { readonly project: string; readonly folder?: string | null },
): boolean =>
  item.project_id === project && (!folder || item.folder_id === null || item.folder_id === folder);
