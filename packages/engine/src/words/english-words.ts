import { getBaseLanguage } from './language-code.ts';

/**
 * Word lists that tell an interesting English sentence from a dull one. They are rules of thumb:
 * each match changes a score a little, and no match decides a choice.
 */
const matchWords = (list: string): RegExp =>
  new RegExp(`(?<![\\p{L}’'])(?:${list.trim().replace(/\n\s*/g, '|')})(?![\\p{L}])`, 'giu');

const count = (pattern: RegExp, text: string): number => text.match(pattern)?.length ?? 0;

const questionStart =
  /^(?:and |but |so )?(?:(?:why|how|what|when|where|who|which)(?:'s| (?:do|does|did|is|are|was|were|can|could|would|will|should|if|happens|has|have))|have you|did you|do you|can you|could you|would you|are you|is it)\b/i;

const tagQuestion =
  /(?:,\s*|^)(?:right|yeah|no|okay|ok|you know|huh|eh|you see|isn['’]t it|don['’]t you think|know what I mean)\?["”’)]*$/i;

/** Whether a question only wants a nod: “…, right?”. */
export const isTagQuestion = (text: string): boolean => tagQuestion.test(text.trim());

export const isEnglishQuestion = (text: string): boolean => questionStart.test(text);

const contrast = matchWords(`
  but|however|instead|although|though|yet|rather than|except|unless|despite|whereas|while|on the contrary|on the other hand
  not because|not just|not only|opposite|nothing|in fact|actually|turns out|turned out|even so|and still
  less|fewer|more|(?:is|was|are|does|do|did)(?: not|n['’]t)|never
`);

export const countEnglishContrasts = (text: string): number => count(contrast, text);

const address = matchWords(
  `you|your|yours|you['’](?:re|ll|ve|d)|yourself|imagine|picture this|listen|look|remember|think about`,
);

const promise = matchWords(`
  secrets?|mistakes?|mistaken|nobody|no one|none|everyone|everybody|never|always|truth|lies?|wrong|tricks?|reasons?|problems?|stop
  best|worst|most people|the one|the only|here is|here['’]s|turns out|turned out|changed|changes everything|answer|learn(?:ed|t)
  impossible|incredible|strange\\w*|odd|weird|crazy|shock\\w*|surpris\\w+|amaz\\w+|unbelievabl[ey]|believe|expected|guess\\w*|suddenly
  danger\\w*|risk\\w*|fail\\w*|win|wins|won|lose|loses|lost|die[ds]?|dead|alive|kill\\w*|fear\\w*|afraid|love[ds]?|hate[ds]?|dream\\w*
  completely|entire|whole|every|single|even|ever|really|exactly|simply|understood|realis\\w+|realiz\\w+|discover\\w*|found out
`);

const telling = matchWords(`
  I|me|my|mine|myself|we|us|he|she|him|her
  when I was|one day|one night|years ago|last (?:year|week|month|winter|summer|spring|autumn|fall|night)|that (?:day|night|morning|moment|year)
  back then|at first|in the end|finally|until|suddenly|ever since|from that (?:day|moment)
  my (?:mother|father|wife|husband|son|daughter|boss|friend|brother|sister|grandmother|grandfather|teacher)
`);

/** Past tenses of verbs that are common in stories. */
const past = matchWords(`
  said|told|asked|went|came|saw|looked|heard|felt|knew|thought|took|gave|got|had|left|ran|drove|stood|sat|fell|woke|opened|closed
  called|cried|laughed|smiled|screamed|waited|wanted|tried|began|started|stopped|held|kept|met|paid|bought|sold|lost|won|broke|built|were|was
`);

const superlative =
  /\b(?!rest|best|west|test|guest|forest|request|interest|suggest|honest|almost)\p{L}{3,30}(?:est)\b/giu;

const filler = matchWords(`
  u+h*m+|u+h+|er+m?|h+m+|ok(?:ay)?|yeah|well|basically|whatever|sort of|kind of|you know|I mean|I guess|like,|right, so|so, |anyway
  hang on|hold on|one (?:moment|second)|just a (?:moment|second)|let me (?:just|see)|where was I|skip this
`);

const housekeeping = matchWords(`
  slides?|clicker|projector|microphone|mic|screen|wi-?fi|password|badge|e-?mail(?:ed)?|agenda|schedule|session|break|lunch|coffee break|handouts?
  sponsors?|thanks to|thank you|hear me|see me|sign (?:the|up|in)|door|elevator|second floor|first floor|parked|parking|restrooms?|toilets?|room
  subscribe|like button|link in the description|website|newsletter|welcome(?: back)?(?: to)?|recording|questions? after|at the end of the
  (?:this|our|next) (?:episode|podcast|show)|shout[- ]?outs?|go (?:first|next)|show notes|promo code|discount code|patreon|slack channel|our listeners|check (?:it|them) out at|thanks for (?:listening|coming|joining)
  organi[sz]ers?|my name is|problem sheets?|homework|assignments?|deadline|due (?:on|by)|office hours|exam|syllabus|attendance|next week|last week|minutes left|running late
`);

/** The impersonal style of handbooks. */
const handbook = matchWords(`
  chapter|section|appendix|figure|table|page|handbook|manual|report|department|committee|working group|procedure|version|standard|document
  in general|generally|usual|usually|ordinary|various|several|some other|certain|similar|as (?:is )?known|as shown|as mentioned|with regard to
  in terms of|respectively|also appl(?:y|ies)|more or less|from time to time|and so on|further|details?|factors?|types?|kinds?|regions?|manner|listed|main
  there (?:is|are) also|is (?:described|given|stored|used|kept|made|shown|called)|are (?:described|given|stored|used|kept|made|shown|called)
`);

/** Phrases that introduce another subject. */
const turning =
  /\b(?:mov(?:e|ing) on|next (?:part|point|topic|chapter|subject|section|thing|up)|(?:another|different|new) (?:topic|subject|point|matter|theme)|something else|turn to|so much for|brings me to|let['’]s talk about|let us talk about)\b/i;

export const isTurningInEnglish = (text: string): boolean => turning.test(text);

/**
 * First words that refer to something before. Not the “it” that refers to nothing (“it took years
 * to”), and not “this is”.
 */
const leaning =
  /^(?:and|but|so|because|then|it|this|that|these|those|he|she|they|which|also|or|nor|plus|anyway|same|instead|otherwise|exactly|totally|absolutely|definitely|sure|yeah|yep|yup|yes|nope|no|whereas|nice|cool|great|good point|interesting|alright|all right|thanks|thank you|i don['’]t know|i see|of course|right|okay|ok|well|oh|ah|wow|true|i mean|you know|like|however|therefore|though|for example|in that case|in addition)\b/i;

export const isLeaningEnglish = (text: string): boolean => leaning.test(text);

/** First words with which a speaker goes on, and another one rarely begins. */
const goingOn =
  /^(?:and|but|so|because|or|then|which|also|plus|otherwise|therefore|for example|in fact|that way|that['’]s (?:why|because|when|what))\b/i;

export const isGoingOnInEnglish = (text: string): boolean => goingOn.test(text);

/** Words that stand for something, and say little if it is not known. */
const pronoun = /^(?:he|she|it|they|there|him|her|them)(?:['’]\w+)?$/i;

/** Only as a first word: later ones are as often “in this room” and “believe that”. */
const pointing = /^(?:this|that|these|those)(?:['’]\w+)?$/i;

/**
 * The index of a pronoun among the first four words that refers to something before; -1 for none.
 */
export const findEnglishPronoun = (text: string): number =>
  text
    .split(/[^\p{L}\p{N}’']+/u)
    .filter(Boolean)
    .slice(0, 4)
    .findIndex((word, index) => pronoun.test(word) || (index === 0 && pointing.test(word)));

/** “Think of that, …”, “How do you do it?”: no noun follows to which the word could belong. */
const pointingBack =
  /(?<!\b(?:like|and)\s)\b(?:this|that|these|those|it)(?=[,.;:!?…–—]|\s(?:as|in|to|for|with|on|when|because|and|but|too|here|there|--)\s|$)/i;

/** Later in a sentence, the word may stand for something that the sentence has named. */
const maxPointingWords = 9;

/** Whether a text soon points to something before it, other than with its first word. */
export function isPointingBackInEnglish(text: string): boolean {
  const words = text.split(/\s+/);
  const isLonger = words.length > maxPointingWords;
  return pointingBack.test(words.slice(0, maxPointingWords).join(' ') + (isLonger ? ' ~' : ''));
}

const person = matchWords(`
  I|me|my|mine|myself|we|us|our|you|your|I['’](?:m|ve|d|ll)|we['’](?:re|ve|d|ll)|you['’](?:re|ve|d|ll)
`);

export const countEnglishPersons = (text: string): number => count(person, text);

/** Measures the share of each kind of word in a text, 0 to 1. */
export function measureEnglishTelling(text: string) {
  const at = (pattern: RegExp, full: number): number => Math.min(1, count(pattern, text) / full);
  return {
    address: at(address, 2),
    promise: Math.min(1, at(promise, 2) + at(superlative, 2)),
    story: Math.min(1, (at(telling, 2) + at(past, 2)) / 1.5),
    filler: at(filler, 1.5),
    housekeeping: at(housekeeping, 1.5),
    handbook: at(handbook, 1.5),
  };
}

const numeral =
  '(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|half|twice|double|percent)';
/** `seven hundred and thirty` is one number. */
const numberWords = new RegExp(`\\b${numeral}\\b(?:[\\s-]+(?:and\\s+)?${numeral}\\b)*`, 'gi');

export const countEnglishNumbers = (text: string): number => count(numberWords, text);

const common =
  /^(?:the|and|of|to|a|in|is|that|it|you|was|for|on|are|with|as|this|have|be|not|we)$/i;

/**
 * Whether words are English: at least one in six is one of the twenty most common English words.
 */
export function isMostlyEnglish(list: readonly { text: string }[]): boolean {
  const sample = list.slice(0, 2000);
  return sample.filter(({ text }) => common.test(text)).length * 6 >= sample.length;
}

/** Whether words are English, by their language (BCP 47) or, if that is not known, themselves. */
export const isEnglish = (list: readonly { text: string }[], language: string | null): boolean =>
  language ? getBaseLanguage(language) === 'en' : isMostlyEnglish(list);
