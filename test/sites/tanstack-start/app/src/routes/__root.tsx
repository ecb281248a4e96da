import { createRootRoute, HeadContent, Link, Outlet, Scripts } from '@tanstack/react-router';
import { StrictMode } from 'react';

export const Route = createRootRoute({
  head: () => ({
    meta: [{ charSet: 'utf-8' }, { title: 'TanStack Start' }],
    links: [{ rel: 'icon', href: 'data:,' }],
  }),
  component: Root,
});

function Root() {
  return (
    <html lang="en">
      <head>
        <HeadContent />
      </head>
      <body>
        <nav>
          <Link to="/">Home</Link> <Link to="/clip">The clip</Link>
        </nav>
        <StrictMode>
          <Outlet />
        </StrictMode>
        <Scripts />
      </body>
    </html>
  );
}
