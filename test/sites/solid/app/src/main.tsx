import { A, Route, Router } from '@solidjs/router';
import 'clip-kit';
import { createSignal } from 'solid-js';
import { render } from 'solid-js/web';

const watermark = { src_url: 'https://site.example/mark.png', pos_x: 0.9 };

const Home = () => (
  <>
    <clip-preview project="clip-1" loading="click" player-url="https://clips.example" />
    <A id="to-clip" href="/clip">
      The clip
    </A>
  </>
);

function Clip() {
  const [heard, setHeard] = createSignal('');
  const hear = ({ type }: Event) => setHeard((before) => `${before} ${type}`);
  return (
    <clip-config endpoint="/clips" app-url="https://clips.example">
      <h1>The clip of today</h1>
      <clip-embed project="clip-1" />
      <clip-export-button
        project="clip-1"
        prop:watermark={watermark}
        on:clip-export-start={hear}
        on:clip-export-ready={hear}
      />
      <output id="heard">{heard()}</output>
      <A id="to-home" href="/">
        Home
      </A>
    </clip-config>
  );
}

render(
  () => (
    <Router>
      <Route path="/" component={Home} />
      <Route path="/clip" component={Clip} />
    </Router>
  ),
  document.getElementById('root')!,
);
