/** Seconds of output from a line of `-progress`; null for any other line. */
export function progressSeconds(line: string): number | null {
  const match = /^out_time_(?:us|ms)=(\d+)/m.exec(line);
  return match ? Number(match[1]) / 1e6 : null;
}
