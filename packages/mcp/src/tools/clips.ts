import type { Project } from 'clip-kit/contract';
import * as z from 'zod';
import { refuse, makeDataAnswer } from '../answer.ts';
import type { Settings } from '../settings.ts';
import { readPoster } from '../poster.ts';
import { addTool, makeIdSchema, reads, type AddTool, type Clips } from './tool.ts';

/** Returns a clip as the agent sees it, with the addresses of its pages. */
const showClip = ({ id, ...clip }: Project, { playerUrl, editorUrl }: Settings) => ({
  project_id: id,
  ...clip,
  preview_url: playerUrl && `${playerUrl}/player/${encodeURIComponent(id)}`,
  edit_url: editorUrl?.replaceAll('{project_id}', encodeURIComponent(id)) ?? null,
});

function addListClips({ server, service, call, settings }: Clips): void {
  addTool(server, {
    name: 'list_clips',
    title: 'List the clips of a video',
    description:
      'The clips of a folder, best first, or one clip: its name, score (0 to 1), why it was chosen, length, titles, a description and tags for a post, and the addresses at which a person can watch and edit it. One clip comes with its picture.',
    input: {
      folder_id: makeIdSchema('output_id of a task with output_type folder').optional(),
      project_id: makeIdSchema(
        'output_id of a task with output_type project; or one clip of the folder',
      ).optional(),
    },
    annotations: reads,
    async work({ folder_id, project_id }, { signal }) {
      const options = { ...call, signal };
      if (project_id !== undefined) {
        const clip = { projectId: project_id, folderId: folder_id ?? null };
        const found = await service.getProject(clip, options);
        const answer = makeDataAnswer('One clip.', { clips: [showClip(found, settings)] });
        const poster = await readPoster(found.poster_url ?? null, settings, signal);
        if (poster) answer.content.push(poster);
        return answer;
      }
      if (folder_id === undefined) return refuse('Give a folder_id or a project_id.');
      const clips = await service.listProjects(folder_id, options);
      return makeDataAnswer(`${clips.length} clips.`, {
        clips: clips.map((clip) => showClip(clip, settings)),
      });
    },
  });
}

function addReadEdit({ server, service, call }: Clips): void {
  addTool(server, {
    name: 'read_edit',
    title: 'Read the edit of a clip',
    description:
      'Words with their times and keys, shots, title, style, and what was changed. Times are seconds of the source.',
    input: { project_id: makeIdSchema('The id of the clip') },
    annotations: reads,
    async work({ project_id }, { signal }) {
      // What a render needs is long, and says nothing that the rest does not.
      const { edit: _edit, ...document } = await service.getEdit(project_id, { ...call, signal });
      return makeDataAnswer(`The clip is at revision ${document.revision}.`, document);
    },
  });
}

function addChangeEdit({ server, service, call }: Clips): void {
  addTool(server, {
    name: 'change_edit',
    title: 'Edit a clip',
    description:
      'Edits a clip with a JSON merge patch of its `changes`; null removes a change. Fields: start, end, removed and restored (lists of {start, end}), words ({"14": "text"} or {"14-16": "text"} by the keys of read_edit), muted ({"14": true} is not heard, false is heard), speakers ({"2": "name"} by the speaker of words), music ({id, level_db} of list_media, or "none"), intro and outro ({id} of a bumper of list_media, or "none": exports play them), title, description and tags (for a post; at most 8, without #), cover {time, title: true if the title is drawn on it}, style_preset_id, captions.position (lower, middle, upper), editing_options, dimensions {width, height}, shots. It can be undone, and costs no export.',
    input: {
      project_id: makeIdSchema('The id of the clip'),
      revision: z.int().min(1).describe('The revision that you read'),
      changes: z.record(z.string(), z.unknown()),
    },
    annotations: { destructiveHint: false, idempotentHint: false, openWorldHint: false },
    async work({ project_id, revision: read, changes }) {
      const document = await service.changeEdit(project_id, read, changes, call);
      const { revision, changes: made, title, description, tags } = document;
      return makeDataAnswer(
        `The clip is at revision ${revision}, ${document.duration.toFixed(1)} s long. If the picture changed, a new preview is ready in a few seconds.`,
        { revision, changes: made, title, description, tags },
      );
    },
  });
}

function addListMedia({ server, service, call }: Clips): void {
  addTool(server, {
    name: 'list_media',
    title: 'List the music and bumpers for clips',
    description:
      'The files of the organization that change_edit can give to a clip: music below the speech, and bumpers as intro, outro or end card.',
    input: {},
    annotations: reads,
    async work(_, { signal }) {
      const options = { ...call, signal };
      const [music, bumpers] = await Promise.all([
        service.listMusic(options),
        service.listBumpers(options),
      ]);
      return makeDataAnswer(`${music.length + bumpers.length} files.`, { music, bumpers });
    },
  });
}

/** Clips: what a video has become, why, and what is changed of it. */
export const clipTools: readonly AddTool[] = [
  addListClips,
  addReadEdit,
  addListMedia,
  addChangeEdit,
];
