import { isCaptioned, setCaptions } from './captions.ts';
import { connectControls } from './controls.ts';
import { find } from './dom.ts';
import { startEmbedPage, takeToken } from './embed-page.ts';
import { useLanguage } from './language.ts';
import { connectPlayerControl } from './player-control.ts';
import { startPlayerPage } from './player-page.ts';

const { view, controlOrigins } = document.body.dataset;
/** First: the token leaves the address before anything else happens. */
const token = view === undefined ? takeToken() : null;

connectControls();
connectPlayerControl(
  {
    video: find('video'),
    isCaptioned,
    setCaptions,
    setLanguage: (tag) => void useLanguage(tag),
  },
  controlOrigins === undefined ? null : (JSON.parse(controlOrigins) as string[]),
);
// The service has written the page in its language; the script's own texts follow.
void useLanguage(document.documentElement.lang);
if (view === undefined) startEmbedPage(token);
else startPlayerPage(view);
