import { StrictMode } from 'react';
import { Link, Route, Routes } from 'react-router';
import App from './App.tsx';
import Clip from './Clip.tsx';
import { Props } from './props.tsx';

export const Site = () => (
  <StrictMode>
    <nav>
      <Link to="/">Home</Link> <Link to="/clip">The clip</Link>
    </nav>
    <Routes>
      <Route index element={<App />} />
      <Route path="clip" element={<Clip />} />
      <Route path="props" element={<Props />} />
    </Routes>
  </StrictMode>
);
