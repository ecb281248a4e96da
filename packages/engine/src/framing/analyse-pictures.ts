import type { Box, Dimensions } from '../edit.ts';
import type { PictureFacts, Span } from '../facts.ts';
import {
  type EnteredSource,
  type OpenedSource,
  openSource,
  makePictureFilters,
  makeToneMapFilter,
} from '../source/open-source.ts';
import {
  findCuts,
  type FrameChange,
  minShotSeconds,
  type PictureSample,
  samplePixels,
  mergeCuts,
  withoutFlashes,
} from './cuts.ts';
import type { MouthReader } from './faces/face-finder.ts';
import { QualityMeter } from './picture-quality.ts';
import { confirmPeople } from './people.ts';
import { readPictures, readOnePictureEach } from './picture-reader.ts';
import { splitIntoShots } from './shots.ts';
import {
  type PictureAnalysis,
  type FinderOptions,
  type OpenFinder,
  isSameScene,
  type PictureQuality,
  measurePictureChange,
  type Sighting,
  type Subject,
  type SubjectFinder,
} from './subject-finder.ts';
import { findFigure, convertToGrey, type GreyPicture, findInset } from './text/figure.ts';
import { isOnFace, isReading, maxTitleLines } from './text/found-lines.ts';
import { withSourceCaptions } from './text/source-captions.ts';

/** Length of the longer side of the small pictures. */
const maxSidePixels = 640;
/** Time between two pictures: a little less than a quarter of a second. */
const stepSeconds = 0.245;
/** A draft searches about this many pictures beside the first of each shot, none much sooner. */
const draftPictures = { count: 16, minStepSeconds: { pictures: 0.7, keyframes: 1 } };
/**
 * Beside a keyframe, a draft searches a picture this much later, if no other keyframe is near:
 * titles appear and people enter after a cut.
 */
const later = { seconds: 1, minGapSeconds: 2.5 } as const;
/** A keyframe begins a new shot from this mean change of its pixels on, 0 to 255. */
const cutChange = { early: 6, usual: 48 };
/** A picture is black if this share of its pixels is at most this bright, 0 to 1. */
const black = { share: 0.97, level: 0.12 } as const;

/** Size of the small pictures: the shape of the video, with even sides, never larger than it. */
export function computeSmallSize({ width, height }: Dimensions): Dimensions {
  const scale = Math.min(1, maxSidePixels / Math.max(width, height));
  const even = (side: number) => Math.max(16, Math.round((side * scale) / 2) * 2);
  return { width: even(width), height: even(height) };
}

/**
 * Video filters: frames are scaled down, cuts are logged, and about four pictures per second are
 * written as raw pixels, with their times in the log.
 */
function makeAnalysisFilter(
  opened: OpenedSource,
  options: PictureAnalysisOptions,
  { width, height }: Dimensions,
): string {
  const { source, span, frameRate } = options;
  return [
    `${makePictureFilters(opened, source, options.draft === 'keyframes' ? null : frameRate)}trim=end=${(span.end - span.start).toFixed(6)},scale=${width}:${height}:flags=area`,
    `blackdetect=d=0:pic_th=${black.share}:pix_th=${black.level}`,
    // Not of brightness alone, as in the formats that blackdetect takes.
    ...(makeToneMapFilter(source) === '' ? ['format=rgba'] : []),
    // It only measures: how much a cut changes depends on the frames around it.
    'scdet=threshold=100,metadata=mode=print:key=lavfi.scd.mafd',
    `select='isnan(prev_selected_t)+gte(t-prev_selected_t,${stepSeconds})'`,
    `${makeToneMapFilter(source)}format=rgba`,
    'showinfo=checksum=0',
  ].join(',');
}

/** The time of a frame and, in the next line, its change, as ffmpeg's `metadata` prints them. */
const frameTime = /^\[(?:Parsed_)?metadata\S* @ \S+\] frame:.* pts_time:(-?[\d.]+)/;
const frameChange = /^\[(?:Parsed_)?metadata\S* @ \S+\] lavfi\.scd\.mafd=([\d.]+)/;

/** The end of the black pictures that a clip begins with, in a line of ffmpeg's `blackdetect`. */
const firstBlackEnd = /^\[(?:Parsed_)?blackdetect\S* @ \S+\] black_start: *0 black_end: *([\d.]+)/;

/** A line of ffmpeg for a picture that it cannot decode, or only in part. */
const brokenPicture =
  /^(?=\S).*(?:corrupt decoded frame|Error while decoding stream|Error submitting packet to decoder)/;

/** The facts that ffmpeg's filters and decoder log about the pictures. */
class FilterLog {
  readonly changes: FrameChange[] = [];
  blackEnd = 0;
  brokenPictures = 0;
  #frame = 0;

  read(line: string): void {
    this.blackEnd = Number(firstBlackEnd.exec(line)?.[1] ?? this.blackEnd);
    this.#frame = Number(frameTime.exec(line)?.[1] ?? this.#frame);
    const change = frameChange.exec(line);
    if (change) this.changes.push({ time: this.#frame, change: Number(change[1]) });
    if (brokenPicture.test(line)) this.brokenPictures += 1;
  }
}

/** Pictures of a scene from one search for persons to the next: beside faces, and without. */
const personsEvery = { besideFaces: 4, alone: 2 } as const;

/** The finders of a clip. A finder that fails is not asked again. */
class OpenFinders {
  readonly #finders: readonly SubjectFinder[];
  readonly #persons: SubjectFinder | undefined;
  readonly #otherwise: SubjectFinder | undefined;
  readonly #isFew: boolean;
  #sincePersons = 0;
  #hasPersons = false;
  #before: Uint8Array | null = null;
  #greyBefore: GreyPicture | null = null;
  readonly #broken = new Set<SubjectFinder>();
  readonly #onBroken: (error: unknown) => void;

  constructor(options: SearchOptions, finderOptions: FinderOptions) {
    this.#finders = options.finders.map((open) => open(finderOptions));
    this.#persons = options.persons?.(finderOptions);
    this.#otherwise = options.otherwise?.(finderOptions);
    this.#isFew = finderOptions.isFew ?? false;
    this.#onBroken = (error) => options.onBroken?.(error);
  }

  async find(picture: Uint8Array, { size, signal }: FinderOptions): Promise<Subject[]> {
    const ask = async (finder: SubjectFinder): Promise<Subject[]> => {
      if (this.#broken.has(finder)) return [];
      return finder.find(picture).catch((error: unknown) => {
        signal.throwIfAborted();
        this.#broken.add(finder);
        this.#onBroken(error);
        return [];
      });
    };
    const before = this.#before && isSameScene(picture, this.#before) ? this.#before : null;
    this.#before = picture;
    const known = this.#greyBefore;
    this.#greyBefore = null;
    const all = (await Promise.all(this.#finders.map(ask)))
      .flat()
      .map((subject) =>
        subject.kind === 'face' && before
          ? { ...subject, still: isStill(subject.box, picture, before, size) }
          : subject,
      );
    const faces = all.filter(({ kind }) => kind === 'face');
    const found = all.filter(
      ({ kind, box }) => kind !== 'text' || !faces.some((face) => isOnFace(box, face.box)),
    );
    const lines = found.filter(({ kind }) => kind === 'text').map(({ box }) => box);
    if (!isReading(lines) || (faces.length === 0 && lines.length <= maxTitleLines)) {
      const isSeen = found.some(({ kind }) => kind !== 'text');
      const every = isSeen ? personsEvery.besideFaces : personsEvery.alone;
      this.#sincePersons += 1;
      if (this.#persons && (!before || this.#isFew || this.#sincePersons >= every)) {
        this.#sincePersons = 0;
        const persons = await ask(this.#persons);
        this.#hasPersons = persons.some(({ isUnsure }) => !isUnsure);
        found.push(...persons);
      }
      if (isSeen || this.#hasPersons || !this.#otherwise) return found;
      return [...found, ...(await ask(this.#otherwise))];
    }
    if (faces.length === 0) return found;
    const grey = convertToGrey(picture, size);
    const greyBefore = before && (known ?? convertToGrey(before, size));
    this.#greyBefore = grey;
    return found.map((subject) => {
      if (subject.kind !== 'face') return subject;
      const { box: face } = subject;
      const inset =
        findInset(grey, face) ?? (greyBefore && findFigure(grey, greyBefore, { face, lines }));
      return inset ? { ...subject, inset } : subject;
    });
  }

  async close(): Promise<void> {
    const all = [...this.#finders, this.#persons, this.#otherwise].filter(
      (one) => one !== undefined,
    );
    await Promise.all(all.map((finder) => finder.close()));
  }
}

/** Options for the search in pictures. */
interface SearchOptions {
  /** The source's size as shown, and how its pictures are read. */
  source: Dimensions & PictureFacts;
  /** Width / height of the window to cut. */
  shape: number;
  finders: readonly OpenFinder[];
  /** Asked for some pictures of each scene. */
  persons?: OpenFinder;
  /** Searches the pictures in which all other finders find nothing but text. */
  otherwise?: OpenFinder;
  signal: AbortSignal;
  /** Called when a finder fails. The others continue. */
  onBroken?: (error: unknown) => void;
}

/** The pictures that a draft decodes: all, or only keyframes. */
export type DraftKind = 'pictures' | 'keyframes';

export interface PictureAnalysisOptions extends SearchOptions {
  /** The part of the source to analyse, in source seconds. */
  span: Span;
  /** Frames per second of the clip: pictures and cuts are on its frames. */
  frameRate: number;
  /**
   * Searches the first picture of each shot and about sixteen others: the pictures between are
   * taken to show the same. `keyframes`: decodes no others, and knows only the cuts at these.
   */
  draft?: DraftKind;
  /** Reads faces, so that the best picture can be chosen. */
  openReader?: (size: Dimensions) => MouthReader;
  onProgress?: (share: number) => void;
  /** Awaited before each picture is searched: the analysis pauses until it resolves. */
  beforePicture?: () => Promise<void>;
}

/** Chooses the pictures that a draft searches: the first of each shot, and a few others. */
class DraftChoice {
  readonly #stepSeconds: number;
  readonly #kind: DraftKind;
  #before: Uint8Array | null = null;
  #searchedAt = -Infinity;
  /** The pictures so far; `change`: from the one before. */
  readonly #pictures: { time: number; change: number; isSearched: boolean }[] = [];

  constructor(kind: DraftKind, seconds: number) {
    const { count, minStepSeconds } = draftPictures;
    this.#kind = kind;
    this.#stepSeconds = Math.max(minStepSeconds[kind], seconds / count);
  }

  /** Whether to search a picture. The bytes of the one before must not have changed. */
  take(picture: Uint8Array, time: number): boolean {
    const before = this.#before;
    this.#before = picture;
    const isNew = before && this.#kind === 'pictures' && !isSameScene(picture, before);
    const isSearched = isNew || time - this.#searchedAt >= this.#stepSeconds;
    if (isSearched) this.#searchedAt = time;
    const change = before ? measurePictureChange(picture, before) : 0;
    this.#pictures.push({ time, change, isSearched });
    return isSearched;
  }

  /**
   * Finds the keyframes that begin a new shot: those that come early need not differ as much. The
   * first one came `leadSeconds` before the clip.
   */
  findCuts(frameRate: number, leadSeconds: number): number[] {
    const times = this.#pictures.map(({ time }) => time || -leadSeconds);
    const isEarly = findEarlyKeyframes(times, frameRate);
    return this.#pictures
      .filter(({ change, isSearched }, index) => {
        const least = cutChange[isEarly[index] ? 'early' : 'usual'];
        return index > 0 && isSearched && change >= least;
      })
      .map(({ time }) => time);
  }
}

/** The greatest distance of keyframes that common encoders choose by themselves, in frames. */
const usualGroupFrames = 250;

/**
 * Whether each keyframe came before its time, as encoders begin most shots with one. It came in
 * time at the greatest distance, if several have that or it is one that people choose: whole
 * seconds, or the default of encoders.
 */
export function findEarlyKeyframes(times: readonly number[], frameRate: number): boolean[] {
  const gaps = times.slice(1).map((time, index) => time - times[index]!);
  const longest = Math.max(...gaps);
  const isNear = (one: number, other: number) => Math.abs(one - other) < 1.5 / frameRate;
  const isChosen =
    gaps.filter((gap) => isNear(gap, longest)).length > 1 ||
    isNear(longest, Math.round(longest)) ||
    isNear(longest, usualGroupFrames / frameRate);
  return [false, ...gaps.map((gap) => !isChosen || !isNear(gap, longest))];
}

/**
 * Searches pictures after the keyframes of a draft. One before the clip is left out, as it may be
 * of another shot.
 * @param keyframes the times of all, and those that were searched
 */
async function addLaterSightings(
  opened: EnteredSource,
  { source, span, frameRate, signal }: PictureAnalysisOptions,
  keyframes: { all: readonly number[]; searched: readonly Sighting[] },
  search: (picture: Uint8Array) => Promise<Subject[]>,
): Promise<Sighting[]> {
  const { all, searched } = keyframes;
  const isBefore = opened.leadSeconds >= 1 / frameRate;
  const wanted = searched.flatMap(({ time }, index) => {
    const gap = (all.find((one) => one > time) ?? span.end - span.start) - time;
    const isWanted = (index === 0 && isBefore) || gap >= later.minGapSeconds;
    return isWanted ? { keyframe: time, time: time + Math.min(gap / 2, later.seconds) } : [];
  });
  const size = computeSmallSize(source);
  const entered = wanted.map(({ keyframe, time }) =>
    opened.enter(span.start + time, span.start + (keyframe || -opened.leadSeconds)),
  );
  const pictures = await readOnePictureEach(entered, { source, size, frameRate, signal });
  if (pictures.length === 0) return [...searched];
  const found = searched.slice(isBefore ? 1 : 0);
  for (const [index, picture] of pictures.entries()) {
    found.push({ time: wanted[index]!.time, subjects: await search(picture) });
  }
  return found.toSorted((one, other) => one.time - other.time);
}

/**
 * Returns the sightings of every quarter of a second, each from the nearest picture of its shot.
 */
function holdSightings(
  found: readonly Sighting[],
  cuts: readonly number[],
  seconds: number,
): Sighting[] {
  const shotOf = (time: number): number => cuts.filter((cut) => cut <= time + 1e-3).length;
  const count = Math.ceil(seconds / stepSeconds);
  return Array.from({ length: count }, (_, index) => {
    const time = index * stepSeconds;
    const nearest = found
      .filter((one) => shotOf(one.time) === shotOf(time))
      .toSorted((one, other) => Math.abs(one.time - time) - Math.abs(other.time - time));
    return { time, subjects: nearest[0]?.subjects ?? [] };
  });
}

/**
 * Finds the subjects of some pictures of the small size, four bytes per pixel, and measures them. A
 * picture of another scene begins a new shot.
 */
export async function analyseStills(
  pictures: readonly Uint8Array[],
  stepSeconds: number,
  options: SearchOptions & Pick<PictureAnalysisOptions, 'openReader'>,
): Promise<PictureAnalysis> {
  const { source, shape, signal } = options;
  const size = computeSmallSize(source);
  const finderOptions = { size, shape, signal };
  const finders = new OpenFinders(options, finderOptions);
  const meter = new QualityMeter(size, options.openReader, pictures.length);
  const sightings: Sighting[] = [];
  const cuts: number[] = [];
  try {
    for (const [index, picture] of pictures.entries()) {
      const time = index * stepSeconds;
      if (index > 0 && !isSameScene(picture, pictures[index - 1]!)) cuts.push(time);
      const subjects = await finders.find(picture, finderOptions);
      const look = await meter.measure(picture, subjects);
      sightings.push({ time, subjects, ...(look && { look }) });
    }
    return { sightings, cuts };
  } finally {
    meter.close();
    await finders.close();
  }
}

/** The analysis of a clip that shows what one of its pictures shows, all the time. */
export function holdSighting(sighting: Sighting, seconds: number): PictureAnalysis {
  const held = holdSightings([sighting], [], seconds);
  return { sightings: confirmPeople(held), cuts: [] };
}

/**
 * Finds subjects and new shots in a part of a video, with one decode. Throws ProcessError if it
 * cannot be decoded, or the signal's reason.
 */
export async function analysePictures(
  path: string,
  options: PictureAnalysisOptions,
): Promise<PictureAnalysis> {
  const { span, signal, onProgress } = options;
  const size = computeSmallSize(options.source);
  const seconds = span.end - span.start;
  const isFew = options.draft !== undefined;
  const finderOptions = { size, shape: options.shape, isFew, signal };
  const finders = new OpenFinders(options, finderOptions);
  const keyframesAlone = options.draft === 'keyframes';
  const draft = options.draft ? new DraftChoice(options.draft, seconds) : null;
  const samples: PictureSample[] = [];
  const log = new FilterLog();
  const meter = draft ? null : new QualityMeter(size, options.openReader, seconds / stepSeconds);
  const qualities: (PictureQuality | undefined)[] = [];
  /** By picture; null for those that were not searched. */
  const seen: (Subject[] | null)[] = [];
  let times: number[];
  let sightings: Sighting[];
  let leadSeconds: number;
  try {
    const opened = await openSource(path, { from: span.start, picture: options.source, signal });
    ({ leadSeconds } = opened);
    times = await readPictures(
      opened,
      {
        source: options.source,
        filters: makeAnalysisFilter(opened, options, size),
        size,
        seconds,
        keyframesAlone,
        signal,
        onLine: (line) => log.read(line),
      },
      async (picture, time) => {
        await options.beforePicture?.();
        samples.push({ time, pixels: samplePixels(picture) });
        const isSearched = !draft || draft.take(picture, time);
        const subjects = isSearched ? await finders.find(picture, finderOptions) : null;
        seen.push(subjects);
        qualities.push(subjects && meter ? await meter.measure(picture, subjects) : undefined);
        onProgress?.(Math.min(1, (seen.length * stepSeconds) / seconds));
      },
    );
    sightings = seen.flatMap((subjects, index): Sighting[] => {
      const [time, look] = [times[index], qualities[index]];
      return time === undefined || !subjects ? [] : [{ time, subjects, ...(look && { look }) }];
    });
    if (keyframesAlone) {
      const keyframes = { all: times, searched: sightings };
      const search = (picture: Uint8Array) => finders.find(picture, finderOptions);
      sightings = await addLaterSightings(opened, options, keyframes, search);
    }
  } finally {
    meter?.close();
    await finders.close();
  }
  const cuts = findCuts(log.changes);
  // A draft begins where the clip does: its sound is read meanwhile.
  const firstPicture = draft ? 0 : findFirstPicture(cuts, log.blackEnd);
  const steady = mergeCuts(
    keyframesAlone && draft
      ? draft.findCuts(options.frameRate, leadSeconds)
      : withoutFlashes(cuts, samples).map(({ time }) => time),
  );
  const held = draft ? holdSightings(sightings, steady, seconds) : sightings;
  const found = withSourceCaptions({
    sightings: splitIntoShots({ sightings: held, cuts: steady }, seconds).flatMap((shot) =>
      confirmPeople(shot.sightings),
    ),
    cuts: steady,
  });
  return {
    ...found,
    ...(firstPicture > 0 && { firstPicture }),
    ...(!draft && log.brokenPictures > 0 && { brokenPictures: log.brokenPictures }),
  };
}

/** Returns the time at which a clip shows something: what flashes up after black is not shown. */
function findFirstPicture(cuts: readonly FrameChange[], blackEnd: number): number {
  const isEarly = ({ time }: FrameChange) => time > blackEnd && time < blackEnd + minShotSeconds;
  return cuts.findLast(isEarly)?.time ?? blackEnd;
}

/** The box of a face is compared in about this many squares each way. */
const squaresAcross = 12;
/** A square has changed from this change of its mean green value on, 0 to 255. */
const minSquareChange = 5;
/** A face has moved if this share of its squares has changed. */
const minMovedShare = 0.05;

/** Whether a face is where it was in the picture before: four bytes per pixel, box in shares. */
function isStill(
  face: Box,
  now: Uint8Array,
  before: Uint8Array,
  { width, height }: Dimensions,
): boolean {
  const side = Math.max(2, Math.round((face.width * width) / squaresAcross));
  const within = (value: number, size: number) => Math.min(Math.max(Math.round(value), 0), size);
  const right = within((face.x + face.width) * width, width) - side;
  const bottom = within((face.y + face.height) * height, height) - side;
  let [squares, moved] = [0, 0];
  for (let top = within(face.y * height, height); top <= bottom; top += side) {
    for (let left = within(face.x * width, width); left <= right; left += side) {
      let change = 0;
      for (let y = top; y < top + side; y++) {
        for (let x = left; x < left + side; x++) {
          const at = 4 * (y * width + x) + 1;
          change += now[at]! - before[at]!;
        }
      }
      squares += 1;
      if (Math.abs(change) >= minSquareChange * side * side) moved += 1;
    }
  }
  return moved < minMovedShare * squares;
}
