const name = 'watermarked';

/**
 * The ids of the clips to export with the watermark. Stored, so that a reload shows the same export
 * again.
 */
export function readWatermarked(): Set<string> {
  try {
    return new Set(JSON.parse(localStorage.getItem(name) ?? '[]') as string[]);
  } catch {
    return new Set();
  }
}

export function writeWatermarked(ids: ReadonlySet<string>): void {
  try {
    localStorage.setItem(name, JSON.stringify([...ids]));
  } catch {
    // Storage is blocked: keep it only for this page.
  }
}
