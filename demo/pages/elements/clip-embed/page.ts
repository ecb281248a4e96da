import { hostSettings } from '../../session.ts';
import { drawStatePage, type Case, type PageContext } from '../state-page.ts';

function listCases({ session, clip }: PageContext): Case[] {
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
          note: 'The token came from the site’s own backend and went to the frame, which has removed it from its URL. It is renewed while the clip keeps playing.',
          markup: embed({ ...hostSettings(session), 'app-url': session.serviceUrl }),
        },
        {
          state: 'idle',
          title: 'Idle',
          note: 'Nothing is requested before the element comes near the viewport.',
          markup: embed({
            ...hostSettings(session),
            'app-url': session.serviceUrl,
            loading: 'lazy',
          }),
          below: true,
        },
      ]
    : [];
  return [
    ...mine,
    {
      state: 'authorizing',
      title: 'Authorizing',
      note: 'The element has asked the backend for a token; there is no answer yet.',
      markup: embed({ endpoint: '/states/hold', 'app-url': session.serviceUrl, loading: 'eager' }),
    },
    {
      state: 'loading',
      title: 'Loading',
      note: 'The token has arrived; the frame is still loading.',
      markup: embed({
        endpoint: '/states/frame',
        'app-url': '/never',
        loading: 'eager',
        timeout: '600000',
      }),
    },
    {
      state: 'error',
      title: 'Not logged in',
      note: 'The backend answered 401. The page gets the event clip-embed-error with the code unauthenticated.',
      markup: embed({
        endpoint: '/states/unauthenticated',
        'app-url': session.serviceUrl,
        loading: 'eager',
      }),
    },
    {
      state: 'error',
      title: 'The frame does not load',
      note: 'No load within the timeout: a message instead of a blank frame.',
      markup: embed({
        endpoint: '/states/frame',
        'app-url': '/never',
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
        attributes: { ...hostSettings(session), 'app-url': session.serviceUrl },
      },
    },
    {
      state: 'error',
      title: 'An invalid URL',
      note: 'Only https, and http on this machine, are accepted. Nothing is loaded.',
      markup: embed({ ...hostSettings(session), 'app-url': 'ftp://player.example' }),
    },
  ];
}

void drawStatePage({
  tag: 'clip-embed',
  lead: 'Opens a clip in the service’s own page, as the person who is logged in to your site. The API key stays on your server. The token is requested when it is needed, shared between embeds, and renewed before it expires.',
  cases: listCases,
});
