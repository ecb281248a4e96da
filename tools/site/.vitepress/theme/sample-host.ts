import type { Export } from '../../../../src/contract/export.ts';
import type { Project } from '../../../../src/contract/project.ts';
import type { Task } from '../../../../src/contract/task.ts';
import type { NewUpload, Upload } from '../../../../src/contract/upload.ts';

const titles = [
  ['Why the night matters', 0.91, 'It opens with a question, and answers it in a sentence.'],
  ['The half-hour rule', 0.84, 'One idea with a beginning and an end.'],
  ['What a nap can do', 0.77, 'It ends with a line to remember.'],
] as const;

const formatTime = (ms: number): string => new Date(ms).toISOString();
/** The duration of a task and of an export. */
const workMs = 6000;

/** The fields of all bodies that are read. */
type Body = Partial<NewUpload> & { readonly project_id?: string };

/**
 * Returns a `fetch` that answers as a host would, in the page and with sample data. It sends
 * nothing: an address that is not the host's cannot be reached.
 */
export function sampleHost(site: URL): typeof fetch {
  const poster = new URL('clip/sleep.jpg', site).href;
  const tasks: Task[] = [];
  const addTask = (name: string, createdMs: number): Task => {
    const id = `sample-${tasks.length + 1}`;
    tasks.unshift({
      id,
      type: 'video-to-shorts',
      status: 'processing',
      created_at: formatTime(createdMs),
      output_type: 'folder',
      output_id: `folder-of-${id}`,
      name,
      source_seconds: 1830,
      picture_url: poster,
    });
    return tasks[0]!;
  };
  addTask('A talk about sleep', Date.now() - 86_400_000);

  const clips = (folder: string): Project[] =>
    titles.map(([name, score, reason], at) => ({
      id: `sample-clip-${at + 1}`,
      author_id: 'sample',
      folder_id: folder,
      name,
      created_at: formatTime(0),
      virality_score: score,
      virality_score_explanation: reason,
      poster_url: poster,
      width: 360,
      height: 640,
      duration: 14,
    }));

  function current(task: Task): Task {
    const share = Math.min(1, (Date.now() - Date.parse(task.created_at)) / workMs);
    return share === 1
      ? { ...task, status: 'ready', clip_count: titles.length }
      : { ...task, progress: { stage: 'scan', share, seconds_left: 6 } };
  }

  /** The id has the time of its start, so that a reloaded page finds it again. */
  function exportOf(id: string, project = 'sample-clip-1'): Export {
    const startMs = Number(id.replace('sample-', '')) || 0;
    const endMs = startMs + workMs;
    const isReady = Date.now() >= endMs;
    return {
      id,
      status: isReady ? 'ready' : 'processing',
      src_url: isReady ? new URL('clip/sleep.mp4', site).href : null,
      estimated_ready_at: formatTime(endMs),
      project_id: project,
      created_at: formatTime(startMs),
      finished_at: isReady ? formatTime(endMs) : null,
      name: titles[0][0],
      author_id: 'sample',
      folder_id: null,
      descriptions: null,
      watermarked: false,
    };
  }

  const upload = ({ name, size }: NewUpload): Upload => ({
    id: 'sample-upload',
    status: 'finished',
    protocol: 'tus',
    url: new URL('example/host/uploads/sample', site).href,
    name,
    size,
    offset: size,
    created_at: formatTime(Date.now()),
    expires_at: formatTime(Date.now() + 86_400_000),
  });

  function answer(
    method: string,
    [kind, id, action]: string[],
    query: URLSearchParams,
    body: Body,
  ) {
    switch (`${method} ${kind}`) {
      case 'GET session':
        return { session: 'sample.sample.sample' };
      case 'POST token':
        return { external_access_token: 'sample', expires_at: null };
      case 'GET projects':
        if (id) return { ...clips('sample')[0], id };
        return tasks.some(
          (task) => task.output_id === query.get('folder_id') && current(task).status !== 'ready',
        )
          ? []
          : clips(query.get('folder_id') ?? 'sample');
      case 'GET tasks': {
        const found = tasks.find((task) => task.id === id) ?? tasks.at(-1)!;
        if (id) return { ...current(found), id };
        return query.has('attempt') ? [] : tasks.map(current);
      }
      case 'POST tasks':
        return addTask(
          action ? tasks.find((task) => task.id === id)!.name! : (body.name ?? 'Your video'),
          Date.now(),
        );
      case 'DELETE tasks':
        tasks.splice(
          tasks.findIndex((task) => task.id === id),
          1,
        );
        return {};
      case 'POST uploads':
        return upload(body as NewUpload);
      case 'GET exports':
        return id
          ? exportOf(id, query.get('project_id') ?? undefined)
          : query.getAll('id').map((one) => exportOf(one));
      case 'POST exports':
        return action === 'download'
          ? { url: new URL('clip/sleep.mp4', site).href }
          : exportOf(`sample-${Date.now()}`, body.project_id);
      default:
        return null;
    }
  }

  return async (input, { method = 'GET', headers, body } = {}) => {
    const url = new URL(String(input), site);
    const [, path] = (url.origin + url.pathname).split(`${site}example/host/`);
    if (path === undefined) throw new TypeError(`The sample has nothing at ${url.origin}.`);
    const given = (typeof body === 'string' ? JSON.parse(body) : {}) as Body;
    const found = answer(method, path.split('/'), url.searchParams, given);
    const attempt = new Headers(headers).get('Idempotency-Key') ?? url.searchParams.get('attempt');
    return Response.json(found ?? { type: 'about:blank', title: 'Not found', status: 404 }, {
      status: found ? 200 : 404,
      headers: { 'Clip-Account': 'sample', ...(attempt && { 'Idempotency-Key': attempt }) },
    });
  };
}
