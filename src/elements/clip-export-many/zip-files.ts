// The build bundles the library into this file: tools/bundled-library.ts.
import { downloadZip } from 'client-zip';

/** A file that is read when its turn comes. */
export interface ZippedFile {
  readonly name: string;
  /** Resolves with null if the file is missing. */
  readonly open: () => Promise<Response | null>;
}

/** A name that is not there yet, also not in capitals, which Windows takes for the same. */
function findFreeName(name: string, taken: Set<string>): string {
  const [, stem = name, ending = ''] = /^(.+?)(\.\w+)?$/.exec(name) ?? [];
  let free = name;
  for (let at = 2; taken.has(free.toLowerCase()); at++) free = `${stem} (${at})${ending}`;
  taken.add(free.toLowerCase());
  return free;
}

/**
 * Returns a ZIP of the files that are there, one after another and uncompressed, while they arrive.
 * Reading it fails as `open` does, with a `TypeError` for a connection that is lost, and with a
 * `RangeError` if it would be longer than `mostBytes`.
 *
 * @param opened Called with the number of each file, from 1, before it is read.
 */
export function zipFiles(
  files: readonly ZippedFile[],
  mostBytes: number,
  opened: (count: number) => void,
): Response {
  let bytes = 0;
  const taken = new Set<string>();
  async function* entries() {
    for (const [at, { name, open }] of files.entries()) {
      opened(at + 1);
      const input = await open();
      if (!input) continue;
      const length = Number(input.headers.get('Content-Length'));
      // The others are about as long: nothing is read in vain.
      if (bytes + length * (files.length - at) > mostBytes) {
        void input.body?.cancel();
        throw new RangeError('The ZIP would be too long.');
      }
      bytes += length;
      yield { name: findFreeName(name, taken), input };
    }
    if (!taken.size) throw new TypeError('No file is there.');
  }
  return downloadZip(entries());
}
