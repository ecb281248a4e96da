import { HttpError } from 'clip-kit/client';
import type { Task, VideoToShortsInput } from 'clip-kit/contract';
import * as z from 'zod';
import { quote, refuse, makeDataAnswer } from '../answer.ts';
import {
  addTool,
  disagreement,
  makeIdSchema,
  idempotencyKey,
  reads,
  waitSeconds,
  watch,
  type AddTool,
  type Clips,
} from './tool.ts';

const metadata = z.record(z.string().regex(/^[A-Za-z0-9_.-]{1,40}$/), z.string().max(500));

const sourceFields = {
  source_video_url: z
    .url()
    .describe('Public http or https address of the video: a platform’s page or a file'),
  name: z.string().min(1).max(255).optional().describe('Display name of the video'),
  language: z
    .string()
    .optional()
    .describe('Language of the video, such as "en"; by default detected'),
  translate_to: z.string().optional().describe('Language of the captions, if different'),
  transcription_context: z
    .string()
    .max(1000)
    .optional()
    .describe('Names and words that are hard to recognise'),
  style_preset_id: z.string().optional().describe('Style preset of the captions'),
  source_range: z
    .strictObject({ start: z.number().min(0), end: z.number() })
    .optional()
    .describe('The part of the video to use, in seconds; by default all of it'),
  metadata: metadata.optional().describe('Own notes, such as ids: they come back with the task'),
  idempotency_key: idempotencyKey,
};

const editing = z
  .strictObject({
    captions: z.boolean().optional(),
    reframe: z
      .boolean()
      .optional()
      .describe('Keep the speaker in the picture when the shape changes'),
    emojis: z.boolean().optional(),
    intro_title: z.boolean().optional(),
    remove_silences: z.boolean().optional(),
    remove_fillers: z.boolean().optional(),
  })
  .optional();

const shortsFields = {
  target_clip_count: z.int().min(1).max(100).optional().describe('Number of clips'),
  min_clip_count: z
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe('Minimum number of clips: weak ones are included to reach it'),
  target_duration: z
    .int()
    .min(1)
    .max(120)
    .optional()
    .describe('Preferred length of a clip, in seconds'),
  min_duration: z.int().min(1).max(120).optional(),
  max_duration: z.int().min(1).max(180).optional(),
  topics: z
    .array(z.string().min(1).max(100))
    .min(1)
    .max(10)
    .optional()
    .describe('Topics of the clips, in the language of the video; by default any'),
};

function describeState({ status, progress, failure, output_type, output_id }: Task): string {
  if (status === 'ready') {
    return output_type === 'folder'
      ? `It is ready. list_clips with folder_id ${JSON.stringify(output_id)} gives its clips.`
      : `It is ready. list_clips with project_id ${JSON.stringify(output_id)} gives the clip.`;
  }
  if (status === 'error')
    return `It failed${failure ? ` (${failure.code})` : ''}; the data say why.`;
  const percent = progress ? ` (${progress.stage}, ${Math.round(progress.share * 100)} %)` : '';
  return `It is still processing${percent}. Call wait_for_video.`;
}

const noCost = 'Does not use an export';

const answerTask = (task: Task) => makeDataAnswer(describeState(task), { task });

/** The clips to export without another call: only where exports are allowed. */
const exportFields = {
  export_when_ready: z
    .strictObject({
      count: z.union([z.int().min(1).max(100), z.literal('all')]).describe('The best ones'),
      preset_id: z.string().optional(),
    })
    .optional()
    .describe(
      'Exports the clips when they are ready. EACH USES UP THE PLAN’S ALLOWANCE: only if the person asks for it',
    ),
};

function addCreateClips({ server, service, call, settings }: Clips): void {
  const cost = settings.mayExport ? 'Uses exports only with export_when_ready' : noCost;
  addTool(server, {
    name: 'create_clips',
    title: 'Make clips from a video',
    description: `Starts making short vertical clips from a long video (up to 5 hours). Returns a task immediately. ${cost}.`,
    input: {
      ...sourceFields,
      ...shortsFields,
      editing_options: editing,
      ...(settings.mayExport && exportFields),
    },
    annotations: {
      idempotentHint: true,
      destructiveHint: settings.mayExport,
      openWorldHint: true,
    },
    async work({ idempotency_key: idempotencyKey, ...fields }, run) {
      const body = fields as VideoToShortsInput;
      const { export_when_ready: wanted, source_video_url: source } = body;
      if (wanted) {
        const which = wanted.count === 'all' ? 'all of them' : `the best ${wanted.count}`;
        const question = `Make clips of ${quote(source)}, and export ${which} when they are ready? Each uses an export of the plan.`;
        if (!(await run.isAgreed(question))) return refuse(`Nothing was started: ${disagreement}`);
      }
      const { target_clip_count: count } = fields;
      if (count !== undefined) body.max_clip_count = Math.max(10, count);
      return answerTask(await service.createVideoToShorts(body, { ...call, idempotencyKey }));
    },
  });
}

function addEditVideo({ server, service, call }: Clips): void {
  addTool(server, {
    name: 'edit_video',
    title: 'Edit a whole video',
    description: `Starts making one clip of a whole video (up to 15 minutes): captions, title, shape. Returns a task immediately. ${noCost}.`,
    input: { ...sourceFields, editing_options: editing },
    annotations: { idempotentHint: true, destructiveHint: false, openWorldHint: true },
    async work({ idempotency_key: idempotencyKey, editing_options = {}, ...fields }) {
      const body = { ...fields, editing_options };
      return answerTask(await service.createVideoToVideo(body, { ...call, idempotencyKey }));
    },
  });
}

function addWaitForVideo({ server, service, call }: Clips): void {
  addTool(server, {
    name: 'wait_for_video',
    title: 'Wait for a video to finish',
    description: 'Waits until the clips of a video are ready, with progress.',
    input: { task_id: makeIdSchema('The id of the task'), seconds: waitSeconds },
    annotations: reads,
    async work({ task_id, seconds }, run) {
      const options = { ...call, signal: run.signal };
      return answerTask(await watch(seconds, run, () => service.getTask(task_id, options)));
    },
  });
}

function addListVideos({ server, service, call }: Clips): void {
  addTool(server, {
    name: 'list_videos',
    title: 'List the videos',
    description: 'Returns the videos that clips were made from, newest first.',
    input: {
      limit: z.int().min(1).max(100).default(20),
      cursor: z.string().exactOptional().describe('From the previous answer, for the next page'),
      metadata: metadata.exactOptional().describe('Only videos that have all of these notes'),
    },
    annotations: reads,
    async work(asked, { signal }) {
      try {
        const page = await service.listTasks(asked, { ...call, signal });
        return makeDataAnswer(`${page.tasks.length} videos.`, page);
      } catch (error) {
        if (error instanceof HttpError && error.status === 404 && !asked.cursor) {
          return refuse('This service cannot list videos. Remember the task ids yourself.');
        }
        throw error;
      }
    },
  });
}

/** Videos: what clips are made of. To the service they are tasks. */
export const videoTools: readonly AddTool[] = [
  addCreateClips,
  addEditVideo,
  addWaitForVideo,
  addListVideos,
];
