import { ClipExportButton } from 'clip-kit/react';

export default async function Page({ searchParams }) {
  const { project } = await searchParams;
  return <ClipExportButton project={project} endpoint="/clips" />;
}
