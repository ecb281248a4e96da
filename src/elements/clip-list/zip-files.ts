// The build bundles the library into this file: tools/bundled-library.ts.
import { downloadZip } from 'client-zip';

/** A file that is read when its turn comes. */
export interface ZippedFile {
  readonly name: string;
  readonly open: () => Promise<Response>;
}

/** A name that is not there yet, also not in capitals, which Windows takes for the same. */
function freeName(name: string, taken: Set<string>): string {
  const [, stem = name, ending = ''] = /^(.+?)(\.\w+)?$/.exec(name) ?? [];
  let free = name;
  for (let at = 2; taken.has(free.toLowerCase()); at++) free = `${stem} (${at})${ending}`;
  taken.add(free.toLowerCase());
  return free;
}

/**
 * Puts files into a ZIP, one after another and uncompressed, while they arrive.
 *
 * @param opened Called with the number of each file, from 1, before it is read.
 * @throws What `open` rejects with, and a `TypeError` for a connection that is lost.
 */
export function zipFiles(
  files: readonly ZippedFile[],
  opened: (count: number) => void,
): Promise<Blob> {
  const taken = new Set<string>();
  async function* entries() {
    for (const [at, { name, open }] of files.entries()) {
      opened(at + 1);
      yield { name: freeName(name, taken), input: await open() };
    }
  }
  return downloadZip(entries()).blob();
}
