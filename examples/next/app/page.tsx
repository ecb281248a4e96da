import { ClipExportButton } from 'clip-kit/react';
import { Suspense } from 'react';

interface Props {
  searchParams: Promise<{ project?: string }>;
}

async function Export({ searchParams }: Props) {
  const { project } = await searchParams;
  return <ClipExportButton project={project} endpoint="/clips" />;
}

/** `next build` renders what is outside of `Suspense`, so the query is read inside of it. */
export default function Page({ searchParams }: Props) {
  return (
    <Suspense>
      <Export searchParams={searchParams} />
    </Suspense>
  );
}
