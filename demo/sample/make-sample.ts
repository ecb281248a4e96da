/** Makes the sample video and its transcript. */
export function makeSample(_directory: string): Promise<{ video: string; transcript: string }> {
  throw new Error('being built');
}
