import { open, rename } from 'node:fs/promises';

/** Moves a finished file to its place, on the same disk: it is there whole, or not at all. */
export async function placeFile(part: string, output: string): Promise<void> {
  const file = await open(part, 'r+');
  await file.sync().finally(() => file.close());
  await rename(part, output);
}
