import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { Site } from './site.tsx';

const root = document.getElementById('root')!;
const site = (
  <BrowserRouter>
    <Site />
  </BrowserRouter>
);
// The development server sends no page.
if (root.firstElementChild) hydrateRoot(root, site);
else createRoot(root).render(site);
