/**
 * The `Idempotency-Key` of a paid start: the same for a revision in every tab and after a reload,
 * so that it is paid once; another one when an export of the revision has failed.
 */
export const exportKey = (
  project: string,
  revision: number,
  failed: { readonly id: string; readonly revision?: number | undefined } | null,
): string => `editor.${project}.${revision}.${failed?.revision === revision ? failed.id : 'first'}`;
