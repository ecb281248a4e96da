import type { Task } from 'clip-kit/contract';
import { hostSettings } from '../../session.ts';
import type { Markup } from '../markup.ts';
import type { PageContext } from '../state-page.ts';

function listPresetAttributes(
  tag: string,
  { session, clip }: PageContext,
  video: Task | null,
): Record<string, string | null> {
  const project = clip?.id ?? 'your-project-id';
  const shape = {
    width: clip?.width ? `${clip.width}` : null,
    height: clip?.height ? `${clip.height}` : null,
  };
  const host = hostSettings(session);
  const { serviceUrl } = session;
  switch (tag) {
    case 'clip-preview':
      return {
        project,
        'player-url': serviceUrl,
        handshake: 'clip-ready',
        loading: 'click',
        poster: clip?.poster_url ?? null,
        ...shape,
      };
    case 'clip-embed':
      return { project, ...host, 'app-url': serviceUrl, handshake: 'clip-ready', ...shape };
    case 'clip-export-button':
      return { project, folder: clip?.folder_id ?? null, ...host };
    case 'clip-list':
      return {
        folder: video?.output_id ?? 'your-folder-id',
        task: video?.id ?? null,
        ...host,
        'player-url': serviceUrl,
        handshake: 'clip-ready',
      };
    case 'clip-feed':
      return {
        folder: video?.output_id ?? 'your-folder-id',
        ...host,
        'player-url': serviceUrl,
        handshake: 'clip-ready',
      };
    default:
      return { ...host, 'app-url': serviceUrl, 'player-url': serviceUrl, handshake: 'clip-ready' };
  }
}

/** The markup that an element starts with: the newest clip of this person, by this site. */
export const createPreset = (tag: string, context: PageContext, video: Task | null): Markup => ({
  tag,
  attributes: listPresetAttributes(tag, context, video),
  ...(tag === 'clip-config' && {
    children: [
      {
        tag: 'clip-preview',
        attributes: { project: context.clip?.id ?? 'your-project-id', loading: 'click' },
      },
    ],
  }),
});
