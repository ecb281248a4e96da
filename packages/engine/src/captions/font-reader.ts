/**
 * Reads fonts in a process of its own. Arguments and input: `check` and the bytes of a file, or
 * `subset` and files with letters. Answers: the font or why it is refused, or the subset of each.
 */
import { readFile } from 'node:fs/promises';
import { buffer, json } from 'node:stream/consumers';
import { checkFont, type FontAnswer, FontError } from './font-file.ts';
import { makeFontSubset } from './font-subset.ts';

const answer = (value: FontAnswer | string): unknown =>
  process.stdout.write(`${JSON.stringify(value)}\n`);

const encodeBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

async function check(): Promise<void> {
  try {
    const font = await checkFont(await buffer(process.stdin));
    answer({ ...font, bytes: encodeBase64(font.bytes) });
  } catch (error) {
    if (!(error instanceof FontError)) throw error;
    answer({ refused: error.message });
  }
}

async function makeSubset(): Promise<void> {
  const asked = (await json(process.stdin)) as {
    fonts: { path: string; index: number }[];
    letters: string[];
  };
  for (const { path, index } of asked.fonts)
    answer(encodeBase64(await makeFontSubset(await readFile(path), index, asked.letters)));
}

// Only answers are written to the standard output: the unpacker of WOFF2 says there what is wrong.
console.log = console.error;
await (process.argv[2] === 'check' ? check() : makeSubset());
