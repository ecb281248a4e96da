import { explanationTexts } from './explanation-texts.ts';
import type { ClipMeasures } from './features.ts';
import { effectsOf, type Features } from './score.ts';

/** A smaller effect on the score is not mentioned. */
const minNamedEffect = 0.004;

/** At most this many strengths are mentioned. */
const maxStrengths = 2;

/** Features that say how a clip begins come first, then what it has, then how it is said. */
const order = ['answered', 'answeredByNumber', 'hook', 'question', 'thought'];

/** What viewers would not call a strength of a clip. */
const unnamed: ReadonlySet<string> = new Set(['opening', 'ending', 'answer', 'purpose', 'length']);

/** What nearly every chosen clip has: mentioned if there is nothing else to say. */
const common: ReadonlySet<string> = new Set(['thought', 'unity', 'speech']);

/** Features that an explanation does not mention if the other one is. */
const alike: Readonly<Record<string, string>> = { reply: 'exchange', exchange: 'reply' };

/**
 * The features to mention: those that raise the score most, and the one that lowers it most. A
 * reaction is not among them, because it is always mentioned.
 */
export function named(features: Features): { strong: string[]; weak: string | null } {
  const effects = effectsOf(features);
  const strong: string[] = [];
  const raising = effects.filter(([, effect]) => effect >= minNamedEffect);
  const special = raising.filter(([name]) => !common.has(name));
  for (const [name] of special.length > 0 ? special : raising) {
    if (strong.length === maxStrengths) break;
    if (unnamed.has(name) || name === 'reaction' || strong.includes(name)) continue;
    if (!strong.includes(alike[name] ?? '')) strong.push(name);
  }
  const [weakest] = effects.toReversed();
  const weak = weakest && weakest[1] <= -minNamedEffect ? weakest[0] : null;
  return { strong, weak };
}

function clock(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/**
 * Says in one sentence what happens in a clip and why it works; a second one names what speaks
 * against it, if something does.
 * @param options.language base code of the language of the words; English if it has no texts
 * @param options.lengthSeconds length of the clip
 * @param options.chosenByModel whether a language model chose this part too
 */
export function explain(
  features: Features,
  measures: ClipMeasures,
  {
    language,
    lengthSeconds,
    chosenByModel = false,
  }: { language: string; lengthSeconds: number; chosenByModel?: boolean },
): string {
  const [texts, locale] = explanationTexts(language);
  const { strong, weak } = named(features);
  const keys = [...strong];
  if (measures.answersOpening) {
    keys.unshift(measures.numbers ? 'answeredByNumber' : 'answered');
  }
  const said = keys
    // Turns that are only likely are no fact to tell.
    .filter((key) => measures.turnsMarked || !(key in alike))
    .filter((key) => !measures.answersOpening || (key !== 'question' && key !== 'hook'))
    .slice(0, maxStrengths + 1)
    .toSorted((one, other) => place(one) - place(other))
    .map((key) => texts.strengths[key])
    .filter((text) => text !== undefined);
  const list = new Intl.ListFormat(locale, { type: 'conjunction' }).format(new Set(said));
  const at = measures.reactions.findLast((time) => time > 0.5);
  const reaction =
    at === undefined ? '' : texts.reaction.replace('{time}', clock(Math.min(at, lengthSeconds)));
  const first = [list, reaction].filter(Boolean).join('; ');
  const sentences = [
    first ? `${first[0]!.toLocaleUpperCase(locale)}${first.slice(1)}.` : texts.plain,
  ];
  if (weak && weak in texts.weaknesses) sentences.push(texts.weaknesses[weak]!);
  if (chosenByModel) sentences.push(texts.model);
  return sentences.join(' ');
}

const place = (key: string): number => (order.indexOf(key) + 100) % 100;
