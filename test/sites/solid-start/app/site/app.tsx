import { A, Router } from '@solidjs/router';
import { FileRoutes } from '@solidjs/start/router';
import { Suspense } from 'solid-js';

export default function Site() {
  return (
    <Router
      root={(props) => (
        <>
          <nav>
            <A href="/">Home</A> <A href="/clip">The clip</A>
          </nav>
          <Suspense>{props.children}</Suspense>
        </>
      )}
    >
      <FileRoutes />
    </Router>
  );
}
