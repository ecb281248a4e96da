import type { Project } from '../contract/project.ts';
import type { Task } from '../contract/task.ts';
import {
  codeAndMessage,
  dateTime,
  httpUrl,
  id,
  ifItFits,
  list,
  listIn,
  nullable,
  object,
  optional,
  orNull,
  plain,
  progress,
  type Reader,
  share,
  status,
  text,
} from './host-answers.ts';

/*
 * Readers of clips and tasks. In a file of their own, because only a list of clips needs them.
 */

export const oneOf = (...words: string[]): Reader =>
  plain('string', (value: string) => words.includes(value));

const positive = plain('number', (value: number) => value > 0);
export const positiveInteger = plain(
  'number',
  (value: number) => value > 0 && Number.isSafeInteger(value),
);

export const count = plain('number', (value: number) => value >= 0 && Number.isSafeInteger(value));

export const clip = object<Project>({
  id,
  author_id: text,
  folder_id: orNull(id),
  name: text,
  created_at: dateTime,
  virality_score: orNull(share),
  virality_score_explanation: orNull(text),
  titles: ifItFits(list(text)),
  description: ifItFits(text),
  tags: ifItFits(list(text)),
  topic: ifItFits(text),
  notes: optional(list(codeAndMessage)),
  poster_url: ifItFits(httpUrl),
  width: ifItFits(positiveInteger),
  height: ifItFits(positiveInteger),
  duration: ifItFits(positive),
  revision: ifItFits(positiveInteger),
  views: ifItFits(count),
});

/** A clip that cannot be read is undefined, and hides no other. */
export const clipList = listIn('projects', ifItFits(clip));

const taskType = oneOf('video-to-shorts', 'video-to-video');

export const task = object<Task>({
  id,
  type: (value, path) =>
    taskType(typeof value === 'string' ? value.replaceAll('_', '-') : value, path),
  status,
  created_at: dateTime,
  output_type: oneOf('folder', 'project'),
  output_id: id,
  progress: optional(nullable(progress)),
  failure: optional(nullable(codeAndMessage)),
  notes: optional(list(codeAndMessage)),
  name: ifItFits(text),
  source_seconds: ifItFits(positive),
  picture_url: ifItFits(httpUrl),
  source_task_id: ifItFits(id),
  clip_count: ifItFits(count),
});

const tasks = listIn('tasks', ifItFits(task));

/** A task that cannot be read hides no other. */
export const taskList: Reader = (value, path) =>
  (tasks(value, path) as unknown[]).filter((one) => one !== undefined);
