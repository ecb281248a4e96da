import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceClient } from 'clip-kit/client';

/** Music and bumpers, so that the editor of the demo has some to choose. */
const media = [
  { list: 'music', name: 'Four chords', file: 'tune.m4a', type: 'audio/mp4' },
  { list: 'bumpers', name: 'Cutroom', file: 'intro.mp4', type: 'video/mp4' },
  { list: 'bumpers', name: 'Watch it all', file: 'end-card.png', type: 'image/png' },
] as const;

interface Service {
  client: ServiceClient;
  baseUrl: string;
  apiKey: string;
  signal: AbortSignal;
}

/** Gives the organization what it does not have of the sample's music and bumpers. */
export async function addSampleMedia(
  sample: string,
  { client, baseUrl, apiKey, signal }: Service,
): Promise<void> {
  const known = [
    ...(await client.listMusic({ signal })),
    ...(await client.listBumpers({ signal })),
  ];
  for (const { list, name, file, type } of media) {
    if (known.some((one) => one.name === name)) continue;
    const body = await readFile(join(sample, file));
    const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': type };
    const url = `${baseUrl}/${list}?${new URLSearchParams({ name })}`;
    const answer = await fetch(url, { method: 'POST', headers, body, signal });
    if (!answer.ok) throw new Error(`${file} was not stored: ${await answer.text()}`);
  }
}
