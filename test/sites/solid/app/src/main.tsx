import { A, Route, Router } from '@solidjs/router';
import type { JSX } from 'solid-js';
import { render } from 'solid-js/web';
import App from './App.tsx';
import Clip from './Clip.tsx';

const Site = (props: { children?: JSX.Element }) => (
  <>
    <nav>
      <A href="/">Home</A> <A href="/clip">The clip</A>
    </nav>
    {props.children}
  </>
);

render(
  () => (
    <Router root={Site}>
      <Route path="/" component={App} />
      <Route path="/clip" component={Clip} />
    </Router>
  ),
  document.getElementById('root')!,
);
