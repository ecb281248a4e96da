import { hostSettings } from '../../session.ts';
import { drawStatePage, type Case, type PageContext } from '../state-page.ts';

function listCases({ session, clip }: PageContext): Case[] {
  const list = (attributes: Record<string, string | null>) => ({
    tag: 'clip-list',
    attributes: { 'player-url': session.serviceUrl, handshake: 'clip-ready', ...attributes },
  });
  return [
    {
      state: 'ready',
      title: 'Ready',
      note: 'Clip by clip: preview, title, score and its reason, export. More on demand.',
      markup: list(
        clip?.folder_id
          ? { folder: clip.folder_id, ...hostSettings(session), 'page-size': '1' }
          : { folder: 'state', endpoint: '/states/ready', 'page-size': '1' },
      ),
    },
    {
      state: 'processing',
      title: 'Processing',
      note: 'The task runs: its progress, and clips as they come. The host holds each question until there is news.',
      markup: list({ folder: 'state', task: 'state', endpoint: '/states/empty' }),
    },
    {
      state: 'loading',
      title: 'Loading',
      note: 'The backend has not answered yet. The place of the clips is held.',
      markup: list({ folder: 'state', endpoint: '/states/hold' }),
    },
    {
      state: 'ready',
      title: 'Empty',
      note: 'There are no clips; :state(empty) is set too.',
      markup: list({ folder: 'state', endpoint: '/states/empty' }),
    },
    {
      state: 'error',
      title: 'Not logged in',
      note: 'The backend answered 401. The page gets the event clip-list-error.',
      markup: list({ folder: 'state', endpoint: '/states/unauthenticated' }),
    },
    {
      state: 'processing',
      title: 'From right to left',
      note: 'In Arabic, with what the browser knows of the language.',
      markup: list({
        folder: 'state',
        task: 'state',
        endpoint: '/states/ready',
        'page-size': '1',
        lang: 'ar',
        dir: 'rtl',
      }),
    },
    {
      state: 'ready',
      title: 'Forty clips',
      note: 'With titles of several lines, a page of them at a time.',
      markup: list({ folder: 'state', endpoint: '/states/many', 'page-size': '2' }),
    },
  ];
}

void drawStatePage({
  tag: 'clip-list',
  lead: 'All clips of a folder with one tag: preview, title, score with its reason, and export. While the task runs, it shows how far it is, and clips as they come.',
  cases: listCases,
});
