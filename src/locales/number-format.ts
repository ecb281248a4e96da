const made = new Map<string, Intl.NumberFormat>();

function make(language: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  try {
    return new Intl.NumberFormat([language, 'en'], options);
  } catch {
    return new Intl.NumberFormat('en', options);
  }
}

/**
 * Formats numbers for a language (BCP 47); in English if it is not a language, or one that the
 * browser does not know. Never throws.
 */
export function getNumberFormat(
  language: string,
  options: Intl.NumberFormatOptions,
): Intl.NumberFormat {
  const key = language + JSON.stringify(options);
  let format = made.get(key);
  if (!format) made.set(key, (format = make(language, options)));
  return format;
}
