import { join } from 'node:path';
import { cutSegment } from 'clip-engine';
import type { ServiceContext } from '../context.ts';
import type { NewProject } from '../clips/queries.ts';
import type { KeptStretch } from '../db/schema.ts';
import type { Attempt } from '../queue/attempt-queries.ts';
import { attemptFileName } from '../queue/publish.ts';

/**
 * Cuts each clip's own piece out of the source, so that its renders need no more of it. A clip
 * whose piece would not be exact is rendered from the source. Gives the stretches by the clips'
 * ids, and their files by storage key.
 */
export async function cutStretches(
  service: Pick<ServiceContext, 'log' | 'stretches'>,
  attempt: Attempt,
  clips: readonly Pick<NewProject, 'id' | 'edit'>[],
  { source, directory, signal }: { source: string; directory: string; signal: AbortSignal },
): Promise<{ stretches: Map<string, KeptStretch>; files: Record<string, string> }> {
  const stretches = new Map<string, KeptStretch>();
  const files: Record<string, string> = {};
  if (!service.stretches) return { stretches, files };
  for (const { id, edit } of clips) {
    const output = join(directory, `${id}.stretch`);
    const cut = await cutSegment(edit, { source, output, signal });
    if (!cut) {
      service.log({ event: 'no-stretch', id });
      continue;
    }
    // Under the task's id, as the posters: until the clips are recorded, only the task finds them.
    const key = `stretches/${attempt.id}/${attemptFileName(attempt, 'video')}`;
    stretches.set(id, { key, ...cut });
    files[key] = output;
  }
  return { stretches, files };
}
