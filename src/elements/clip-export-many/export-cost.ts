import { nullable, object, plain, text } from '../../client/host-answers.ts';
import { pageHost, type PageHostOptions } from '../../client/page-host.ts';
import type { Allowance } from '../../contract/export.ts';

export type Cost = Pick<Allowance, 'allowance' | 'counts' | 'refusal' | 'used'>;

const count = plain('number', (value: number) => value >= 0 && Number.isSafeInteger(value));
const cost = object<Cost>({
  allowance: nullable(count),
  counts: plain('boolean'),
  refusal: nullable(text),
  used: count,
});

/** Returns what the export of a clip would cost. Throws where the host does not tell. */
export async function readCost(
  options: PageHostOptions,
  project: string,
  folder: string | null,
  signal: AbortSignal,
): Promise<Cost> {
  const query = folder ? { folder_id: folder } : {};
  const path = `/projects/${encodeURIComponent(project)}/allowance`;
  return (await pageHost(options).get<Cost>(path, cost, { query, isOwn: true, signal })).value;
}
