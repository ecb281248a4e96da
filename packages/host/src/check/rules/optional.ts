import { projectMisfit } from '../export-shape.ts';
import { isObject, jsonOf, type Exchange } from '../exchange.ts';
import { list, problem, status } from '../judges.ts';
import type { Rule } from '../rule.ts';
import { absent, judged, unchecked, type Judge } from '../verdict.ts';

/** The route is not there, or the site's policy lets this user edit nothing. */
const offersNoEdits = ({ received }: Exchange): boolean =>
  [403, 404, 405].includes(received.status);

const hasRevision: Judge = (exchange) => {
  const body = jsonOf(exchange);
  const revision = isObject(body) ? body['revision'] : null;
  if (!Number.isSafeInteger(revision)) return 'the edit has no "revision"';
  const { etag = 'none' } = exchange.received.headers;
  return etag.replace(/^W\//, '') === `"${String(revision)}"`
    ? null
    : `the ETag is ${etag}, but the revision is ${String(revision)}`;
};

export const optionalRules: readonly Rule[] = [
  {
    id: 'projects-read',
    title: 'GET /projects/{id}?folder_id= returns the clip',
    why: 'Lists of clips show names and scores.',
    fix: 'Ask the service (4.5) for the managed user, and send every field of the Project Object; an empty field is null.',
    optional: true,
    needs: ['project'],
    check: async (world) => {
      const { project, folder } = world.options;
      const query = folder === null ? {} : { folder_id: folder };
      const exchange = await world.get(`projects/${project}`, { query });
      if (exchange.received.status === 404) return absent('the host does not offer clips');
      return judged([
        exchange,
        status(200),
        (exchange) => {
          const found = projectMisfit(jsonOf(exchange));
          return found === null ? null : `the clip is not valid: ${found}`;
        },
      ]);
    },
  },
  {
    id: 'projects-list',
    title: 'GET /projects?folder_id= returns the clips of the folder',
    why: 'A studio page shows all shorts of a video.',
    fix: 'Ask the service (4.4) for the managed user; unwrap {projects: [...]}.',
    optional: true,
    check: async (world) => {
      const folder_id = world.options.folder ?? (await world.sample())?.folder_id;
      if (folder_id == null) return unchecked('no folder is known: use --folder');
      const exchange = await world.get('projects', { query: { folder_id } });
      if (exchange.received.status === 404) return absent('the host does not offer lists of clips');
      return judged([
        exchange,
        list((items) => {
          const found = items.map(projectMisfit).find((misfit) => misfit !== null);
          return found == null ? null : `a clip in the list is not valid: ${found}`;
        }),
      ]);
    },
  },
  {
    id: 'edit-read',
    title: 'GET /projects/{id}/edit returns the edit with its revision as the ETag',
    why: 'A page changes an edit only from the revision that it has read.',
    fix: 'Ask the service for the managed user, and pass its ETag on.',
    optional: true,
    needs: ['project'],
    check: async (world) => {
      const exchange = await world.get(`projects/${world.options.project}/edit`);
      if (offersNoEdits(exchange)) return absent('the host does not offer edits to this user');
      return judged([exchange, status(200), hasRevision]);
    },
  },
  {
    id: 'edit-revision',
    title: 'PATCH /projects/{id}/edit without If-Match is 428, and with another revision 412',
    why: 'Otherwise two people at once overwrite what the other has changed.',
    fix: "Pass If-Match to the service, and its 412 and 428 back; never send a revision of the host's own.",
    optional: true,
    needs: ['project'],
    check: async (world) => {
      const path = `projects/${world.options.project}/edit`;
      if (offersNoEdits(await world.get(path))) {
        return absent('the host does not offer edits to this user');
      }
      // If it is carried out nevertheless, it changes nothing.
      const body = { changes: {} };
      const headers = { 'If-Match': '"999999999"' };
      return judged(
        [await world.ask('PATCH', path, { body }), problem(428, 'revision-missing')],
        [await world.ask('PATCH', path, { body, headers }), problem(412, 'revision-changed')],
      );
    },
  },
  {
    id: 'tasks',
    title: 'POST /tasks/... validates its body, and an unknown task is 404',
    why: 'Tasks cost money too, so the host must refuse invalid ones.',
    fix: 'Validate the body by 4.1 and 4.2 of the specification before you call the service.',
    optional: true,
    check: async (world) => {
      const shorts = await world.post('tasks/video-to-shorts', {});
      const video = await world.post('tasks/video-to-video', {});
      if ([shorts, video].every(({ received }) => [404, 405].includes(received.status))) {
        return absent('the host creates no tasks');
      }
      const invalid = problem(400, 'invalid-request');
      return judged(
        [shorts, invalid],
        [video, invalid],
        [await world.get(`tasks/${world.nothing()}`), problem(404, 'not-found')],
      );
    },
  },
];
