import { projectMisfit } from '../export-shape.ts';
import { jsonOf } from '../exchange.ts';
import { list, problem, status } from '../judges.ts';
import type { Rule } from '../rule.ts';
import { absent, judged, unchecked } from '../verdict.ts';

export const optionalRules: readonly Rule[] = [
  {
    id: 'projects-read',
    title: 'GET /projects/{id}?folder_id= answers the clip',
    why: 'Lists of clips show a name and a score.',
    mend: 'Ask the service (4.5) for the managed user, and send every field of the Project Object, null where it is empty.',
    optional: true,
    needs: ['project'],
    check: async (world) => {
      const { project, folder } = world.options;
      const query = folder === null ? {} : { folder_id: folder };
      const exchange = await world.get(`projects/${project}`, { query });
      if (exchange.came.status === 404) return absent('the host has no clips to read');
      return judged([
        exchange,
        status(200),
        (one) => {
          const found = projectMisfit(jsonOf(one));
          return found === null ? null : `the clip does not fit: ${found}`;
        },
      ]);
    },
  },
  {
    id: 'projects-list',
    title: 'GET /projects?folder_id= answers the clips of the folder',
    why: 'A studio page shows all shorts of a video.',
    mend: 'Ask the service (4.4) for the managed user; unwrap {projects: [...]}.',
    optional: true,
    check: async (world) => {
      const folder_id = world.options.folder ?? (await world.sample())?.folder_id;
      if (folder_id == null) return unchecked('no folder is known: give --folder');
      const exchange = await world.get('projects', { query: { folder_id } });
      if (exchange.came.status === 404) return absent('the host has no clips to list');
      return judged([
        exchange,
        list((items) => {
          const found = items.map(projectMisfit).find((one) => one !== null);
          return found == null ? null : `a clip of the list does not fit: ${found}`;
        }),
      ]);
    },
  },
  {
    id: 'tasks',
    title: 'POST /tasks/... checks its body, and a task that is not there is 404',
    why: 'Tasks cost money too: what does not fit is refused here.',
    mend: 'Check the body against 4.1 and 4.2 of the specification before the service is called.',
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
