import { ExportButton } from './export-button.jsx';

export default async function Page({ searchParams }) {
  const { project } = await searchParams;
  return <ExportButton project={project} />;
}
