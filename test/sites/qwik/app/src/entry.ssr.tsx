import { renderToStream, type RenderToStreamOptions } from '@builder.io/qwik/server';
import Root from './root';

export default (options: RenderToStreamOptions) => renderToStream(<Root />, options);
