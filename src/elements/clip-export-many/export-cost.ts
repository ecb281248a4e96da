import { makeNullable, readObject, readPlain, text } from '../../client/host-answers.ts';
import { getPageHost, type PageHostOptions } from '../../client/page-host.ts';
import type { Allowance } from '../../contract/export.ts';

export type Cost = Pick<Allowance, 'allowance' | 'counts' | 'refusal' | 'used'>;

const count = readPlain('number', (value: number) => value >= 0 && Number.isSafeInteger(value));
const cost = readObject<Cost>({
  allowance: makeNullable(count),
  counts: readPlain('boolean'),
  refusal: makeNullable(text),
  used: count,
});

/** Returns the cost of a clip's export. Throws if the host does not provide it. */
export async function readCost(
  options: PageHostOptions,
  project: string,
  folder: string | null,
  signal: AbortSignal,
): Promise<Cost> {
  const query = folder ? { folder_id: folder } : {};
  const path = `/projects/${encodeURIComponent(project)}/allowance`;
  return (await getPageHost(options).get<Cost>(path, cost, { query, isOwn: true, signal })).value;
}
