import {
  writeClipDocument,
  clipDocumentNames,
  hasDocument,
  isClipDocument,
  writeStoryboard,
} from 'clip-engine';
import { newClipSchema, projectSchema } from 'clip-kit/contract';
import type { Context, Hono } from 'hono';
import * as z from 'zod/mini';
import type { Db } from '../db/schema.ts';
import type { Changes } from '../operations/changes.ts';
import type { Storage } from '../storage/storage.ts';
import { readBumperSeconds } from '../appearance/media-queries.ts';
import { deleteClip } from '../tasks/deletion-queries.ts';
import { findFolder, findWatchedClip, listClips, type Playable } from '../clips/queries.ts';
import { makeProjectObject, getSourceName } from '../clips/rules.ts';
import { answerJson } from './json.ts';
import {
  describeAnswer,
  describeDeletion,
  describe,
  describeMaking,
  describeFile,
} from './describe.ts';
import { type AppEnv, addMethods } from './methods.ts';
import { ApiError } from '../api-error.ts';
import { clipErrors, createClip, findRequestedClip } from './own-clips.ts';
import { readSourceAddress } from '../tasks/queries.ts';
import { sendFile, sendText } from './send-file.ts';
import { makeContentDisposition } from './exports.ts';

type Dependencies = { changes: Changes } & Parameters<typeof createClip>[0];

const findAddresses = ({ links }: Dependencies, c: Context<AppEnv>) =>
  links.addressesOf(c.get('user').organization_id);

/** Without its folder in the address, a clip must be in none, as where it is read. */
async function removeClip(
  { changes, db }: Dependencies,
  c: Context<AppEnv>,
  id: string,
  folderId: string | null,
): Promise<Response> {
  const userId = c.get('user').id;
  const clip = await findWatchedClip(db, userId, id, folderId);
  const deleted = clip && (await deleteClip(db, userId, id));
  if (!deleted) throw new ApiError('clip-not-found', 'There is no such project.');
  changes.deleted();
  return c.body(null, 204);
}

/** Sends the clips of a folder, or a clip without one. */
async function sendFolderOrClip(service: Dependencies, c: Context<AppEnv>): Promise<Response> {
  const id = c.req.param('id') ?? '';
  const userId = c.get('user').id;
  if (await findFolder(service.db, userId, id)) {
    const clips = await listClips(service.db, id);
    const addresses = await findAddresses(service, c);
    return answerJson(clips.map((row) => makeProjectObject(row, addresses)));
  }
  const clip = await findWatchedClip(service.db, userId, id, null);
  if (clip) return answerJson(makeProjectObject(clip, await findAddresses(service, c)));
  const inside = await findWatchedClip(service.db, userId, id);
  throw new ApiError(
    'clip-not-found',
    inside
      ? `This project is in a folder: read it at /projects/${inside.folder_id}/${id}.`
      : 'There is no such folder or project.',
  );
}

async function sendFolderClip(service: Dependencies, c: Context<AppEnv>): Promise<Response> {
  const { folder_id: folderId = '', project_id: id = '' } = c.req.param();
  const clip = await findWatchedClip(service.db, c.get('user').id, id, folderId);
  if (!clip) throw new ApiError('clip-not-found', 'There is no such project in this folder.');
  return answerJson(makeProjectObject(clip, await findAddresses(service, c)));
}

/** Sections 4.4 and 4.5. One path serves a folder and a project without one; the id says which. */
export function addClipRoutes(app: Hono<AppEnv>, service: Dependencies): void {
  addMethods(app, '/projects/:id', {
    DELETE: describe(
      describeDeletion('Delete a project without a folder, and its exports', 'clip-not-found'),
      (c) => removeClip(service, c, c.req.param('id') ?? '', null),
    ),
    POST: describe(
      describeMaking(
        'Create a clip from any segment of a folder’s source',
        newClipSchema,
        projectSchema,
        clipErrors,
      ),
      (c) => createClip(service, c),
    ),
    GET: describe(
      describeAnswer(
        'The projects of a folder as an array, or a project without a folder (4.4, 4.5)',
        z.union([z.array(projectSchema), projectSchema]),
        ['clip-not-found'],
      ),
      (c) => sendFolderOrClip(service, c),
    ),
  });
  addMethods(app, '/projects/:folder_id/:project_id', {
    GET: describe(
      describeAnswer('A project inside a folder (4.5)', projectSchema, ['clip-not-found']),
      (c) => sendFolderClip(service, c),
    ),
    DELETE: describe(
      describeDeletion('Delete a project inside a folder, and its exports', 'clip-not-found'),
      (c) =>
        removeClip(service, c, c.req.param('project_id') ?? '', c.req.param('folder_id') ?? ''),
    ),
  });
}

/** Files of the preview's storyboard. */
const storyboardNames = ['storyboard.jpg', 'storyboard.vtt'];

const clipFileNames: readonly string[] = [...clipDocumentNames, ...storyboardNames];

/** The files that a clip has now. */
export const listFiles = ({
  edit,
  storyboard,
}: Pick<Playable, 'edit' | 'storyboard'>): string[] => [
  ...clipDocumentNames.filter((name) => edit && hasDocument(edit, name)),
  ...(storyboard ? storyboardNames : []),
];

async function sendClipFile(
  service: { db: Db; storage: Storage },
  c: Context<AppEnv>,
): Promise<Response> {
  const { project_id: id = '', name = '' } = c.req.param();
  if (!clipFileNames.includes(name)) {
    const names = clipFileNames.join(', ');
    throw new ApiError('not-found', `There is no file with this name. A clip has ${names}.`);
  }
  const clip = await findRequestedClip(service.db, c, id);
  const headers = {
    'Content-Disposition': makeContentDisposition(clip.name, name),
    'Cache-Control': 'private, no-cache',
  };
  if (!isClipDocument(name)) {
    const { storyboard } = clip;
    const sent =
      storyboard &&
      (name === 'storyboard.jpg'
        ? await sendFile(c, service.storage, storyboard.key, {
            ...headers,
            'Content-Type': 'image/jpeg',
          })
        : sendText(c, writeStoryboard(storyboard, 'storyboard.jpg'), {
            ...headers,
            'Content-Type': 'text/vtt; charset=utf-8',
          }));
    if (!sent) throw new ApiError('not-found', 'The preview of this clip is not ready.');
    return sent;
  }
  const { address, fileName } = await readSourceAddress(service.db, clip.task_id);
  const file = writeClipDocument(clip.edit, name, {
    title: clip.name,
    source: getSourceName(address, fileName),
    file: clip.source?.media,
    introSeconds: (await readBumperSeconds(service.db, clip.edit)).intro,
  });
  if (!file) throw new ApiError('not-found', 'This clip has no words, so it has no such file.');
  return sendText(c, file.text, {
    ...headers,
    'Content-Type': file.type,
  });
}

/**
 * Adds the routes of the files from which a clip is made, for other programs. Not in the
 * specification.
 */
export function addClipFileRoutes(app: Hono<AppEnv>, service: { db: Db; storage: Storage }): void {
  addMethods(app, '/projects/:project_id/files/:name', {
    GET: describe(
      describeFile(
        `A file for other programs: ${clipFileNames.join(', ')}`,
        [
          'application/json',
          'application/x-subrip',
          'application/xml',
          'image/jpeg',
          'text/plain',
          'text/vtt',
        ],
        ['not-found', 'clip-not-found'],
      ),
      (c) => sendClipFile(service, c),
    ),
  });
}
