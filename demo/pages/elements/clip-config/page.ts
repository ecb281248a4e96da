import { hostSettings } from '../../session.ts';
import { drawStatePage, type Case, type PageContext } from '../state-page.ts';

function listCases({ session, clip }: PageContext): Case[] {
  const project = clip?.id ?? 'your-project-id';
  const config = (children: NonNullable<Case['markup']['children']>, language?: string) => ({
    tag: 'clip-config',
    attributes: {
      ...hostSettings(session),
      'app-url': session.serviceUrl,
      'player-url': session.serviceUrl,
      handshake: 'clip-ready',
      lang: language ?? null,
      dir: language === 'ar' ? 'rtl' : null,
    },
    children,
  });
  return [
    {
      state: 'settings',
      title: 'Set once for all elements inside',
      note: 'Both elements take their URLs from the element around them.',
      markup: config([
        { tag: 'clip-preview', attributes: { project, loading: 'click' } },
        {
          tag: 'clip-export-button',
          attributes: { project, folder: clip?.folder_id ?? null },
        },
      ]),
    },
    {
      state: 'settings',
      title: 'An own attribute wins',
      note: 'This button has another endpoint than the rest of the page.',
      markup: config([
        {
          tag: 'clip-export-button',
          attributes: { project: 'state', endpoint: '/states/watch', 'export-id': 'processing' },
        },
      ]),
    },
    {
      state: 'settings',
      title: 'In another language',
      note: 'Texts follow the nearest lang; a language is loaded when it is needed.',
      markup: config(
        [
          {
            tag: 'clip-export-button',
            attributes: { project: 'state', endpoint: '/states/watch', 'export-id': 'error' },
          },
        ],
        'de',
      ),
    },
    {
      state: 'settings',
      title: 'From right to left',
      note: 'The layout follows the nearest dir; numbers and durations follow the language.',
      markup: config(
        [
          {
            tag: 'clip-export-button',
            attributes: {
              project: 'clip-j',
              endpoint: '/states/arabic',
              'export-id': 'processing',
            },
          },
        ],
        'ar',
      ),
    },
  ];
}

void drawStatePage({
  tag: 'clip-config',
  lead: 'Settings for the clip elements inside it: the endpoint of your backend, where players and embeds are, credentials, and CSRF tokens. It draws nothing itself.',
  cases: listCases,
});
