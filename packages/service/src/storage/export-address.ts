import { fileAddress, type PublicFiles } from './public-files.ts';

/** Gives the public address of a stored file. */
export const exportAddress =
  ({ files, publicUrl }: { readonly files: PublicFiles; readonly publicUrl: () => string }) =>
  (key: string): string =>
    fileAddress(files, `${publicUrl()}/`, key);
