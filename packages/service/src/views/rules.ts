import type { ViewRecord, ViewReport } from 'clip-kit/contract';

/** Seconds of a mark. */
const markSeconds = 10;

/** A site has a few. Anyone can invent more, so the least viewed one makes room for a new one. */
const maxPlaces = 20;

/** The counts of a clip. */
export interface ViewCounts {
  views: number;
  /** The number of views that began without sound. */
  muted: number;
  /** The number of views of each ten seconds, from the start. */
  marks: readonly number[];
  /** Views by the site's words for where they were. */
  places: Readonly<Record<string, number>>;
}

/** The counts of a clip, and its length in seconds. */
export interface ReportedViews extends ViewCounts {
  id: string;
  duration: number;
}

export const noViews: ViewCounts = { views: 0, muted: 0, marks: [], places: {} };

/** The additions of an address to a clip in the last minute. */
export interface Visit {
  begun: boolean;
  marks: readonly number[];
}

/** Merges the records of a clip from one visit, which may belong to several showings. */
export function mergeRecords(records: readonly ViewRecord[]): ViewRecord {
  const first = records.find(({ begins }) => begins) ?? records[0]!;
  return { ...first, marks: [...new Set(records.flatMap(({ marks }) => marks))] };
}

/**
 * Returns the part of a record that is new to a clip of this length, beyond what its visit has
 * added.
 */
export function pickNewMarks(
  record: ViewRecord,
  visit: Visit,
  durationSeconds: number,
): ViewRecord {
  return {
    ...record,
    begins: record.begins && !visit.begun,
    marks: record.marks.filter(
      (mark) => mark * markSeconds < durationSeconds && !visit.marks.includes(mark),
    ),
  };
}

/** The counts after a record. */
export function addRecord(counts: ViewCounts, record: ViewRecord): ViewCounts {
  const length = Math.max(counts.marks.length, ...record.marks.map((mark) => mark + 1));
  const marks = Array.from(
    { length },
    (_, mark) => (counts.marks[mark] ?? 0) + (record.marks.includes(mark) ? 1 : 0),
  );
  if (!record.begins) return { ...counts, marks };
  return {
    views: counts.views + 1,
    muted: counts.muted + (record.muted ? 1 : 0),
    marks,
    places: record.place === undefined ? counts.places : addPlace(counts, record.place),
  };
}

function addPlace({ places, views }: ViewCounts, place: string): ViewCounts['places'] {
  const known = new Map(Object.entries(places));
  if (!known.has(place) && known.size >= maxPlaces) {
    const fewest = Math.min(...known.values());
    const last = [...known.keys()].filter((one) => known.get(one) === fewest);
    // Not always the same of them: a new word of the site's would never get a second view.
    known.delete(last[views % last.length]!);
  }
  return Object.fromEntries(known.set(place, (known.get(place) ?? 0) + 1));
}

/** Makes the report of a clip's views, by its length as it is now. */
export function makeViewReport(
  projectId: string,
  { views, muted, marks, places }: ViewCounts,
  durationSeconds: number,
): ViewReport {
  const retention = Array.from({ length: Math.ceil(durationSeconds / markSeconds) }, (_, mark) => {
    const watched = marks[mark] ?? 0;
    const share = views ? Math.min(1, watched / views) : 0;
    return { second: mark * markSeconds, watched, share: Math.round(share * 1000) / 1000 };
  });
  const watchedSeconds = retention.reduce(
    (sum, { second, watched }) => sum + watched * Math.min(markSeconds, durationSeconds - second),
    0,
  );
  return {
    project_id: projectId,
    views,
    muted,
    watched_seconds: Math.round(watchedSeconds),
    retention,
    places: { ...places },
  };
}

/** The same as CSV, with a line for each ten seconds of each clip. */
export const viewCsv = (reports: readonly ViewReport[]): string =>
  [
    'project_id,views,muted,second,watched,share',
    ...reports.flatMap(({ project_id, views, muted, retention }) =>
      retention.map(({ second, watched, share }) =>
        [project_id, views, muted, second, watched, share].join(),
      ),
    ),
  ]
    .map((line) => `${line}\r\n`)
    .join('');
