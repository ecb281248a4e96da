import type { Export } from '../contract/export.ts';

/**
 * Whether an export is of this clip. The folder counts only if both sides have one, because a
 * service may omit it.
 */
export const isOfClip = (
  one: Pick<Export, 'project_id' | 'folder_id'>,
  { project, folder }: { readonly project: string; readonly folder?: string | null },
): boolean =>
  one.project_id === project && (!folder || one.folder_id === null || one.folder_id === folder);
