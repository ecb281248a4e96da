import { run } from '../../program/ffmpeg-process.ts';
import { quietStart } from '../../program/input-guard.ts';
import { scanSampleRate, soundScanOutput } from '../../scan/sound-scan.ts';
import { frameSeconds, minLevelDb } from '../../scan/speech-pauses.ts';
import { type OpenedSource, soundFrom } from '../../source/open-source.ts';
import { lookNiceness } from '../../program/process-limits.ts';

/**
 * Levels of a source's sound in dBFS, `frameSeconds` each. Throws ProcessError if it cannot be
 * decoded, or the signal's reason.
 */
export async function soundLevels(
  opened: OpenedSource,
  {
    audioStream,
    seconds,
    signal,
  }: { audioStream: number | undefined; seconds: number; signal: AbortSignal },
): Promise<Float32Array> {
  const pieces: Buffer[] = [];
  const filters = `${soundFrom(opened, scanSampleRate)},atrim=end=${seconds.toFixed(6)}`;
  await run(
    'ffmpeg',
    // prettier-ignore
    [
      ...quietStart, '-vn', '-sn', '-dn', ...opened.input,
      '-map', `0:${audioStream ?? 'a:0'}`, '-af', filters, ...soundScanOutput,
    ],
    {
      signal,
      niceness: lookNiceness,
      deadlineSeconds: 60 + seconds,
      onStdout: (piece) => void pieces.push(piece),
    },
  );
  const bytes = Buffer.concat(pieces);
  const frameBytes = 2 * scanSampleRate * frameSeconds;
  return Float32Array.from({ length: Math.floor(bytes.length / frameBytes) }, (_, frame) => {
    let sum = 0;
    for (let at = frame * frameBytes; at < (frame + 1) * frameBytes; at += 2) {
      sum += bytes.readInt16LE(at) ** 2;
    }
    const power = sum / (frameBytes / 2) / 32_768 ** 2;
    return power > 0 ? Math.max(minLevelDb, 10 * Math.log10(power)) : minLevelDb;
  });
}
