import { render } from 'preact';
import { LocationProvider, Route, Router } from 'preact-iso';
import { App } from './app.tsx';
import { Clip } from './clip.tsx';

render(
  <LocationProvider>
    <nav>
      <a href="/">Home</a> <a href="/clip">The clip</a>
    </nav>
    <Router>
      <Route path="/" component={App} />
      <Route path="/clip" component={Clip} />
    </Router>
  </LocationProvider>,
  document.getElementById('root')!,
);
