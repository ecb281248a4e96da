/**
 * What subtitles say besides words: where another person begins to speak, and where the audience
 * laughs or claps.
 */

/** Stands before the first word of a turn, and where a reaction is. They are never in a word. */
export const turnMark = '\u0002';
export const reactionMark = '\u0001';

/** Names of laughter and applause, in languages that are common in subtitles. */
const reaction =
  /[[(（【][^\])）】]{0,20}(?:laugh|applau|cheer|lach|gelächter|beifall|rire|riso|risa|aplauso|risate|смех|аплодисмент|笑|拍手|掌声|웃음|박수)[^\])）】]{0,20}[\])）】]/giu;

const voice = /<v(?:\.[^\s<>]*)?\s+([^<>]*)>/g;

/** `Name:` at the start of a line: up to four words with capitals. */
const namePrefix =
  /^\s*(?:(?:>|&gt;){2,}|-)?\s*(\p{Lu}[\p{L}\p{M}\p{N}.’'-]*(?: \p{Lu}[\p{L}\p{M}\p{N}.’'-]*){0,3}):\s/u;

/** A dash before a small letter, or a double one, goes on with a sentence. */
const anonymous = /(?<=^|\s)(?:>|&gt;){2,}|^\s*[-–—](?=\s*[^\s\p{Ll}–—-])/gu;

/**
 * The names that stand before lines. A name that is used once, or without another name, may be
 * part of what is said, unless it is in capitals: `JOHN:`.
 */
function namesIn(lines: readonly string[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const line of lines) {
    const name = namePrefix.exec(line)?.[1];
    if (name) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const names = [...counts].filter(([, count]) => count > 1).map(([name]) => name);
  const loud = [...counts.keys()].filter((name) => /^\p{Lu}{3}[\p{Lu}\p{M} .’'-]*$/u.test(name));
  return new Set([...(names.length > 1 ? names : []), ...loud]);
}

/**
 * Puts marks into the texts of cues: for voice tags (`<v Name>`), names before lines, `>>` and
 * dashes at the start of a line, and for `[laughter]` and the like. The names are removed.
 */
export function withMarks(texts: readonly string[]): string[] {
  const names = namesIn(texts.flatMap((text) => text.split('\n')));
  let speaker: string | null = null;
  const turn = (name: string): string => {
    if (name === speaker) return ' ';
    speaker = name;
    return ` ${turnMark} `;
  };
  const marked = (line: string): string => {
    const name = namePrefix.exec(line);
    if (name && names.has(name[1]!)) return turn(name[1]!) + line.slice(name[0].length);
    return line
      .replace(voice, (_, who: string) => turn(who.trim()))
      .replace(anonymous, () => {
        speaker = null;
        return ` ${turnMark} `;
      });
  };
  return texts.map((text) =>
    text.replace(reaction, ` ${reactionMark} `).split('\n').map(marked).join('\n'),
  );
}
