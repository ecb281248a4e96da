/** The floor: Node's own HTTP server that answers every request with the same JSON. */
import { listen, serve } from './child.ts';

await serve<{ body: string }>(({ body }) => {
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  };
  return listen((_request, response) => {
    response.writeHead(200, headers).end(body);
  });
});
