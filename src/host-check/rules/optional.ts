import { projectMisfit } from '../export-shape.ts';
import { jsonOf } from '../exchange.ts';
import { list, problem, status } from '../judges.ts';
import type { Rule } from '../rule.ts';
import { absent, judged, unchecked } from '../verdict.ts';

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
      if (exchange.came.status === 404) return absent('the host does not offer clips');
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
      if (exchange.came.status === 404) return absent('the host does not offer lists of clips');
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
    id: 'tasks',
    title: 'POST /tasks/... validates its body, and an unknown task is 404',
    why: 'Tasks cost money too, so the host must refuse invalid ones.',
    fix: 'Validate the body by 4.1 and 4.2 of the specification before you call the service.',
    optional: true,
    check: async (world) => {
      const shorts = await world.post('tasks/video-to-shorts', {});
      const video = await world.post('tasks/video-to-video', {});
      if (shorts.came.status === 404 && video.came.status === 404) {
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
