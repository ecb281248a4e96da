import { text } from 'node:stream/consumers';
import { serve } from 'clip-testkit/serve';

/** A message as it arrived. */
export interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** A server that receives webhooks, and answers as it is told to. */
export async function startReceiver() {
  const received: Received[] = [];
  const answers: { status: number; headers?: Record<string, string> }[] = [];
  const { origin, close } = await serve((request, response) => {
    void text(request).then((body) => {
      const headers = request.headers as Record<string, string>;
      received.push({ path: request.url ?? '', headers, body });
      const { status, headers: sent } = answers.shift() ?? { status: 204 };
      response.writeHead(status, sent).end();
    });
  });
  return {
    url: `${origin}/hook`,
    received,
    /** The next answers; after them, 204. */
    answers,
    close,
  };
}
