/** Whole English clauses and telling phrases, by the part of speech of each word. */
import nlp from 'compromise';
import { withoutLead } from './title-words.ts';

/** A part of a word with its part of speech. “I’ve” has two, and the second has no text. */
interface Term {
  text: string;
  normal: string;
  tags: readonly string[];
}

/** A written word, as it stands between two spaces. */
interface Written {
  text: string;
  terms: Term[];
}

interface Parsed {
  words: Written[];
  /** Indexes of the words with which clauses begin. */
  starts: number[];
}

function parse(sentence: string): Parsed {
  const clauses = nlp(sentence).clauses().json({ offset: false }) as {
    terms: (Term & { pre: string; post: string })[];
  }[];
  const words: Written[] = [];
  const starts: number[] = [];
  let glued = false;
  for (const { terms } of clauses) {
    terms.forEach((term, index) => {
      const { pre, text, post } = term;
      const word = words.at(-1);
      if (word && (glued || text === '')) {
        word.text += pre.trimStart() + text + post.trimEnd();
        word.terms.push(term);
      } else {
        if (index === 0) starts.push(words.length);
        words.push({ text: pre.trimStart() + text + post.trimEnd(), terms: [term] });
      }
      // A hyphen joins two terms to one word. The last term of “I’ve” has the space.
      glued = !/\s$/.test(post) && terms[index + 1] !== undefined;
    });
  }
  return { words, starts };
}

const personal = /^(?:i|you|we|he|she|they|nobody|everybody|everyone|someone)$/;

/** Subjects that say nothing if one does not know what they stand for. */
const loose = /^(?:it|that|this|they|he|she|these|those|there|which|one|him|her|them|some|both)$/;

/** A shorter clause is rarely a title. */
const minWords = 4;

/** A beginning of a sentence that is shorter may only seem to be whole. */
const minBeginningWords = 6;

/** Words that a clause does not end with. */
const hanging =
  /^(?:like|so|just|really|then|also|too|maybe|kind|sort|of|the|than|if|as|not|very|such|get|got|make|made|let|gets|i|he|she|we|they|who|what|which|because|though|it's|don't|doesn't|didn't|isn't|wasn't|can't|won't|i'm|you're|they're|we're)$/i;

/** Verbs that need an object. */
const transitive =
  /^(?:be|am|is|are|was|were|been|have|has|had|do|does|can|could|will|would|should|may|might|must|said|says|say|want|wants|wanted|need|needs|let|lets|put|means?|meant|takes?|took|gives?|gave|finds?|found|uses?|used|makes?|thinks?|feels?|felt|seems?|keeps?|kept)$/;

const fillers =
  /\b(?:you know|i mean|i guess|kind of|sort of|or whatever|or something|and stuff|i think|blah|um|uh|et cetera|just like|(?:was|were|be|am|is|are|m|re|s) like|do like|and when|and if|but when|but if|that one|this one)\b|--|—|\.\.\.|…/i;

const has = (term: Term | undefined, ...tags: string[]) =>
  tags.some((tag) => term?.tags.includes(tag) ?? false);

/**
 * Whether words are a clause that one understands by itself: a subject with its verb, or a
 * question, and an end that needs no more words.
 */
function isWhole(text: string, words: readonly Written[]): boolean {
  if (words.length < minWords || fillers.test(text)) return false;
  if (/^i (?:don['’]t|do not) (?:even )?know\b/i.test(text)) return false;
  const terms = words.flatMap((word) => word.terms);
  const last = terms.at(-1)!;
  if (has(last, 'Preposition', 'Conjunction', 'Determiner', 'Auxiliary', 'Modal', 'QuestionWord'))
    return false;
  if (hanging.test(last.normal) || hanging.test(words.at(-1)!.text.replace(/[^\p{L}’']+$/u, '')))
    return false;
  if (transitive.test(last.normal) && has(last, 'Verb')) return false;
  const verb = terms.findIndex((term) => has(term, 'Verb') && !has(term, 'Gerund', 'Adverb'));
  if (verb < 0) return false;
  const first = terms[0]!;
  if (text.endsWith('?')) return has(first, 'QuestionWord', 'Verb', 'Auxiliary', 'Modal');
  if (has(first, 'QuestionWord', 'Preposition', 'Conjunction')) return false;
  if (verb === 0) {
    // A command: “Don't write code after midnight”.
    return (
      has(first, 'Infinitive', 'Imperative') || /^(?:don't|never|stop|let's)$/.test(first.normal)
    );
  }
  if (loose.test(first.normal)) return false;
  const subject = terms.slice(0, verb);
  // “the numbers you just saw”, “the best way to learn”: the verb has another subject, or there is
  // none.
  if (subject.slice(1).some(({ normal }) => personal.test(normal) || normal === 'to')) return false;
  if (subject.some((term) => has(term, 'Conjunction', 'QuestionWord'))) return false;
  return subject.some((term) => has(term, 'Noun', 'Pronoun')) && subject.length <= 5;
}

/** A clause may end before one of these words. */
const joint =
  /^(?:which|who|that|because|when|while|where|if|unless|until|and|but|so|or|after|before|since|though|as|with|without|in|on|at|from|by|during|about)$/i;

/** Where parts of a sentence begin and end: runs of clauses, and beginnings before a joint. */
function* partsOf({ words, starts }: Parsed): Generator<[from: number, to: number]> {
  const bounds = [...starts, words.length];
  for (let from = 0; from < starts.length; from++) {
    for (let to = from + 1; to < bounds.length; to++) yield [bounds[from]!, bounds[to]!];
  }
  for (let to = minBeginningWords; to < words.length; to++) {
    if (joint.test(words[to]!.text)) yield [0, to];
  }
}

export interface WholeClause {
  text: string;
  /** How many names and nouns it has. */
  nouns: number;
  /** How many words it has that stand for something that it may not name. */
  loose: number;
}

/**
 * The parts of a sentence that are whole clauses.
 * @param accepts says which texts are of use; only these are looked at
 */
export function wholeClausesOf(
  sentence: string,
  accepts: (text: string) => boolean = () => true,
): WholeClause[] {
  const parsed = parse(sentence);
  const found: WholeClause[] = [];
  for (const [first, to] of partsOf(parsed)) {
    const written = parsed.words.slice(first, to).map(({ text }) => text);
    // Fillers at the start do not count: “and so I think”.
    const text = withoutLead(written.join(' '), 'en').replace(/[,;:\s]+$/u, '');
    const skipped = written.length - text.split(' ').length;
    const words = parsed.words.slice(first + skipped, to);
    if (!accepts(text) || !isWhole(text, words)) continue;
    const terms = words.flatMap((word) => word.terms);
    found.push({
      text,
      nouns: terms.filter((term) => has(term, 'Noun') && !has(term, 'Pronoun')).length,
      loose: terms.filter(({ normal }) => loose.test(normal)).length,
    });
  }
  return found;
}

/** Phrases of nouns, as they are said: “the old bridge”, “event loop”. */
export function nounPhrases(text: string): string[] {
  const phrases = nlp(text)
    .match('#Adjective? #Noun+')
    .not('(#Pronoun|#Possessive)')
    .out('array') as string[];
  return phrases
    .map((phrase) => phrase.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
    .filter((phrase) => /\p{L}{3}/u.test(phrase) && !fillers.test(phrase));
}
