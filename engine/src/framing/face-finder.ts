import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { ProcessError } from '../program/process-error.ts';
import { run } from '../program/ffmpeg-process.ts';
import type { Box } from '../edit.ts';
import type { Looking, OpenFinder, Subject, SubjectFinder } from './subject-finder.ts';

const script = fileURLToPath(new URL('./faces.py', import.meta.url));

/** Pythons that may have OpenCV: a site's own first, then the system's, for which Debian packages it. */
const pythons = ['python3', '/usr/bin/python3'] as const;

let found: Promise<string | null> | null = null;

async function pythonWithOpenCv(): Promise<string | null> {
  for (const python of pythons) {
    try {
      await run(python, ['-I', script, '--check'], {
        signal: AbortSignal.timeout(60_000),
        deadlineSeconds: 60,
      });
      return python;
    } catch (error) {
      // What fails by itself, or is not there, stays so: the next, or none. What was killed or too slow may work another time.
      if (error instanceof ProcessError && error.end !== 'failed') throw error;
    }
  }
  return null;
}

const boxOf = ([x, y, width, height]: number[], { size }: Looking): Box => ({
  x: (x ?? 0) / size.width,
  y: (y ?? 0) / size.height,
  width: (width ?? 0) / size.width,
  height: (height ?? 0) / size.height,
});

interface Waiting {
  resolve(subjects: Subject[]): void;
  reject(error: unknown): void;
}

/** One child process for a clip; it sees pixels only, never the file. */
function openFaces(python: string, looking: Looking): SubjectFinder {
  const pictures = new PassThrough({ highWaterMark: 1 });
  const waiting: Waiting[] = [];
  let gone: unknown = null;
  let rest = '';
  const answer = (line: string): void => {
    const boxes = JSON.parse(line) as number[][];
    waiting.shift()?.resolve(boxes.map((box) => ({ kind: 'face', box: boxOf(box, looking) })));
  };
  const fail = (error: unknown): void => {
    gone ??= error;
    for (const { reject } of waiting.splice(0)) reject(gone);
  };
  const done = run(
    python,
    ['-I', script, String(looking.size.width), String(looking.size.height)],
    {
      signal: looking.signal,
      // As long as a clip's pictures come; its end is the end of its input.
      deadlineSeconds: 3600,
      stdin: pictures,
      onStdout: (piece) => {
        const lines = (rest + piece.toString('latin1')).split('\n');
        rest = lines.pop() ?? '';
        try {
          lines.forEach(answer);
        } catch (error) {
          fail(error); // Something else than boxes was printed.
        }
      },
    },
  ).then(() => fail(new ProcessError(python, 0, 'it ended early')), fail);
  return {
    look: (picture) => {
      if (gone) return Promise.reject(gone as Error);
      const { promise, resolve, reject } = Promise.withResolvers<Subject[]>();
      waiting.push({ resolve, reject });
      pictures.write(picture);
      return promise;
    },
    close: async () => {
      pictures.end();
      await done;
    },
  };
}

/**
 * Faces by OpenCV's cascades where Python has them; null where it has not. Looked for once a process. Throws ProcessError where that
 * could not be found out this time.
 */
export async function faceFinder(): Promise<OpenFinder | null> {
  found ??= pythonWithOpenCv().catch((error: unknown) => {
    found = null;
    throw error;
  });
  const python = await found;
  return python === null ? null : (looking) => openFaces(python, looking);
}
