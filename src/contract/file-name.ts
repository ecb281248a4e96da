/**
 * The file name of a downloaded clip (section 4.10). Every character other than letters (A to Z, a
 * to z), digits, `.`, `_` and `-` becomes `_`; `.mp4` is added.
 */
export const downloadFileName = (clipName: string): string =>
  `${clipName.replace(/[^A-Za-z0-9._-]/gu, '_')}.mp4`;
