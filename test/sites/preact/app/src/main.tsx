import 'clip-kit';
import { render } from 'preact';
import { useState } from 'preact/hooks';
import { LocationProvider, Route, Router } from 'preact-iso';

const watermark = { src_url: 'https://site.example/mark.png', pos_x: 0.9 };

const Home = () => (
  <>
    <clip-preview project="clip-1" loading="click" playerUrl="https://clips.example" />
    <a id="to-clip" href="/clip">
      The clip
    </a>
  </>
);

function Clip() {
  const [heard, setHeard] = useState('');
  const hear = ({ type }: Event) => setHeard((before) => `${before} ${type}`);
  return (
    <clip-config endpoint="/clips" app-url="https://clips.example">
      <h1>The clip of today</h1>
      <clip-embed project="clip-1" />
      <clip-export-button
        project="clip-1"
        watermark={watermark}
        onclip-export-start={hear}
        onclip-export-ready={hear}
      />
      <output id="heard">{heard}</output>
      <a id="to-home" href="/">
        Home
      </a>
    </clip-config>
  );
}

render(
  <LocationProvider>
    <Router>
      <Route path="/" component={Home} />
      <Route path="/clip" component={Clip} />
    </Router>
  </LocationProvider>,
  document.getElementById('root')!,
);
