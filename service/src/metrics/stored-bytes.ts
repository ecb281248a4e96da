import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Every file is looked at, so seldom. */
const maxAgeMs = 300_000;

/** Bytes of the stored files by their kind (`sources`, `exports`, …), at most five minutes old. */
export function storedBytes(directory: string): () => Promise<ReadonlyMap<string, number>> {
  let kept: { at: number; bytes: Promise<ReadonlyMap<string, number>> } | null = null;
  return () => {
    if (!kept || performance.now() - kept.at > maxAgeMs) {
      kept = { at: performance.now(), bytes: measure(directory) };
    }
    return kept.bytes;
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
