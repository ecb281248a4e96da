import type { Word } from '../facts.ts';

/** Divides a time range among words by their length. */
export function spreadWords(texts: string[], start: number, end: number): Word[] {
  // A short word takes more time than its letters suggest, so each word gets a constant on top.
  const weights = texts.map((text) => text.length + 1.5);
  const whole = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  let passed = 0;
  return texts.map((text, index) => {
    const from = start + ((end - start) * passed) / whole;
    passed += weights[index] ?? 0;
    return { text, start: from, end: start + ((end - start) * passed) / whole };
  });
}
