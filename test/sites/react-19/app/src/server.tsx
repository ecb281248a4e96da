import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router';
import { Site } from './site.tsx';

export const render = (url: string): string =>
  renderToString(
    <StaticRouter location={url}>
      <Site />
    </StaticRouter>,
  );
