import type { ClipExportButton } from 'clip-kit/elements';
import { hostSettings } from '../../session.ts';
import { drawStatePage, type Case, type PageContext } from '../state-page.ts';

const start = (element: HTMLElement): void => void (element as ClipExportButton).start();

function listCases({ session, clip }: PageContext): Case[] {
  const project = clip?.id ?? 'your-project-id';
  const button = (attributes: Record<string, string | true | null>) => ({
    tag: 'clip-export-button',
    attributes,
  });
  const mine: Case[] = clip
    ? [
        {
          state: 'idle',
          title: 'One click, one export',
          note: 'This one is real: it exports your newest clip, and finds the export again after a reload.',
          markup: button({ project, folder: clip.folder_id, ...hostSettings(session) }),
        },
      ]
    : [
        {
          state: 'idle',
          title: 'Idle',
          note: 'Nothing has been started.',
          markup: button({ project, endpoint: '/states/idle' }),
        },
      ];
  return [
    ...mine,
    {
      state: 'starting',
      title: 'Starting',
      note: 'The start is being sent, with a key that makes it count only once.',
      markup: button({ project: 'clip-a', endpoint: '/states/hold' }),
      act: start,
    },
    {
      state: 'processing',
      title: 'Processing',
      note: 'Progress towards the service’s estimate. An existing export can be watched by its id.',
      markup: button({ project: 'state', endpoint: '/states/watch', 'export-id': 'processing' }),
    },
    {
      state: 'ready',
      title: 'Ready',
      note: 'The button is now the download link.',
      markup: button({ project: 'state', endpoint: '/states/watch', 'export-id': 'ready' }),
    },
    {
      state: 'error',
      title: 'Failed',
      note: 'The render failed. A retry starts a new export, so it is never automatic.',
      markup: button({ project: 'state', endpoint: '/states/watch', 'export-id': 'error' }),
    },
    {
      state: 'limit',
      title: 'Limit',
      note: 'The plan allows no more exports (402).',
      markup: button({ project: 'clip-e', endpoint: '/states/limit' }),
      act: start,
    },
    {
      state: 'unknown',
      title: 'Unknown',
      note: 'The answer to the start was lost. The element sends the same start again until it is answered: it counts once.',
      markup: button({ project: 'clip-f', endpoint: '/states/unknown' }),
      act: start,
    },
    {
      state: 'error',
      title: 'Cannot be known',
      note: 'The backend cannot say whether the export was started. Only the person can start it again.',
      markup: button({ project: 'clip-h', endpoint: '/states/unresolved' }),
      act: start,
    },
    {
      state: 'idle',
      title: 'With a watermark',
      note: 'The watermark is checked before anything is sent.',
      markup: button({
        project,
        ...(clip ? hostSettings(session) : { endpoint: '/states/idle' }),
        folder: clip?.folder_id ?? null,
        'watermark-src': `${location.origin}/watermark.png`,
        'watermark-x': '0.95',
        'watermark-y': '0.05',
      }),
    },
    {
      state: 'idle',
      title: 'Your own texts',
      note: 'Every piece of text is a slot.',
      markup: {
        ...button({ project: 'clip-g', endpoint: '/states/idle' }),
        children: ['Get the video'],
      },
    },
  ];
}

void drawStatePage({
  tag: 'clip-export-button',
  lead: 'Starts a paid export only once, however often it is clicked, reloaded or opened in a second tab; shows its progress; and becomes the download link.',
  cases: listCases,
});
