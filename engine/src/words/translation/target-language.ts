import { baseLanguage, languageCode } from '../language-code.ts';

/** The code by which a server knows a language: the very one, else one of the same base (`pt-BR` as `pt`); null for none. */
export function matchingCode(wanted: string, codes: readonly string[]): string | null {
  const code = languageCode(wanted);
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
