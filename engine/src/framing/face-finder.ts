import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { ProcessError } from '../program/process-error.ts';
import { run } from '../program/ffmpeg-process.ts';
import type { Box } from '../edit.ts';
import type { Looking, OpenFinder, Subject, SubjectFinder } from './subject-finder.ts';

const script = fileURLToPath(new URL('./faces.py', import.meta.url));

/** Pythons that may have OpenCV: one in PATH first, then the system's, where Debian installs it. */
const pythons = ['python3', '/usr/bin/python3'] as const;

let foundPython: Promise<string | null> | null = null;

async function pythonWithOpenCv(): Promise<string | null> {
  for (const python of pythons) {
    try {
      await run(python, ['-I', script, '--check'], {
        signal: AbortSignal.timeout(60_000),
        deadlineSeconds: 60,
      });
      return python;
    } catch (error) {
      // A Python without OpenCV stays without it: try the next one. A killed or slow one may work
      // later.
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

/** One child process per clip. It only gets pixels, never the file. */
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
      // It runs while pictures come, and ends with its input.
      deadlineSeconds: 3600,
      stdin: pictures,
      onStdout: (piece) => {
        const lines = (rest + piece.toString('latin1')).split('\n');
        rest = lines.pop() ?? '';
        try {
          lines.forEach(answer);
        } catch (error) {
          fail(error); // The output was not a list of boxes.
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
 * Finds faces with OpenCV's cascades; null if Python does not have them. Checked once per process.
 * Throws ProcessError if the check itself failed this time.
 */
export async function faceFinder(): Promise<OpenFinder | null> {
  foundPython ??= pythonWithOpenCv().catch((error: unknown) => {
    foundPython = null;
    throw error;
  });
  const python = await foundPython;
  return python === null ? null : (looking) => openFaces(python, looking);
}
