import { HostProblem } from '../http/host-problem.ts';
import { readExport, readExports, startExport } from './exports.ts';
import { downloadExport, grantDownload } from './download.ts';
import {
  changeEdit,
  copyClip,
  createClip,
  createLinks,
  listProjects,
  readAllowance,
  readEdit,
  readProject,
} from './edits.ts';
import type { Answer } from './route-context.ts';
import {
  createMore,
  createVideoToShorts,
  createVideoToVideo,
  addWords,
  deleteTask,
  readTask,
  readTasks,
} from './tasks.ts';
import { issueToken } from './token.ts';
import { createUpload, deleteUpload, passUpload, readUpload } from './uploads.ts';

interface Route {
  readonly method: 'DELETE' | 'GET' | 'HEAD' | 'PATCH' | 'POST';
  /** Segments below the mount; `*` matches an id. */
  readonly path: readonly string[];
  readonly answer: Answer;
}

const route = (method: Route['method'], path: string, answer: Answer): Route => ({
  method,
  path: path.split('/'),
  answer,
});

const routes: readonly Route[] = [
  route('POST', 'token', issueToken),
  route('POST', 'exports', startExport),
  route('GET', 'exports', readExports),
  route('GET', 'exports/*', readExport),
  route('GET', 'exports/*/download', downloadExport),
  route('HEAD', 'exports/*/download', downloadExport),
  route('POST', 'exports/*/download', grantDownload),
  route('GET', 'projects', listProjects),
  route('GET', 'projects/*', readProject),
  route('POST', 'projects/*', createClip),
  route('POST', 'projects/*/copy', copyClip),
  route('GET', 'projects/*/allowance', readAllowance),
  route('POST', 'projects/*/links', createLinks),
  route('GET', 'projects/*/edit', readEdit),
  route('PATCH', 'projects/*/edit', changeEdit),
  route('POST', 'tasks/video-to-shorts', createVideoToShorts),
  route('POST', 'tasks/video-to-video', createVideoToVideo),
  route('POST', 'tasks/*/words', addWords),
  route('POST', 'tasks/*/more', createMore),
  route('GET', 'tasks', readTasks),
  route('GET', 'tasks/*', readTask),
  route('DELETE', 'tasks/*', deleteTask),
  route('POST', 'uploads', createUpload),
  route('GET', 'uploads/*', readUpload),
  route('DELETE', 'uploads/*', deleteUpload),
  route('HEAD', 'uploads/*', passUpload),
  route('PATCH', 'uploads/*', passUpload),
];

/** Words in the addresses of the service below a clip, a task or a user: none is an id. */
export const serviceWords: ReadonlySet<string> = new Set([
  ...['allowance', 'copy', 'download', 'edit', 'exports', 'files', 'links', 'more', 'revert'],
  ...['revisions', 'tokens', 'video-to-shorts', 'video-to-video', 'views', 'words'],
]);

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/** The ids if the segments match the pattern, otherwise null. */
function idsOf(pattern: readonly string[], segments: readonly string[]): string[] | null {
  if (pattern.length !== segments.length) return null;
  const ids: string[] = [];
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (part !== '*') {
      if (part !== segment) return null;
      continue;
    }
    const id = decode(segment);
    if (!id || id === '.' || id === '..' || serviceWords.has(id)) return null;
    ids.push(id);
  }
  return ids;
}

/**
 * The route of a request and the ids in its path. Throws 404, or 405 if only the method is wrong.
 */
export function matchRoute(
  method: string,
  pathname: string,
  basePath: string,
): { answer: Answer; ids: readonly string[] } {
  const nowhere = (reason: string) =>
    new HostProblem('endpoint-not-found', { detail: `Nothing is at ${pathname}: ${reason}` });
  if (!pathname.startsWith(`${basePath}/`)) {
    throw nowhere(
      `this host is mounted at ${basePath}. basePath must be the whole path that the browser asks for, with those of the routers around it.`,
    );
  }
  const segments = pathname.slice(basePath.length + 1).split('/');
  const allowed = new Set<string>();
  for (const candidate of routes) {
    const ids = idsOf(candidate.path, segments);
    if (!ids) continue;
    if (candidate.method === method) return { answer: candidate.answer, ids };
    allowed.add(candidate.method);
  }
  if (!allowed.size) {
    const names = new Set(routes.map(({ path }) => path[0]));
    throw nowhere(`below ${basePath} this host has ${[...names].join(', ')}.`);
  }
  throw new HostProblem('method-not-allowed', { headers: { Allow: [...allowed].join(', ') } });
}
