import type { Span } from '../../packages/engine/src/facts.ts';
import type { Candidate } from '../../packages/engine/src/moments/candidates.ts';
import type { Conversation } from './conversation.ts';

/** What the explanations of a choice of clips claim, and how much of it is wrong. */
export interface Claims {
  clips: number;
  /** Titles of the clip’s own words, not a time or names of its topics. */
  titles: number;
  /** Explanations that name what the clip is about. */
  named: number;
  /** Claims that the transcript does not bear out, with the explanation. */
  wrong: string[];
  /** Share of the clips with the commonest sentence, quotations and numbers left out. */
  commonest: number;
}

const flat = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}%$€£'’]+/gu, ' ')
    .trim();

/** Times of words in captions are not exact, in seconds. */
const edgeSeconds = 0.1;

/** Marks of laughter in transcripts are not exact, in seconds. */
const markSeconds = 3;

function wrongClaims(
  { start, end, explanation }: Candidate,
  { analysis, words: spoken, laughs }: Conversation,
): string[] {
  const within = ({ start: from, end: to }: Span) =>
    from >= start - edgeSeconds && to <= end + edgeSeconds;
  const words = spoken.filter(within);
  // Automatic captions write some words in another way than the transcript.
  const said = [words, analysis.transcript!.words.filter(within)]
    .map((list) => flat(list.map(({ text }) => text).join(' ')))
    .join(' | ');
  const wrong: string[] = [];
  const quoted = [...explanation.matchAll(/“([^”]*)”/g)].map(([, text]) => text!);
  for (const text of quoted) if (!said.includes(flat(text))) wrong.push(`does not say “${text}”`);
  const heard = words.flatMap(({ text, speaker }) =>
    flat(text)
      .split(' ')
      .map((word) => ({ word, speaker })),
  );
  const speakerOf = (text: string) => {
    const quote = flat(text).split(' ');
    return heard.find((_, at) => quote.every((word, next) => heard[at + next]?.word === word))
      ?.speaker;
  };
  const [, asked, answered] = /“([^”]*)” – “([^”]*)”/.exec(explanation) ?? [];
  if (asked !== undefined && speakerOf(asked) === speakerOf(answered!))
    wrong.push('one person asks and answers');
  const outside = explanation.replace(/“[^”]*”/g, '“”');
  const topics = /^About ([^.]*(?:\.\p{L}[^.]*)*)\./u.exec(outside)?.[1];
  for (const topic of topics?.split(' and ') ?? []) {
    if (!said.includes(flat(topic))) wrong.push(`is not about ${topic}`);
  }
  const changes = /changes speaker (\d+) times/i.exec(outside)?.[1];
  if (changes !== undefined) {
    const real = words.filter(
      ({ speaker }, index) => index && words[index - 1]!.speaker !== speaker,
    );
    if (real.length !== Number(changes)) wrong.push(`changes speaker ${real.length} times`);
  }
  const reaction = /laughter or applause at (\d+):(\d+)/i.exec(outside);
  if (reaction) {
    const at = start + 60 * Number(reaction[1]) + Number(reaction[2]);
    if (!laughs.some((time) => Math.abs(time - at) <= markSeconds)) wrong.push('nobody laughs');
  }
  return wrong.map((what) => `${what}: ${explanation}`);
}

/** Checks explanations in English against the transcripts with the names of the speakers. */
export function claimsOf(
  conversations: readonly Conversation[],
  choose: (conversation: Conversation) => readonly Candidate[],
): Claims {
  const claims: Claims = { clips: 0, titles: 0, named: 0, wrong: [], commonest: 0 };
  const times = new Map<string, number>();
  for (const conversation of conversations) {
    for (const clip of choose(conversation)) {
      claims.clips += 1;
      if (clip.ownWords !== false) claims.titles += 1;
      if (/^About /.test(clip.explanation)) claims.named += 1;
      claims.wrong.push(...wrongClaims(clip, conversation));
      const plain = clip.explanation.replace(/“[^”]*”/g, '“”').replace(/\d+/g, 'N');
      for (const part of new Set(plain.split(/[.;] ?/).filter((text) => /\p{L}{2}/u.test(text)))) {
        times.set(part, (times.get(part) ?? 0) + 1);
      }
    }
  }
  claims.commonest = Math.max(0, ...times.values()) / Math.max(1, claims.clips);
  return claims;
}
