/** Whole English sentences and telling phrases, by the part of speech of each word. */
import nlp from 'compromise';
import { splitWords } from '../words/word-text.ts';

/** A part of a word with its part of speech. “I’ve” has two, and the second has no text. */
interface Term {
  text: string;
  normal: string;
  /** The word that a part of a contraction stands for. */
  implicit?: string;
  tags: readonly string[];
}

/** A term with what stands before and after it. */
type Marked = Term & { pre: string; post: string };

const personal = /^(?:i|you|we|he|she|they|nobody|everybody|everyone|someone)$/;

/** Subjects that say nothing if one does not know what they stand for. */
const loose = /^(?:it|that|this|they|he|she|these|those|there|which|one|him|her|them|some|both)$/;

/** A shorter clause is rarely a title. */
const minWords = 4;

/** Words that a clause does not end with. */
const hanging =
  /^(?:like|so|just|really|then|also|too|maybe|kind|sort|of|the|than|if|as|not|very|such|get|got|make|made|let|gets|i|he|she|we|they|who|what|which|because|though|it's|don't|doesn't|didn't|isn't|wasn't|can't|won't|i'm|you're|they're|we're)$/i;

/** Verbs that need an object. */
const transitive =
  /^(?:be|am|is|are|was|were|been|have|has|had|do|does|can|could|will|would|should|may|might|must|said|says|say|want|wants|wanted|need|needs|let|lets|put|means?|meant|takes?|took|gives?|gave|finds?|found|uses?|used|makes?|thinks?|feels?|felt|seems?|keeps?|kept|knows?|knew|tells?|told|asks?|asked|sees?|saw|likes?|liked|loves?|loved|hates?|hated|try|tried|expects?|expected|believes?|remembers?|understands?|calls?|called|shows?|showed|gonna)$/;

const fillers =
  /\b(?:you know|i mean|i guess|kind of|sort of|i suppose|or whatever|or something|and stuff|i think|blah|um|uh|et cetera|just like|(?:was|were|be|am|is|are|m|re|s) like|do like|and when|and if|but when|but if|that one|this one)\b|--|—|\.\.\.|…/i;

const has = (term: Term | undefined, ...tags: string[]) =>
  tags.some((tag) => term?.tags.includes(tag) ?? false);

/** “Do you”, “is the old”: a question without a question word begins with verb and subject. */
const isAsking = (terms: readonly Term[]): boolean =>
  has(terms[0], 'QuestionWord') ||
  (/^(?:do|does|is|are|am|has|have|can|could|will|would|should)$/.test(terms[0]!.normal) &&
    has(terms[1], 'Noun', 'Pronoun', 'Determiner', 'Possessive'));

/**
 * Whether a sentence can be understood alone: a subject with its verb, or a question, and an end
 * that needs no more words.
 */
function isWhole(text: string, terms: readonly Term[]): boolean {
  if (splitWords(text).length < minWords || fillers.test(text)) return false;
  if (/^i (?:don['’]t|do not) (?:even )?know\b/i.test(text)) return false;
  const last = terms.at(-1)!;
  if (has(last, 'Preposition', 'Conjunction', 'Determiner', 'Auxiliary', 'Modal', 'QuestionWord'))
    return false;
  if (hanging.test(last.normal)) return false;
  if (transitive.test(last.normal) && has(last, 'Verb')) return false;
  const verb = terms.findIndex((term) => has(term, 'Verb') && !has(term, 'Gerund', 'Adverb'));
  if (verb < 0) return false;
  const first = terms[0]!;
  if (text.endsWith('?')) return isAsking(terms);
  if (has(first, 'QuestionWord', 'Preposition', 'Conjunction')) return false;
  // A command: “Don't write code after midnight”. Others are a part of a story or a dialogue.
  if (verb === 0)
    return /^(?:(?:don['’]t|never) (?!know|think|care|mean|have|want|remember)|stop )/i.test(text);
  if (loose.test(first.normal)) return false;
  const subject = terms.slice(0, verb);
  // “the numbers you just saw”, “the best way to learn”: the verb has another subject, or there is
  // none.
  if (subject.slice(1).some(({ normal }) => personal.test(normal) || normal === 'to')) return false;
  const relative = /^(?:who|that|which)$/;
  if (
    subject.some((term) => has(term, 'Conjunction', 'QuestionWord') || relative.test(term.normal))
  )
    return false;
  return subject.some((term) => has(term, 'Noun', 'Pronoun')) && subject.length <= 5;
}

/** A sentence that is whole. */
export interface WholeClause {
  /** Whether a viewer understands the topic without any context. */
  clear: boolean;
  /** The number of names in it. */
  names: number;
}

/** Words that need the sentences before. */
const pointing =
  /^(?:it|its|that|this|they|their|he|his|she|these|those|which|one|him|her|hers|them|some|both|others?|another|again|here|then|there|such|too|either|neither|else|same|yours|mine|ours|thing|things|stuff|way|whatever)$/i;

/** The rest of a sentence that the speaker began again, or of two that were joined. */
const broken =
  /[,;:"“”()]|\s(?:But|And|So|Yeah|Oh|Well|Like|Because)\b|^(?!.*\?$)\p{Lu}\p{L}+ (?:I|you|we|he|she|they)\b|\b(?:not|n['’]t|take|have|do|did|was|is|are|were|had|will|would|could|can|should|the|an?|to|of) I\b|\ban? (?:year|month|week|day|minute)$/u;

/** About the event or the people in it, and not about a subject. */
const greeting =
  /\b(?:have you (?:back|on)|good (?:morning|evening)|how are you|welcome|thank(?:s| you)|i (?:was|am|'m) (?:gonna|going to) (?:ask|say)|(?:ask|tell|show) you|let me|we(?:['’]ll| will| are going)|i(?:['’]d| would|['’]ll| will) (?:say|like to|love to|have to)|what['’]s|who['’]s|where['’]s|(?:talk|start|begin) (?:about|with)|let us know|what is your|(?:do|would) you mind|(?:can|may|could) i|i (?:do |just )?(?:want to|wanna|just) (?:say|reach)|(?:give|send) you|i know that|(?:like|as) (?:i|you) said|yeah|as well|next question|show notes|listeners?|episode|sponsors?|the question|my (?:question|point))\b/i;

/**
 * Said to the one who is there, or about the hour: a question of the day, what “you” did, or “the”
 * thing that only they have in mind.
 */
const ofTheDay =
  /^(?:your?|number|half|all)\b|^(?:(?:do|are|have|does|is|did|am|was|were|will) (?:your?|we|i|my|our)|(?:\w+ )*(?:were|was|did|have|had|has|would|could|can|will) you)\b.*\?$|\b(?:we|our|us|your)\b.*\?$|\b(?:i|me|you['’]re)\b.*\?$|\b(?:you guys|y['’]all)\b|\b(?:just|also|recently|roughly|somewhat|currently|now|today|tonight|tomorrow|yesterday|later|next|at the time|something|somebody|someone)\b|\b(?:you|me)[.!?]*$/i;

/** A statement of people about themselves is a title with a reason, a time or a bound. */
const aboutMyself = /^(?:i|my)\b|\b(?:we|our|us)\b/i;
const telling = /^(?!i['’]m\b).*\b(?:because|when|never|always|until|without|every|best|worst)\b/i;

/** “like” that only fills: after anything but a verb or the person who likes. */
const fillingLike =
  /\b(?:\w+ing|in|at|on|of|by|for|to|with|is|are|has|had|and|['’](?:s|m|re|ve)) like\b/i;

/** Words that compare with, suppose or pick out something from before. */
const needsContext =
  /\b(?:(?:was|were) \w+ing\b|will say\b|even(?: more| less| \w+er)|(?:a lot|much) (?:more|less)|specific|particular|certain|initial|different(?! from| than))\b|^(?!if\b|why\b|how\b|what\b).*\b(?:would|could|might)\b|^what (?:about|if|do you mean)\b/i;

/** Not a word: a path, a mark of a programming language. */
const code = /(?:^|\s)[\\#/@<>*_]/;

/**
 * “the warts”, unless more is said of them, it is a place or a time (“in the town”), a name, or the
 * only one in the world.
 */
const definite =
  /(?<!\b(?:in|on|at|of|to|from|by|with|into|about|over|than|through|for|[Ww]hy (?:do|does|is|are)) )\b[Tt]he (?!(?:world|internet|web|future|past|truth|secret|key|only|first|last|sun|moon|\w+est|best|worst|most)\b|(?<!^The )\p{Lu}\p{Ll}|(?:\S+ ){1,2}of\b)/u;

/** An opinion that does not say why. */
const opinion =
  /\b(?:great|cool|good|bad|fun|awesome|nice|fine|amazing|interesting|crazy|weird|funny|true|upside|makes? sense)[.!]*$/i;

/** A speaker who says a word of weight twice in a line begins again. */
function hasRepetition(terms: readonly Term[]): boolean {
  const named = terms
    .filter((term) => has(term, 'Noun', 'Verb') && !has(term, 'Pronoun', 'Auxiliary', 'Copula'))
    .map(({ normal }) => normal);
  return new Set(named).size < named.length;
}

/**
 * Whether a stranger understands the clause: it names something or asks why, points at nothing
 * that it does not name, and speaks to no one in the room.
 */
function isClear(text: string, terms: readonly Term[]): boolean {
  const signs = [broken, greeting, ofTheDay, fillingLike, opinion, needsContext, code, definite];
  if (signs.some((sign) => sign.test(text))) return false;
  if (aboutMyself.test(text) && !telling.test(text)) return false;
  if (hasRepetition(terms) || (has(terms[0], 'Value') && /^\p{L}/u.test(text))) return false;
  // “Jerod is Sarah Allen”: who is who, among those who are there.
  const copula = terms.findIndex((term) => has(term, 'Copula'));
  if (
    copula > 0 &&
    !text.endsWith('?') &&
    terms.slice(copula + 1).every((term) => /^\p{Lu}/u.test(term.text))
  )
    return false;
  // “Justin” is known to those who are there.
  if (terms.some((term, at) => has(term, 'FirstName') && !has(terms[at + 1], 'LastName')))
    return false;
  // “Nothing that we tried” names what the word stands for.
  const relative = (index: number) =>
    /^(?:that|which)$/.test(terms[index]!.normal) &&
    (has(terms[index - 1], 'Noun') || has(terms[index + 1], 'Pronoun')) &&
    terms[index + 1] !== undefined;
  const points = ({ normal }: Term, index: number) =>
    pointing.test(normal.replace(/['’].*/, '')) && !relative(index);
  if (terms.some(points)) return false;
  const nouns = terms.filter(
    (term) =>
      has(term, 'Noun') && !has(term, 'Pronoun', 'Possessive', 'Date', 'Value', 'Expression'),
  );
  if (/^why\b.*\?$/i.test(text)) return true;
  return nouns.some(
    (term) => term.text.length > 2 && !vague.test(term.text) && !personal.test(term.normal),
  );
}

/**
 * Reads one sentence.
 * @returns null if it is none, or more than one, or cannot be understood alone
 */
export function readWholeClause(sentence: string): WholeClause | null {
  const parsed = nlp(sentence).json({ offset: false }) as { terms: Marked[] }[];
  const [{ terms } = { terms: [] }] = parsed;
  if (parsed.length !== 1 || !isWhole(sentence, terms)) return null;
  const names = terms.filter(
    (term, index) => index > 0 && /^\p{Lu}/u.test(term.text) && has(term, 'Noun'),
  ).length;
  // “What did you classify as that?” asks the one who is there; of WebTorrent, anyone may ask.
  const personalQuestion =
    /\byou\b/i.test(sentence) && sentence.endsWith('?') && !telling.test(sentence);
  return { clear: isClear(sentence, terms) && (names > 0 || !personalQuestion), names };
}

/** Nouns that name nothing alone. */
const vague =
  /^(?:thing|stuff|lot|kind|sort|way|guy|man|dude|people|person|folk|(?:some|any|every|no)(?:one|body|thing)|time|times|end|question|answer|point|part|bit|place|case|fact|reason|side|sense|number|name|word|example|premise|couple|bunch|deal|matter|hand|one|most|rest|other|moment|second|minute|hour|day|week|month|year|morning|night|while|today|tomorrow|yesterday|ton|piece|set|level|type|form|area|step|thought|idea|feeling|opinion|mind|issue|amount|course|old|wait|yours|mine|alright|gosh|hey|oh|yeah|wow|u+h*m+|u+h+|m*h+m+|okay|thank|thanks|kinda|use|less|more|episode|show|guest|listener|host|aspect|difference|perspective|situation|percentage|choice|favou?rite|etcetera|\w+illion)s?$/i;

/** Adjectives that say nothing about what they stand before. */
const empty =
  /^(?:same|other|own|whole|all|those|these|there|above|enough|less|way|thing|entire|more|most|many|much|few|several|certain|such|first|last|next|only|best|better|worst|worse|good|great|bad|big|little|cool|nice|awesome|interesting|real|right|wrong|different|able|sure|true|basic|general|total|actual|simple|hard|easy|still|against|under|over|about|like|says|said|take|help|just|very|really|also|two|three|four|five|six)$/i;

/** Words that the parser takes for the end of a phrase. */
const trailing = /^(?:here|there|back|now|sometime|look|just|do|out|on|off|up|in)$/i;

/** “Known Jerod”, “old friend Feross”: a lower-case word before a name does not belong to it. */
function withoutLooseAdjective(run: Marked[]): Marked[] {
  const isName = ({ text }: Term) => /^\p{Lu}/u.test(text);
  const name = run.findIndex(isName);
  return name > 0 && run.slice(name).every(isName) && has(run[0], 'Adjective')
    ? run.slice(name)
    : run;
}

/**
 * Phrases of nouns that name something, as they are said: “event loop”, “Code School”. Read one
 * sentence at a time.
 */
export function findNounPhrases(sentence: string): string[] {
  const phrases = nlp(sentence).match('#Adjective? #Noun+').json({ offset: false }) as {
    terms: Marked[];
  }[];
  return phrases
    .flatMap(({ terms }) => {
      // A phrase ends where something stands between its words.
      const runs: Marked[][] = [[]];
      for (const term of terms) {
        const names =
          has(term, 'Noun', 'Adjective') &&
          !has(term, 'Pronoun', 'Possessive', 'Date', 'Value', 'Gerund', 'Expression') &&
          term.implicit === undefined &&
          /^(?!(?:an?|the)$)\p{L}[\p{L}\p{N}.+#-]*$/iu.test(term.text);
        if (names) runs.at(-1)!.push(term);
        if (!names || /[^\s-]/u.test(term.post)) runs.push([]);
      }
      return runs.map((run) => {
        const from = run.findIndex(({ text }) => !empty.test(text) && !hanging.test(text));
        const to = run.findLastIndex(({ text }) => !trailing.test(text));
        return from < 0 ? [] : withoutLooseAdjective(run.slice(from, to + 1));
      });
    })
    .flatMap((run) => {
      const last = run.at(-1);
      if (!last || vague.test(last.text) || !has(last, 'Noun')) return [];
      // “Adam, …” is said to Adam.
      if (run.length === 1 && has(last, 'FirstName') && last.post.includes(',')) return [];
      const text = run.map((term) => term.text).join(' ');
      return !fillers.test(text) ? [text] : [];
    });
}

/** A word before a noun that tells which one it is, and not how it is. */
const isNounAlone = (word: string): boolean => nlp(word.toLowerCase()).match('^#Noun$').found;

/** Whether a phrase is a compound of nouns: “carbon footprint”, not “old bridge”. */
export function isCompound(phrase: string): boolean {
  const words = phrase.split(' ');
  return (
    words.length > 1 &&
    words.every((word) => /^\p{Ll}{3}/u.test(word) && isNounAlone(word) && !vague.test(word))
  );
}

/** Whether a phrase is a first name alone, which tells only friends who is meant. */
export const isFirstName = (phrase: string): boolean =>
  !phrase.includes(' ') && nlp(phrase).match('^#FirstName$').found;

/**
 * Whether a phrase ends with a noun: one alone, or in two of the texts after a word such as
 * “the”. “Read” and “fair” are none.
 */
export function isEndingWithNoun(phrase: string, texts: readonly string[]): boolean {
  const word = phrase.split(' ').at(-1)!.toLowerCase();
  if (vague.test(word) || !/\p{L}{3}|\p{Lu}{2}/u.test(phrase)) return false;
  if (nlp(word).match('#Noun').found) return true;
  if (!/^[\p{L}\p{N}-]+$/u.test(word)) return false;
  const noun = `(#Determiner|#Possessive) #Adjective? #Noun? ${word}`;
  const stands = (text: string) => text.toLowerCase().includes(word) && nlp(text).match(noun).found;
  return texts.filter(stands).length > 1;
}

/** Returns the root of an English word: “invest” of “invested”, “mouse” of “mice”. */
export function findEnglishRoot(word: string): string {
  const found = nlp(word);
  found.compute('root');
  const terms: readonly { root?: string; normal: string }[] = found.json()[0]?.terms ?? [];
  return terms.map(({ root, normal }) => root ?? normal).join('');
}
