import { drawStatePage, type Case, type PageContext } from '../state-page.ts';

const cases = ({ session, clip }: PageContext): Case[] => {
  const project = clip?.id ?? 'your-project-id';
  const embed = (attributes: Record<string, string | true | null>) => ({
    tag: 'clip-embed',
    attributes: { project, ...attributes },
  });
  const mine: Case[] = clip
    ? [
        {
          state: 'ready',
          title: 'Ready',
          note: 'The token came from the site’s own backend and went to the frame, which has taken it out of its address. It is renewed while the clip plays on.',
          markup: embed({ endpoint: '/clips', 'app-url': session.serviceUrl }),
        },
        {
          state: 'idle',
          title: 'Idle',
          note: 'Nothing is asked for before the element comes near the screen.',
          markup: embed({ endpoint: '/clips', 'app-url': session.serviceUrl, loading: 'lazy' }),
          below: true,
        },
      ]
    : [];
  return [
    ...mine,
    {
      state: 'authorizing',
      title: 'Authorizing',
      note: 'The backend has been asked for a token and has not answered yet.',
      markup: embed({ endpoint: '/states/hold', 'app-url': session.serviceUrl, loading: 'eager' }),
    },
    {
      state: 'loading',
      title: 'Loading',
      note: 'The token is there; the frame is not yet.',
      markup: embed({
        endpoint: '/states/frame',
        'app-url': '/states/frame',
        loading: 'eager',
        timeout: '600000',
      }),
    },
    {
      state: 'error',
      title: 'Nobody is logged in',
      note: 'The backend answered 401. The page hears it as clip-embed-error with the code unauthenticated.',
      markup: embed({
        endpoint: '/states/unauthenticated',
        'app-url': session.serviceUrl,
        loading: 'eager',
      }),
    },
    {
      state: 'error',
      title: 'The frame stays away',
      note: 'No load within the timeout: never a blank frame without a word.',
      markup: embed({
        endpoint: '/states/frame',
        'app-url': '/states/frame',
        loading: 'eager',
        timeout: '1500',
      }),
    },
    {
      state: 'error',
      title: 'No project',
      note: 'A mistake in the markup is shown, not thrown.',
      markup: {
        tag: 'clip-embed',
        attributes: { endpoint: '/clips', 'app-url': session.serviceUrl },
      },
    },
    {
      state: 'error',
      title: 'An address that is not one',
      note: 'Only https, and http on this machine, are taken. Nothing is loaded.',
      markup: embed({ endpoint: '/clips', 'app-url': 'ftp://player.example' }),
    },
  ];
};

void drawStatePage({
  tag: 'clip-embed',
  lead: 'Opens a clip in the service’s own page, as the person who is logged in to yours. The API key stays on your server; the token is asked for when it is needed, shared between embeds, and renewed before it ends.',
  cases,
});
