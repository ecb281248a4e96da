import { isObject, jsonOf, type Exchange } from '../exchange.ts';
import { list, problem, status } from '../judges.ts';
import type { Rule } from '../rule.ts';
import { absent, broken, judged, unchecked, type Verdict } from '../verdict.ts';
import type { CheckWorld } from '../world.ts';

/** The route is not there, or the service or the site's policy does not do this. */
const offersNone = ({ received }: Exchange): boolean =>
  [403, 404, 405, 501].includes(received.status);

const noUploads = absent('the host takes no uploads of this user');
const noTaskList = absent('the host does not list tasks');

const uploadNotFound = problem(404, 'upload-not-found', 'not-found');
const notFound = problem(404, 'not-found');

function idOf(exchange: Exchange): string | null {
  const body = jsonOf(exchange);
  return isObject(body) && typeof body['id'] === 'string' ? body['id'] : null;
}

function idsOf(exchange: Exchange): string[] {
  const body = jsonOf(exchange);
  const items: unknown[] = Array.isArray(body) ? body : [];
  return items.flatMap((item) =>
    isObject(item) && typeof item['id'] === 'string' ? [item['id']] : [],
  );
}

/** `GET /tasks` of a user; null if the host has no list. */
async function taskList(
  world: CheckWorld,
  as: 'user' | 'other' = 'user',
): Promise<Exchange | null> {
  const exchange = await world.get('tasks', { as });
  // 400: a host that can only be asked for an attempt.
  return offersNone(exchange) || exchange.received.status === 400 ? null : exchange;
}

const noTasks = unchecked('the user has no tasks: make a video first');

/** Asks about the user's upload of a byte, which is removed afterwards. */
async function withUpload(
  world: CheckWorld,
  look: (id: string) => Promise<Verdict>,
): Promise<Verdict> {
  const body = { name: 'clip-host-check.mp4', size: 1 };
  const created = await world.post('uploads', body);
  if (offersNone(created)) return noUploads;
  const id = idOf(created);
  if (id === null) return judged([created, status(201)]);
  try {
    return await look(encodeURIComponent(id));
  } finally {
    await world.ask('DELETE', `uploads/${encodeURIComponent(id)}`);
  }
}

/** What belongs to `<clip-create>` and `<clip-videos>`. */
export const videoRules: readonly Rule[] = [
  {
    id: 'uploads',
    title: 'POST /uploads validates its body, and an unknown upload is 404',
    why: 'What a file may be is checked before its bytes are sent.',
    fix: 'Validate the body before you call the service or sign an address.',
    optional: true,
    check: async (world) => {
      const invalid = problem(400, 'invalid-request');
      const created = await world.post('uploads', {});
      if (offersNone(created)) return noUploads;
      const path = `uploads/${world.nothing()}`;
      return judged(
        [created, invalid],
        [await world.post('uploads', { name: 'a', size: 0 }), invalid],
        [await world.get(path), uploadNotFound],
        [await world.ask('DELETE', path), uploadNotFound],
      );
    },
  },
  {
    id: 'other-upload',
    title: "Another user's upload is 404, whatever is asked of it",
    why: 'Who knows its id could make clips of the file, add bytes to it or remove it.',
    fix: "Call the service with the logged-in user's managed user, or seal the user in the id.",
    optional: true,
    needs: ['other'],
    check: (world) =>
      withUpload(world, async (id) => {
        const as = 'other';
        return judged(
          [await world.get(`uploads/${id}`, { as }), uploadNotFound],
          [await world.ask('DELETE', `uploads/${id}`, { as }), uploadNotFound],
          // Still there.
          [await world.get(`uploads/${id}`), status(200)],
        );
      }),
  },
  {
    id: 'task-list',
    title: 'GET /tasks is a list, and a wrong page of it is 400',
    why: 'A page shows the videos of the user, newest first.',
    fix: 'Ask the service for the managed user, or your own store; unwrap {tasks: [...]}.',
    optional: true,
    check: async (world) => {
      const found = await taskList(world);
      if (!found) return noTaskList;
      const invalid = problem(400, 'invalid-request');
      return judged(
        [found, list()],
        [await world.get('tasks', { query: { limit: '0' } }), invalid],
        [await world.get('tasks', { query: { cursor: '?' } }), invalid],
      );
    },
  },
  {
    id: 'other-tasks',
    title: "No list contains another user's tasks",
    why: 'A list contains only what the user owns.',
    fix: "Call the service with the logged-in user's managed user (X-On-Behalf-Of), and keep a list of your own per user.",
    optional: true,
    needs: ['other'],
    check: async (world) => {
      const mine = await taskList(world);
      const theirs = await taskList(world, 'other');
      if (!mine || !theirs) return noTaskList;
      const own = new Set(idsOf(mine));
      if (!own.size) return noTasks;
      const shared = idsOf(theirs).find((id) => own.has(id));
      return shared === undefined
        ? judged([theirs, list()])
        : broken(`both users have the task ${shared} in their lists`, mine, theirs);
    },
  },
  {
    id: 'other-task',
    title: "Another user's task is 404, also when it is to be deleted",
    why: 'Deleted clips do not come back.',
    fix: "Call the service with the logged-in user's managed user, never only with the key.",
    optional: true,
    // A broken host deletes the task.
    needs: ['other', 'start'],
    check: async (world) => {
      const mine = await taskList(world);
      if (!mine) return noTaskList;
      const [id] = idsOf(mine);
      if (id === undefined) return noTasks;
      const path = `tasks/${encodeURIComponent(id)}`;
      const as = 'other';
      const deleted = await world.ask('DELETE', path, { as });
      if ([405, 501].includes(deleted.received.status)) return absent('the host deletes no tasks');
      return judged(
        [await world.get(path, { as }), notFound],
        [deleted, notFound],
        [await world.get(path), status(200)],
      );
    },
  },
];
