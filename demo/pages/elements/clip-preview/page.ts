import { drawStatePage, type Case, type PageContext } from '../state-page.ts';

function listCases({ session, clip }: PageContext): Case[] {
  const { serviceUrl } = session;
  const project = clip?.id ?? 'your-project-id';
  const poster = clip
    ? `${serviceUrl}/player/${encodeURIComponent(clip.id)}/poster.jpg`
    : '/favicon.svg';
  const preview = (attributes: Record<string, string | true | null>) => ({
    tag: 'clip-preview',
    attributes: { project, ...attributes },
  });
  const mine: Case[] = clip
    ? [
        {
          state: 'ready',
          title: 'Ready',
          note: 'The preview’s page in a frame. It loads when it comes near the viewport.',
          markup: preview({ 'player-url': serviceUrl, label: clip.name }),
        },
      ]
    : [];
  return [
    {
      state: 'idle',
      title: 'Poster until the click',
      note: 'A picture and a play button; the frame loads on click. A page with a hundred clips stays fast.',
      markup: preview({ 'player-url': serviceUrl, poster, loading: 'click' }),
    },
    ...mine,
    {
      state: 'idle',
      title: 'Your own poster and play button',
      note: 'Slots replace the built-in content.',
      markup: {
        tag: 'clip-preview',
        attributes: { project, 'player-url': serviceUrl, loading: 'click' },
        children: [
          { tag: 'img', attributes: { slot: 'poster', src: poster, alt: '' } },
          { tag: 'strong', attributes: { slot: 'play' }, children: ['Watch'] },
        ],
      },
    },
    {
      state: 'loading',
      title: 'Loading',
      note: 'The frame is loading.',
      markup: preview({ 'player-url': '/never', loading: 'eager', timeout: '600000' }),
    },
    {
      state: 'error',
      title: 'The frame does not load',
      note: 'After the timeout: try again, or open it in a new tab.',
      markup: preview({ 'player-url': '/never', loading: 'eager', timeout: '1500' }),
    },
    {
      state: 'error',
      title: 'No project',
      note: 'A mistake in the markup is shown, not thrown.',
      markup: { tag: 'clip-preview', attributes: { 'player-url': serviceUrl } },
    },
  ];
}

void drawStatePage({
  tag: 'clip-preview',
  lead: 'Shows a clip in the service’s preview page, with no token and no login. As a poster it costs almost nothing until somebody presses play.',
  cases: listCases,
});
