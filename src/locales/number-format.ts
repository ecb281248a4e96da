/** Formats numbers for a language (BCP 47); for English where it is none, or one that the browser does not know. Never throws. */
export const numberFormat = (
  language: string,
  options: Intl.NumberFormatOptions,
): Intl.NumberFormat => {
  try {
    return new Intl.NumberFormat([language, 'en'], options);
  } catch {
    return new Intl.NumberFormat('en', options);
  }
};
