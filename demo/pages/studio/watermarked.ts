const name = 'watermarked';

/** The ids of the clips that are to be exported with the watermark: kept, so that a reload shows the same export again. */
export const readWatermarked = (): Set<string> => {
  try {
    return new Set(JSON.parse(localStorage.getItem(name) ?? '[]') as string[]);
  } catch {
    return new Set();
  }
};

export const writeWatermarked = (ids: ReadonlySet<string>): void => {
  try {
    localStorage.setItem(name, JSON.stringify([...ids]));
  } catch {
    // Kept for this page alone then.
  }
};
