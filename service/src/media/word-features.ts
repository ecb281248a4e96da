/** How much a text does a thing, each 0 to 1. English words are known; marks and digits count in any language. */

const limit = (value: number): number => Math.min(1, Math.max(0, value));

const questionStart =
  /^(?:and |but |so )?(?:(?:why|how|what|when|where|who|which)(?:'s| (?:do|does|did|is|are|was|were|can|could|would|will|should|if|happens|has|have))|have you|did you|do you|can you|could you|would you|are you|is it)\b/i;
const address = /\b(?:you|your|you're|you'll|you've)\b/i;
const promise =
  /\b(?:secret|mistake|nobody|no one|everyone|never|always|truth|wrong|surprising|trick|reason|problem|stop|imagine|remember|best|worst|most people|the one|here is|here's|turns out|changed)\b/i;
const contrastWord =
  /\b(?:but|however|instead|although|though|yet|not because|rather than|except|unless|despite|whereas|never|opposite|nothing|in fact|actually|turns out)\b/gi;
const numeral =
  '(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|half|twice|double|percent)';
/** `seven hundred and thirty` is one number. */
const numberWords = new RegExp(`\\b${numeral}\\b(?:[\\s-]+(?:and\\s+)?${numeral}\\b)*`, 'gi');

/** Words that lean on what was said before. */
const leaning =
  /^(?:and|but|so|because|then|it|this|that|these|those|he|she|they|which|also|or)\b/i;

export const asksQuestion = (text: string): boolean =>
  /[?？؟]/.test(text) || questionStart.test(text.trim());

/** Numbers that are told: runs of digits, and runs of English number words. */
export const numbersIn = (text: string): number =>
  (text.match(/\d[\d.,]*/g)?.length ?? 0) + (text.match(numberWords)?.length ?? 0);

export const contrastsIn = (text: string): number => text.match(contrastWord)?.length ?? 0;

export const leansOnBefore = (text: string): boolean => leaning.test(text.trim());

/** How well a sentence makes one stay: a question, the listener addressed, a promise, a number, shortness. */
export function hookStrength(text: string): number {
  const words = text.split(/\s+/).length;
  return limit(
    (asksQuestion(text) ? 0.45 : 0) +
      (promise.test(text) ? 0.25 : 0) +
      (address.test(text) ? 0.15 : 0) +
      (numbersIn(text) > 0 ? 0.15 : 0) +
      (/[!！]/.test(text) ? 0.1 : 0) +
      (words >= 3 && words <= 14 ? 0.1 : 0) -
      (leansOnBefore(text) ? 0.15 : 0),
  );
}

export const endsWhole = (text: string): boolean => /[.!?…。！？؟]["”’)\]]*$/u.test(text.trim());
