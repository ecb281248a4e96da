/**
 * Reads the cues of subtitle files: WebVTT, SubRip, SubViewer (`.sbv`), SubStation Alpha (`.ass`,
 * `.ssa`), TTML, MicroDVD (`.sub`) and LRC. Files of people break the rules of their format, and
 * players show them anyway, so this reader forgives what mpv and VLC forgive. A line of times is
 * never text.
 */

/** Text that is shown from `start` to `end`, in seconds. The text has lines and may have markup. */
export interface RawCue {
  start: number;
  end: number;
  text: string;
}

/** `1:02:03.456`, `02:03,4` and the like; parts of seconds with a point, a comma or a colon. */
const time = String.raw`(?:(\d{1,4})\s?:\s?)?(\d{1,2})\s?:\s?(\d{1,2})(?:[.,:;]\s?(\d{1,3}))?`;
const wholeTime = new RegExp(`^\\s*${time}\\s*$`);
const exactTime = String.raw`(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})`;
const ranges = [
  // The arrow may be broken by a space, or be another one.
  new RegExp(`${time}\\s*(?:-\\s?-?\\s?-?\\s?>|=>|→)\\s*${time}`),
  // Without an arrow only times with parts of seconds are a range; SubViewer has a comma.
  new RegExp(`${exactTime}(?:\\s*[,–—-]\\s*|\\s+)${exactTime}`),
];

/** Times are looked for in this many characters of a line. */
const maxRangeCharacters = 300;

function parseSeconds(hours = '', minutes = '', seconds = '', fraction = ''): number {
  // “,5” is half a second, and hundredths have two digits.
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(`${seconds}.${fraction || '0'}`);
}

/** Times that cannot be read: they end a cue, and what follows has no time. */
const isBrokenRange = (line: string): boolean =>
  /-->/.test(line) || /^\s*(?:\d+:)?\d{1,2}:\d{2}[.,]\d{2,3}(?:\s|$|[-,])/.test(line);

/** Blocks of WebVTT that are not shown. */
const isHiddenBlock = (line: string): boolean =>
  /^(?:NOTE|STYLE|REGION|X-TIMESTAMP-MAP)(?:[\s=:]|$)/.test(line);

/** Settings of WebVTT, or coordinates of SubRip, may follow the times. */
const withoutSettings = (rest: string): string =>
  rest.replace(/^(?:\s+(?:[a-z]+:\S+|[XY][12]:\d+))+/i, '').replace(/^[^\p{L}\p{N}]*$/u, '');

/** The number or the name that stands above the times of the next cue is not the cue's text. */
function withoutNextName(
  lines: readonly string[],
  { isWebVtt, number }: { isWebVtt: boolean; number: number | null },
): { text: string[]; number: number | null } {
  const last = lines.findLastIndex((line) => line.trim());
  const name = lines[last]?.trim() ?? '';
  const isDirect = last === lines.length - 1;
  const isAlone = last > 0 && !lines[last - 1]!.trim();
  if (/^\d{1,6}$/.test(name)) {
    const isNext = number !== null && Number(name) === number + 1;
    // Without an empty line it may be a year that is said.
    const isFirst = number === null && last === 1;
    if (isAlone ? isDirect || isNext || isFirst : isDirect && isNext)
      return { text: lines.slice(0, last), number: Number(name) };
  } else if (isWebVtt && isAlone && isDirect) return { text: lines.slice(0, last), number };
  return { text: [...lines], number };
}

/** WebVTT, SubRip and SubViewer: lines of times, each followed by its text. */
function readTimedBlocks(lines: readonly string[], isWebVtt: boolean): RawCue[] {
  const cues: RawCue[] = [];
  let cue: RawCue | null = null;
  /** The lines since the last times. Text may follow an empty line, as in mpv. */
  let held: string[] = [];
  let number: number | null = null;
  let isHidden = false;
  const finish = (): void => {
    const next = withoutNextName(cue ? held : ['', ...held], { isWebVtt, number });
    number = next.number;
    if (cue) cues.push({ ...cue, text: next.text.filter((line) => line.trim()).join('\n') });
    cue = null;
    held = [];
    isHidden = false;
  };
  for (const line of lines) {
    const start = line.slice(0, maxRangeCharacters);
    const range = ranges.map((pattern) => pattern.exec(start)).find((match) => match !== null);
    if (range) {
      const before = line.slice(0, range.index).trim();
      if (before) held.push(...(/^\d+$/.test(before) ? ['', before] : [before]));
      finish();
      const [whole, h1, m1, s1, f1, h2, m2, s2, f2] = range;
      cue = { start: parseSeconds(h1, m1, s1, f1), end: parseSeconds(h2, m2, s2, f2), text: '' };
      const rest = withoutSettings(line.slice(range.index + whole.length));
      if (rest.trim()) held.push(rest);
    } else if (isBrokenRange(start)) finish();
    else {
      const isStart = held.length === 0 || !held.at(-1)!.trim();
      if (isWebVtt && cue && held.length > 0 && isStart && isHiddenBlock(line)) isHidden = true;
      if (!line.trim()) isHidden = false;
      if (!isHidden) held.push(line);
    }
  }
  if (cue) cues.push({ ...(cue as RawCue), text: held.filter((line) => line.trim()).join('\n') });
  return cues;
}

/** A text of SubStation Alpha without tags, and without drawings: they last from \p1 to \p0. */
function withoutDrawings(text: string): string {
  const [start = '', ...parts] = text.split('{');
  let said = start;
  let isDrawing = false;
  for (const part of parts) {
    const end = part.indexOf('}');
    const drawn = [...part.slice(0, Math.max(0, end)).matchAll(/\\p(\d)/g)].at(-1)?.[1];
    if (drawn !== undefined) isDrawing = drawn !== '0';
    if (!isDrawing) said += end < 0 ? `{${part}` : part.slice(end + 1);
  }
  return said;
}

/** SubStation Alpha: only the spoken text. The text is the last of the fields. */
function readDialogue(lines: readonly string[]): RawCue[] {
  let places = { start: 1, end: 2, name: 4, text: 9 };
  const cues: RawCue[] = [];
  let isEvents = false;
  for (const line of lines) {
    if (line.startsWith('[')) isEvents = /^\[events\]/i.test(line);
    const [, kind = '', body = ''] = /^(\w+):\s*(\S.*)?/s.exec(line) ?? [];
    if (kind === 'Format' && isEvents) {
      const fields = body
        .toLowerCase()
        .split(',')
        .map((field) => field.trim());
      const place = (name: string): number => fields.indexOf(name);
      places = {
        start: place('start'),
        end: place('end'),
        name: place('name'),
        text: place('text'),
      };
    }
    if (kind !== 'Dialogue') continue;
    const cells = body.split(',');
    const times = [places.start, places.end].map((place) => {
      const match = wholeTime.exec(cells[place] ?? '');
      return match ? parseSeconds(match[1], match[2], match[3], match[4]) : NaN;
    });
    const text = withoutDrawings(cells.slice(places.text).join(','));
    const name = (cells[places.name] ?? '').trim();
    cues.push({ start: times[0]!, end: times[1]!, text: name ? `<v ${name}>${text}` : text });
  }
  return cues;
}

/** A line of MicroDVD: `{25}{75}text|second line`, in frames. */
const frameLine = /^\{(\d{1,8})\}\{(\d{1,8})\}(.*)$/;
/** The usual rate of MicroDVD, where the first line does not say another. */
const defaultFrameRate = 23.976;

/** MicroDVD: `{1}{1}25` at the start is the frame rate. */
function readFrameLines(lines: readonly string[]): RawCue[] {
  const cues = lines.flatMap((line) => {
    const [, from, to, text] = frameLine.exec(line) ?? [];
    return text === undefined ? [] : { start: Number(from), end: Number(to), text };
  });
  const [first] = cues;
  const stated = first && first.end <= 1 ? Number(first.text.trim()) : NaN;
  const rate = stated > 0 ? stated : defaultFrameRate;
  return cues.slice(stated > 0 ? 1 : 0).map(({ start, end, text }) => ({
    start: start / rate,
    end: end / rate,
    text: text.replaceAll('|', '\n'),
  }));
}

/** A line of LRC, the text of songs: `[01:02.50]text`. */
const lyricsLine = /^\[(\d{1,3}):(\d{2}(?:[.:]\d{1,3})?)\](.*)$/;
/** A line of LRC that no other follows, and the longest that one is shown, in seconds. */
const maxLyricsSeconds = 10;

/** LRC: a line is shown until the next. */
function readLyrics(lines: readonly string[]): RawCue[] {
  const starts = lines.flatMap((line) => {
    const [, minutes, seconds = '', text] = lyricsLine.exec(line) ?? [];
    if (text === undefined) return [];
    return { start: 60 * Number(minutes) + Number(seconds.replace(':', '.')), text };
  });
  return starts.map(({ start, text }, at) => ({
    start,
    end: Math.min(starts[at + 1]?.start ?? Infinity, start + maxLyricsSeconds),
    text: text.replace(/<\d{1,3}:\d{2}[.:]\d{1,3}>/g, ''),
  }));
}

/** The seconds of a time of TTML: `00:00:01.5`, `00:00:01:12`, `1.5s`, `90000t`. */
function parseTtmlTime(value: string, rates: { frames: number; ticks: number }): number {
  const clock = /^(\d+):(\d\d):(\d\d)(?:(\.\d+)|:(\d+(?:\.\d+)?))?$/.exec(value);
  if (clock) {
    const [, hours, minutes, seconds, fraction = '0', frames = '0'] = clock;
    const whole = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
    return whole + Number(fraction) + Number(frames) / rates.frames;
  }
  const [, count, unit] = /^(\d+(?:\.\d+)?)(h|ms|m|s|f|t)$/.exec(value) ?? [];
  const units = { h: 3600, m: 60, s: 1, ms: 0.001, f: 1 / rates.frames, t: 1 / rates.ticks };
  return Number(count) * units[unit as keyof typeof units];
}

/** The text of a paragraph of TTML: `<br/>` is a line break, readings of ruby are left out. */
function readParagraph(body: string): string {
  const [start = '', ...parts] = body.replace(/\s+/g, ' ').split('<');
  let text = start;
  let rubySpans = 0;
  for (const part of parts) {
    const end = part.indexOf('>');
    const tag = part.slice(0, Math.max(0, end));
    if (/^(\w+:)?span\b/.test(tag) && (rubySpans > 0 || /ruby\s*=\s*["']text["']/.test(tag))) {
      rubySpans += 1;
    } else if (rubySpans > 0 && /^\/(\w+:)?span\b/.test(tag)) rubySpans -= 1;
    if (rubySpans > 0) continue;
    if (/^(\w+:)?br\b/.test(tag)) text += '\n';
    text += part.slice(end + 1);
  }
  return text;
}

/**
 * TTML, also with a prefix (`<tt:p>`): each paragraph is a cue. Split at marks instead of matched,
 * because a pattern takes quadratic time for tags that are never closed.
 */
function readParagraphs(file: string): RawCue[] {
  const attribute = (tag: string, name: string): string =>
    new RegExp(`\\b${name}\\s*=\\s*["']([^"']*)["']`).exec(tag)?.[1] ?? '';
  const root = /<(?:\w+:)?tt\b[^<>]*>/.exec(file)?.[0] ?? '';
  const frames = Number(attribute(root, 'frameRate')) || 30;
  const rates = { frames, ticks: Number(attribute(root, 'tickRate')) || frames };
  const [beforeComments = '', ...comments] = file.split('<!--');
  const text = comments.reduce(
    (sum, part) => sum + (part.includes('-->') ? part.slice(part.indexOf('-->') + 3) : ''),
    beforeComments,
  );
  const [, ...marked] = text.split(/<(?=(?:\w+:)?p\b)/);
  return marked.flatMap((part) => {
    const tag = part.slice(0, part.indexOf('>'));
    const body = part.slice(tag.length + 1);
    const bodyEnd = body.search(/<\/(?:\w+:)?p>/);
    if (tag.endsWith('/') || bodyEnd < 0) return [];
    const start = parseTtmlTime(attribute(tag, 'begin'), rates);
    const end = attribute(tag, 'end');
    return {
      start,
      end: end ? parseTtmlTime(end, rates) : start + parseTtmlTime(attribute(tag, 'dur'), rates),
      text: readParagraph(body.slice(0, bodyEnd)),
    };
  });
}

/** Formats of plain lines. Text may look like a line of another format, times may not. */
function readLines(lines: readonly string[], isWebVtt: boolean): RawCue[] {
  const timed = readTimedBlocks(lines, isWebVtt);
  if (timed.length > 0) return timed;
  const frames = readFrameLines(lines);
  return frames.length > 0 ? frames : readLyrics(lines);
}

/**
 * The cues of a subtitle file in the order of their times. Cues without text or without length are
 * left out; text that is not subtitles has no cues.
 */
export function readCueFile(text: string): RawCue[] {
  const clean = text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    // Long runs of spaces would take the patterns quadratic time.
    .replace(/[^\S\n]{2,}/g, ' ');
  const lines = clean.split('\n');
  const cues = /<(?:\w+:)?tt\b/.test(clean.slice(0, 4000))
    ? readParagraphs(clean)
    : lines.some((line) => /^\[(?:script info|events)\]/i.test(line))
      ? readDialogue(lines)
      : readLines(lines, /^WEBVTT/.test(clean));
  return cues
    .filter(({ start, end, text: shown }) => end > start && end < Infinity && shown.trim())
    .sort((a, b) => a.start - b.start || a.end - b.end);
}
