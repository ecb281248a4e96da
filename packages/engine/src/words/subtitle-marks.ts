/**
 * Marks of subtitles besides words: tags, names of speakers, sounds, and credits. None of it is
 * spoken, so none of it becomes a word.
 */
import type { RawCue } from './cue-file.ts';
import notSpoken from './not-spoken.json' with { type: 'json' };

/** Marks where the audience laughs or claps, and the first word of a turn. */
export const reactionMark = '\u0001';
export const turnMark = '\u0002';

/** A cue whose lines have no markup any more. Times and voices stand between control characters. */
export interface LinedCue extends RawCue {
  lines: string[];
}

const entities: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', lrm: '', rlm: '', shy: '' },
  ...{ hellip: '…', ndash: '–', mdash: '—', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”' },
  ...{ laquo: '«', raquo: '»', euro: '€', pound: '£', deg: '°', iexcl: '¡', iquest: '¿' },
  ...{ auml: 'ä', ouml: 'ö', uuml: 'ü', Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü', szlig: 'ß' },
  ...{ agrave: 'à', acirc: 'â', aacute: 'á', atilde: 'ã', ccedil: 'ç', eacute: 'é', egrave: 'è' },
  ...{ ecirc: 'ê', euml: 'ë', iacute: 'í', icirc: 'î', iuml: 'ï', ntilde: 'ñ', oacute: 'ó' },
  ...{ ocirc: 'ô', otilde: 'õ', uacute: 'ú', ugrave: 'ù', ucirc: 'û', Eacute: 'É', Agrave: 'À' },
};

const decodeOnce = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{1,8}));/gi, (whole, decimal, hex, name) => {
    if (name) return entities[name as string] ?? entities[(name as string).toLowerCase()] ?? whole;
    const code = decimal ? Number(decimal) : parseInt(hex as string, 16);
    return code > 3 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
  });

/** Decodes entities in up to three rounds: some programs escape them again. */
function decodeEntities(text: string): string {
  let decoded = text;
  for (let round = 0; round < 3 && decoded.includes('&'); round++) decoded = decodeOnce(decoded);
  return decoded.toWellFormed();
}

/** A voice of WebVTT; its name stands between marks until it is known who spoke before. */
const voiceTag = /<v(?:\.[^\s<>]*)?[ \t]+([^<>\n]{0,80})>/g;
const voiceMark = /\u0004([^\u0004\n]*)\u0004/g;

/** A drawing of SubStation Alpha: `m 0 0 l 100 0 100 50`. */
const drawing = /^\s*m(?:\s+-?\d+(?:\.\d+)?){2}(?:\s+(?:[mnlbspc]|-?\d+(?:\.\d+)?))*\s*$/;

/** Lines of a cue without tags, entities, drawings and readings of letters. */
export function readSpokenLines(text: string): string[] {
  return (
    decodeEntities(
      text
        .replace(/\u0004/g, '\uFFFD')
        .replace(/\\n/gi, '\n')
        .replaceAll('\\h', ' ')
        .replace(voiceTag, (_, name: string) => `\u0004${name.trim()}\u0004`)
        .replace(/<(rt|rp)>[^<>]*(?:<\/\1>)?/g, '')
        .replace(/<br\s*\/?>/gi, '\n')
        .replace(/<[^<>]*>/g, ''),
    )
      // Tags that were escaped are tags, and signs of arithmetic are not.
      .replace(/<\/?(?:[ibuspcv]|font|span|ruby|rt|rp)\b[^<>]*>/gi, '')
      .replace(/[<>](?=\S)(?!>|\d|3)|(?<=\S)(?<!>)>(?!>)/g, '')
      .replace(/\{\\[^{}]*\}|\{\/?[a-z]\}|\{[a-z]{1,2}:[^{}]*\}/gi, '')
      // Times of a broken file are not said.
      .replace(/-->|(?:\d{1,4}:)?\d{1,2}:\d{2}[.,]\d{3}/g, ' ')
      // Marks of direction would stand before dashes and names, and breaks without width in words.
      .replace(/[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g, '')
      .split('\n')
      .map((line) => (drawing.test(line) ? '' : line.trim()))
      .filter(Boolean)
  );
}

const matchList = (list: string, before = '', after = ''): RegExp =>
  new RegExp(`${before}(?:${list})${after}`, 'iu');
const reaction = matchList(notSpoken.reactions, '(?<!\\p{L})');
const sound = matchList(`${notSpoken.reactions}|${notSpoken.sounds}`, '(?<!\\p{L})');
const label = matchList(notSpoken.labels, '^', '(?:[ _-]?(?:\\d{1,3}|[A-Z]))?$');
const opener = matchList(notSpoken.openers, '^', '(?: \\w+)?$');
const credit = matchList(notSpoken.credits);
/** Adverts of the sites that subtitles are from, and cues that are nothing but an address. */
const advert = matchList(`${notSpoken.adverts}|^[\\s([]*(?:https?://|www\\.)\\S+$`);

/** Up to six words, as `Dr. Anna van der Berg`. */
const name = String.raw`(?:#\d{1,2}[ \t])?\p{L}[\p{L}\p{M}\p{N}.'’_-]{0,30}(?:[ \t](?:\p{L}|\p{N}|#)[\p{L}\p{M}\p{N}.'’_-]{0,30}){0,5}`;
/** Dashes and arrows before a name, which it makes needless. */
const lead = String.raw`^(?:>{2,}|[-–—])?\s*`;
const beforeColon = new RegExp(
  `${lead}(${name})(?:\\s?[([]([^()[\\]]{1,30})[)\\]])?\\s?(?::(?=\\s|$)|：)\\s*`,
  'u',
);
/** In Japanese, what stands in brackets before a line says who speaks. */
const beforeJapanese =
  /^[(（]([\p{L}\p{M}\p{N}ー・ 　]{1,12})[)）]\s*(?=[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}])/u;
const inBrackets = new RegExp(`${lead}([[(（【［]) ?(${name}) ?[\\])）】］]\\s?:?\\s*`, 'u');

const isLoud = (text: string): boolean => !/\p{Ll}/u.test(text) && /\p{Lu}../su.test(text);
/** Each word has a capital, except such as “van der”. */
const isCapitalised = (text: string): boolean =>
  /^\p{Lu}/u.test(text) &&
  text
    .split(' ')
    .every((word) =>
      /^(?:[^\p{Ll}]|v[ao]n|de[nrls]?|di|da|do[s]?|la|le|el|al|bin|ibn|of|the|und|and|y|e|zu|ter)/u.test(
        word,
      ),
    );

/**
 * The names that stand before lines. A name has to come back beside another, or be known as a
 * label, before it is one: “Remember: it is late.”
 */
function findNames(cues: readonly LinedCue[]): ReadonlySet<string> {
  const counts = new Map<string, { count: number; isBracketed: boolean; isDescribed: boolean }>();
  let lines = 0;
  let loudLines = 0;
  for (const line of cues.flatMap((cue) => cue.lines)) {
    lines += 1;
    if (!/\p{Ll}/u.test(line)) loudLines += 1;
    const [, before, description] = beforeColon.exec(line) ?? [];
    const bracketed = before ? undefined : inBrackets.exec(line)?.[2];
    const found = before ?? bracketed;
    if (!found || (bracketed && sound.test(found))) continue;
    const known = counts.get(found);
    counts.set(found, {
      count: (known?.count ?? 0) + 1,
      isBracketed: (known?.isBracketed ?? true) && bracketed !== undefined,
      isDescribed: known?.isDescribed || description !== undefined,
    });
  }
  const candidates = [...counts].filter(([text]) => !opener.test(text));
  const back = candidates.filter(([, { count }]) => count > 1);
  const capitalised = back.filter(([text]) => isCapitalised(text));
  const others = back.filter(([text]) => !isCapitalised(text) && text.split(' ').length < 3);
  const share = others.reduce((sum, [, { count }]) => sum + count, 0) / lines;
  const isBracketLoud = back.some(([text, { isBracketed }]) => isBracketed && isLoud(text));
  const accepted = candidates.filter(
    ([text, { isBracketed, isDescribed }]) =>
      label.test(text) ||
      (isLoud(text) && (isBracketed ? isBracketLoud : isDescribed || loudLines < lines / 2)),
  );
  const one = capitalised.length === 1 && (capitalised[0]![1].count > 2 || accepted.length > 0);
  return new Set(
    [
      ...accepted,
      ...(capitalised.length > 1 || one ? capitalised : []),
      ...((others.length > 1 || others.some(([, { count }]) => count > 2)) && share > 0.25
        ? others
        : []),
    ].map(([text]) => text),
  );
}

/** Sounds in brackets. Other brackets of a whole line, too, are not said. */
function withoutSounds(text: string): string {
  const heard = (what: string): string => (reaction.test(what) ? ` ${reactionMark} ` : ' ');
  return (
    text
      .replace(/[[［【][^[\]［］【】]{0,120}[\]］】]/g, heard)
      .replace(
        /(^|\n)((?:[^\S\n]{0,4}[-–—])?[^\S\n]{0,4})[(（]([^()（）]{1,120})[)）][^\S\n]{0,4}(?=\n|$)/g,
        (_, start, dash, what) => `${start}${dash}${heard(what as string)}`,
      )
      .replace(/[(（]([^()（）]{1,60})[)）]/g, (whole, what: string) =>
        sound.test(what) ? heard(what) : whole,
      )
      .replace(
        /(^|\n)[^\S\n]*\*([^*\n]{1,40})\*{1,2}[^\S\n]*(?=\n|$)/g,
        (_, start: string, what: string) => start + heard(what),
      )
      .replace(/\*([^*\n]{1,40})\*/g, (_, what: string) => (sound.test(what) ? heard(what) : what))
      // Readings of Japanese letters.
      .replace(/(?<=\p{Script=Han})[(（][\p{Script=Hiragana}ー]+[)）]/gu, '')
      .replace(/[♪♫♬]/g, ' ')
  );
}

/** `>>`, or a dash: but not before a small letter, which continues a sentence, or a number. */
/** A dash at the start of a line. */
const dashed = /^\s*[-–—](?![-–—\d])/u;

const anonymous =
  /(?<=^|\s)>{2,}|^\s*[-–—](?=\s*[^\s\p{Ll}\d–—-])|^\s*[-–—](?=\s+\d)|(?<=[.!?…]\s)[-–—](?=\s?\p{Lu})/gu;

/** The number of cues at each end that may credit the authors of the subtitles. */
const creditCues = 3;

/**
 * Puts marks into the texts of cues: for voices, names before lines, `>>` and dashes, and for
 * `[laughter]` and the like. Names, sounds and credits are removed.
 */
export function markSpeech(cues: readonly LinedCue[]): RawCue[] {
  const isEnd = (index: number): boolean => index < creditCues || index >= cues.length - creditCues;
  const spoken = cues.filter(({ lines }, index) => {
    const text = lines.join(' ');
    return !advert.test(text) && !(isEnd(index) && credit.test(text));
  });
  const names = findNames(spoken);
  let speaker: string | null = null;
  const turn = (who: string): string => {
    if (who === speaker) return ' ';
    speaker = who;
    return ` ${turnMark} `;
  };
  const openTurn = (): string => {
    speaker = null;
    return ` ${turnMark} `;
  };
  const markLine = (line: string, isDialogue: boolean): string => {
    const before = beforeColon.exec(line);
    const [found, who = ''] =
      before && names.has(before[1]!)
        ? before
        : ((match) => (match && names.has(match[2]!) ? [match[0], match[2]] : []))(
            inBrackets.exec(line),
          );
    if (found !== undefined) return turn(who) + line.slice(found.length);
    const [japanese, name = ''] = beforeJapanese.exec(line) ?? [];
    if (japanese !== undefined && !sound.test(name))
      return turn(name) + line.slice(japanese.length);
    return line
      .replace(voiceMark, (_, voice: string) => turn(voice))
      .replace(isDialogue ? dashed : anonymous, openTurn);
  };
  // Where two lines of a cue have a dash, each is a turn: “-Where is he?”, “-at home.”
  const markLines = (lines: readonly string[]): string => {
    const isDialogue = lines.filter((line) => dashed.test(line)).length > 1;
    return lines.map((line) => markLine(line, isDialogue && dashed.test(line))).join('\n');
  };
  return spoken.map(({ start, end, lines }) => ({
    start,
    end,
    text: withoutSounds(markLines(lines)),
  }));
}
