/**
 * The host's route as somebody writes it by hand: bare Hono, the same call to the service with its
 * time limit, nothing checked.
 */
import { Hono } from 'hono';
import { listenWith, serve } from './child.ts';

await serve<{ serviceUrl: string; managedUser: string }>(({ serviceUrl, managedUser }) => {
  const app = new Hono();
  app.get('/clips/exports/:id', async (c) => {
    const project = encodeURIComponent(c.req.query('project_id') ?? '');
    const id = encodeURIComponent(c.req.param('id'));
    const answer = await fetch(`${serviceUrl}/v2/projects/${project}/exports/${id}`, {
      signal: AbortSignal.timeout(30_000),
      headers: {
        Authorization: 'Bearer no-key-that-is-checked',
        'X-On-Behalf-Of': managedUser,
      },
    });
    c.header('Cache-Control', 'no-store');
    return c.json((await answer.json()) as object);
  });
  return listenWith(app.fetch);
});
