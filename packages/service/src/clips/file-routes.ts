import {
  clipDocument,
  clipDocumentNames,
  clipHas,
  isClipDocument,
  storyboardVtt,
} from 'clip-engine';
import type { Context, Hono } from 'hono';
import type { ServiceContext } from '../context.ts';
import type { Playable } from './player-queries.ts';
import { findProject } from './queries.ts';
import { readSourceAddress } from '../tasks/queries.ts';
import { sourceName } from './source-name.ts';
import { methods, type AppEnv } from '../http/methods.ts';
import { ApiError } from '../http/problem.ts';
import { sendFile, sendText } from '../http/send-file.ts';
import { contentDisposition } from '../exports/download-routes.ts';

type Needs = Pick<ServiceContext, 'db' | 'storage'>;

/** Those of its preview. */
const storyboardNames = ['storyboard.jpg', 'storyboard.vtt'];

export const projectFileNames: readonly string[] = [...clipDocumentNames, ...storyboardNames];

/** The files that a clip has now. */
export const filesOf = ({ edit, storyboard }: Pick<Playable, 'edit' | 'storyboard'>): string[] => [
  ...clipDocumentNames.filter((name) => edit && clipHas(edit, name)),
  ...(storyboard ? storyboardNames : []),
];

async function projectFile(service: Needs, c: Context<AppEnv>): Promise<Response> {
  const { project_id: id = '', name = '' } = c.req.param();
  if (!projectFileNames.includes(name)) {
    const names = projectFileNames.join(', ');
    throw new ApiError('not-found', `A clip has no file of this name. It has ${names}.`);
  }
  const project = await findProject(service.db, c.get('user').id, id);
  if (!project) throw new ApiError('clip-not-found', 'There is no such project.');
  const headers = {
    'Content-Disposition': contentDisposition(project.name, name),
    'Cache-Control': 'private, no-cache',
  };
  if (!isClipDocument(name)) {
    const { storyboard } = project;
    const sent =
      storyboard &&
      (name === 'storyboard.jpg'
        ? await sendFile(c, service.storage, storyboard.key, {
            ...headers,
            'Content-Type': 'image/jpeg',
          })
        : sendText(c, storyboardVtt(storyboard, 'storyboard.jpg'), {
            ...headers,
            'Content-Type': 'text/vtt; charset=utf-8',
          }));
    if (!sent) throw new ApiError('not-found', 'The preview of this clip is not ready.');
    return sent;
  }
  const { address, fileName } = await readSourceAddress(service.db, project.task_id);
  const file = clipDocument(project.edit, name, {
    title: project.name,
    source: sourceName(address, fileName),
  });
  if (!file) throw new ApiError('not-found', 'This clip has no words, so it has no such file.');
  return sendText(c, file.text, {
    ...headers,
    'Content-Type': file.type,
  });
}

/**
 * What a clip is made of, as files for other programs. Not in the specification.
 */
export function projectFileRoutes(app: Hono<AppEnv>, service: Needs): void {
  methods(app, '/projects/:project_id/files/:name', { GET: (c) => projectFile(service, c) });
}
