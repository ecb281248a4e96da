import { type FilePart, missingParts } from '../flow/upload.ts';
import { HttpError } from './errors.ts';
import { putPart } from './send-body.ts';
import {
  type ArrivedPart,
  arrivedParts,
  type PartAddress,
  partAddresses,
  type Sending,
  upload as uploadReader,
} from './upload-answers.ts';

/** How many addresses are requested at once; they expire. */
const partsAtOnce = 8;

/** Sends what has not arrived, part by part, to addresses that the host signs. */
export async function sendByParts(sending: Sending): Promise<void> {
  const { host, upload, file, signal, onSent } = sending;
  const path = `/uploads/${encodeURIComponent(upload.id)}`;
  const { value: arrived } = await host.get<ArrivedPart[]>(`${path}/parts`, arrivedParts, {
    isOwn: true,
    signal,
  });
  const missing = missingParts(file.size, upload.part_size ?? file.size, arrived);
  let sent = file.size - missing.reduce((sum, { start, end }) => sum + end - start, 0);
  onSent(sent, true);
  for (let at = 0; at < missing.length; at += partsAtOnce) {
    const some = missing.slice(at, at + partsAtOnce);
    const numbers = some.map(({ number }) => number);
    const { value } = await host.change<PartAddress[]>(`${path}/parts`, partAddresses, {
      body: { numbers },
      signal,
    });
    const addresses = new Map(value.map(({ number, url }) => [number, url]));
    for (const part of some) {
      await put(sending, part, addresses.get(part.number)!, sent);
      sent += part.end - part.start;
      onSent(sent, true);
    }
  }
  await host.change(`${path}/complete`, uploadReader, { body: {}, signal });
}

async function put(
  { file, signal, onSent }: Sending,
  { start, end }: FilePart,
  url: string,
  before: number,
): Promise<void> {
  try {
    await putPart(url, file.slice(start, end), signal, (bytes) => onSent(before + bytes, false));
  } catch (cause) {
    // The address has ended. The next try asks for another.
    if (cause instanceof HttpError && cause.status === 403) {
      throw new HttpError(cause.call, 503, cause.problem, cause.retryAfter, { cause });
    }
    throw cause;
  }
}
