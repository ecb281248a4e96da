import { hostSettings } from '../../session.ts';
import { drawStatePage, type Case, type PageContext } from '../state-page.ts';

function listCases({ session, clip }: PageContext): Case[] {
  const feed = (attributes: Record<string, string | null>) => ({
    tag: 'clip-feed',
    attributes: { 'player-url': session.serviceUrl, handshake: 'clip-ready', ...attributes },
  });
  const clips = clip?.folder_id
    ? { folder: clip.folder_id, ...hostSettings(session) }
    : { folder: 'state', endpoint: '/states/ready' };
  return [
    {
      state: 'ready',
      title: 'Ready',
      note: 'One clip fills the box and plays, muted until sound is turned on. Swipe, scroll, or use the arrow keys.',
      markup: feed(clips),
    },
    {
      state: 'ready',
      title: 'A strip of posters',
      note: 'A click opens the feed over the whole page. Escape closes it.',
      markup: feed({ ...clips, layout: 'strip' }),
    },
    {
      state: 'loading',
      title: 'Loading',
      note: 'The backend has not answered yet.',
      markup: feed({ folder: 'state', endpoint: '/states/hold' }),
    },
    {
      state: 'ready',
      title: 'Empty',
      note: 'There are no clips; :state(empty) is set too.',
      markup: feed({ folder: 'state', endpoint: '/states/empty' }),
    },
    {
      state: 'error',
      title: 'Not logged in',
      note: 'The backend answered 401. The page gets the event clip-feed-error.',
      markup: feed({ folder: 'state', endpoint: '/states/unauthenticated' }),
    },
    {
      state: 'ready',
      title: 'From right to left',
      note: 'In Arabic, with what the browser knows of the language.',
      markup: feed({ ...clips, lang: 'ar', dir: 'rtl' }),
    },
    {
      state: 'ready',
      title: 'Forty clips',
      note: 'With titles too long for the picture. Three frames are loaded at most.',
      markup: feed({ folder: 'state', endpoint: '/states/many' }),
    },
  ];
}

void drawStatePage({
  tag: 'clip-feed',
  lead: 'Clips to swipe through: one fills the box and plays, with three frames at most for any number of clips.',
  cases: listCases,
});
