import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Every file is looked at, so seldom. */
const maxAgeMs = 300_000;

/**
 * Bytes of the stored files by their kind (`sources`, `exports`, …), as they were last measured:
 * nobody waits for the next time, which begins when the last one is five minutes old.
 */
export function storedBytes(directory: string): () => ReadonlyMap<string, number> {
  let known: ReadonlyMap<string, number> = new Map();
  let began = -Infinity;
  return () => {
    if (performance.now() - began > maxAgeMs) {
      began = performance.now();
      void measure(directory).then((bytes) => (known = bytes));
    }
    return known;
  };
}

async function measure(directory: string): Promise<ReadonlyMap<string, number>> {
  const bytes = new Map<string, number>();
  for (const kind of await readdir(directory).catch(() => [])) {
    const inside = join(directory, kind);
    const options = { recursive: true, withFileTypes: true } as const;
    for (const entry of await readdir(inside, options).catch(() => [])) {
      if (!entry.isFile()) continue;
      // It may be gone by now.
      const { size } = await stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 }));
      bytes.set(kind, (bytes.get(kind) ?? 0) + size);
    }
  }
  return bytes;
}
