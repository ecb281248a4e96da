import { startEmbedPage } from './embed-page.ts';
import { takeToken } from './page-token.ts';
import { startPlayerPage } from './player-page.ts';

const { view } = document.body.dataset;
if (view === undefined) startEmbedPage(takeToken());
else startPlayerPage(view);
