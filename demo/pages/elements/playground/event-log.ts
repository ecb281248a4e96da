export interface LogLine {
  readonly name: string;
  readonly note: string;
  /** Number of such events in a row. */
  readonly count: number;
}

const maxLines = 40;

/** Returns the detail of a kit event that is worth a line in the log. */
export function describeEvent(event: Event): string {
  const { error, progress, clips, clip, downloadUrl } = event as unknown as Record<string, never>;
  if (error) return (error as { code?: string }).code ?? '';
  if (clips) return `${(clips as unknown[]).length} clips`;
  if (clip) return (clip as { name: string }).name;
  if (downloadUrl) return downloadUrl;
  if (typeof progress === 'number') return `${Math.round(progress * 100)} %`;
  return '';
}

/** The log with another event, newest first. Events in a row with one name share a line. */
export function addLogLine(lines: readonly LogLine[], name: string, note: string): LogLine[] {
  const [last, ...rest] = lines;
  return last?.name === name
    ? [{ name, note, count: last.count + 1 }, ...rest]
    : [{ name, note, count: 1 }, ...lines].slice(0, maxLines);
}
