import { component$ } from '@builder.io/qwik';
import { Link, QwikCityProvider, RouterOutlet } from '@builder.io/qwik-city';

export default component$(() => (
  <QwikCityProvider>
    <head>
      <meta charset="utf-8" />
      <link rel="icon" href="data:," />
    </head>
    <body>
      <nav>
        <Link href="/">Home</Link> <Link href="/clip">The clip</Link>
      </nav>
      <RouterOutlet />
    </body>
  </QwikCityProvider>
));
