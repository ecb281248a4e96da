import { baseLanguage, languageCode } from '../language-code.ts';

/**
 * Finds a server's code for a language: the same code, otherwise one with the same base language
 * (`pt` for `pt-BR`).
 * @param language code in any spelling, or an English name
 * @param codes codes that the server knows
 * @returns null if none matches
 */
export function matchingCode(language: string, codes: readonly string[]): string | null {
  const code = languageCode(language);
  if (!code) return null;
  const same = codes.find((one) => languageCode(one) === code);
  if (same) return same;
  const base = baseLanguage(code);
  return (
    codes.find((one) => one.toLowerCase() === base) ??
    codes.find((one) => baseLanguage(languageCode(one) ?? one) === base) ??
    null
  );
}
