import Link from 'next/link';
import type { ReactNode } from 'react';

export const metadata = { title: 'Next', icons: { icon: 'data:,' } };

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <nav>
          <Link href="/">Home</Link> <Link href="/clip">The clip</Link>
        </nav>
        {children}
      </body>
    </html>
  );
}
