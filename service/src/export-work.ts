import type { ServiceContext } from './context.ts';
import type { KeptSource, TaskRequest } from './db/schema.ts';
import type { Style } from './media/style.ts';
import { changesNothing } from './media/copy-rules.ts';
import { ProcessError } from './media/ffmpeg-process.ts';
import { restyled, type Plan } from './media/plan.ts';
import { renderSize } from './media/render-arguments.ts';
import { lookWork, renderWork, scanWork } from './media/render-work.ts';
import { canCopy } from './media/stream-copy.ts';
import type { ProjectRow } from './objects.ts';

/** Bits a second of a kept source. */
export const bitRateOf = ({ bytes, media }: Pick<KeptSource, 'bytes' | 'media'>): number =>
  (bytes * 8) / Math.max(1, media.duration);

/** The work of a preview. */
export const previewWork = (plan: Plan, source: KeptSource): number =>
  renderWork({
    plan,
    size: renderSize(plan, 'preview'),
    watermark: false,
    sourceBitRate: bitRateOf(source),
  });

/** The work of a task before its clips are known: the scan, and previews as long as was asked for. */
export const taskWork = (request: TaskRequest, source: KeptSource): number => {
  const { media } = source;
  const seconds =
    request.type === 'video-to-video'
      ? media.duration
      : Math.min(
          media.duration,
          Math.min(request.target_clip_count, request.max_clip_count) * request.target_duration,
        );
  const preview = 0.05 + ((media.width * media.height * media.frameRate) / 1e6) * 0.003;
  return scanWork(media) + seconds * preview;
};

/** The work of looking at the clip first, where it has not been seen yet. */
export const firstLook = (plan: Plan, source: KeptSource): number =>
  lookWork(plan, bitRateOf(source));

/** Whether the clip will be copied. A file that cannot be read here fails in the export itself. */
const willCopy = async (
  service: Pick<ServiceContext, 'storage'>,
  plan: Plan,
  source: KeptSource,
  signal: AbortSignal,
): Promise<boolean> => {
  if (!changesNothing(plan)) return false;
  try {
    return await canCopy(plan, { source: await service.storage.localPath(source.key), signal });
  } catch (error) {
    if (error instanceof ProcessError) return false;
    throw error;
  }
};

/** The work of an export's render alone: without a look at the clip before it. */
export const exportRenderWork = (
  plan: Plan,
  source: Pick<KeptSource, 'bytes' | 'media'> | null,
  watermark: boolean,
): number =>
  renderWork({
    plan,
    size: renderSize(plan, 'export'),
    watermark,
    sourceBitRate: source ? bitRateOf(source) : 0,
  });

/** How much work an export of the clip is, and whether it will be a copy. */
export const exportWork = async (
  service: Pick<ServiceContext, 'db' | 'storage'>,
  project: Pick<ProjectRow, 'plan' | 'task_id'>,
  options: { style?: Style | undefined; watermark: boolean; signal: AbortSignal },
): Promise<{ work: number; copied: boolean }> => {
  const { source } = await service.db
    .selectFrom('tasks')
    .select('source')
    .where('id', '=', project.task_id)
    .executeTakeFirstOrThrow();
  const plan = options.style ? restyled(project.plan, options.style) : project.plan;
  const work =
    exportRenderWork(plan, source, options.watermark) + (source ? firstLook(plan, source) : 0);
  const copied =
    source !== null &&
    !options.watermark &&
    (await willCopy(service, plan, source, options.signal));
  return { work, copied };
};
