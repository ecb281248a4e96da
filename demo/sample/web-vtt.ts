function stamp(seconds: number): string {
  const thousandths = Math.round(seconds * 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  const whole = Math.floor(thousandths / 1000);
  return `${two(Math.floor(whole / 3600))}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}.${String(thousandths % 1000).padStart(3, '0')}`;
}

/** A transcript as WebVTT: a cue for each sentence, times in seconds. */
export const webVtt = (
  sentences: readonly { text: string; start: number; end: number }[],
): string =>
  `WEBVTT\n\n${sentences
    .map(({ text, start, end }) => `${stamp(start)} --> ${stamp(end)}\n${text}\n`)
    .join('\n')}`;
