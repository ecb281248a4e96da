import type { Project } from '../contract/project.ts';
import type { PageTask } from '../contract/task.ts';
import {
  codeAndMessage,
  readDateText,
  httpUrl,
  id,
  ignoreMisfit,
  list,
  listIn,
  makeNullable,
  readObject,
  makeOptional,
  makeOptionalOrNull,
  readPlain,
  progress,
  type Reader,
  share,
  readStatusText,
  text,
} from './host-answers.ts';

/*
 * Readers of clips and tasks. In a file of their own, because only a list of clips needs them.
 */

export const readChoice = (...words: string[]): Reader =>
  readPlain('string', (value: string) => words.includes(value));

const positive = readPlain('number', (value: number) => value > 0);
export const positiveInteger = readPlain(
  'number',
  (value: number) => value > 0 && Number.isSafeInteger(value),
);

export const count = readPlain(
  'number',
  (value: number) => value >= 0 && Number.isSafeInteger(value),
);

export const clip = readObject<Project>({
  id,
  author_id: text,
  folder_id: makeOptionalOrNull(id),
  name: text,
  created_at: readDateText,
  virality_score: makeOptionalOrNull(share),
  virality_score_explanation: makeOptionalOrNull(text),
  titles: ignoreMisfit(list(text)),
  description: ignoreMisfit(text),
  tags: ignoreMisfit(list(text)),
  topic: ignoreMisfit(text),
  notes: makeOptional(list(codeAndMessage)),
  poster_url: ignoreMisfit(httpUrl),
  width: ignoreMisfit(positiveInteger),
  height: ignoreMisfit(positiveInteger),
  duration: ignoreMisfit(positive),
  revision: ignoreMisfit(positiveInteger),
  views: ignoreMisfit(count),
});

/** A clip that cannot be read is undefined, and hides no other. */
export const clipList = listIn('projects', ignoreMisfit(clip));

const taskType = readChoice('video-to-shorts', 'video-to-video');

export const task = readObject<PageTask>({
  id,
  type: (value, path) =>
    taskType(typeof value === 'string' ? value.replaceAll('_', '-') : value, path),
  status: readStatusText,
  created_at: readDateText,
  output_type: readChoice('folder', 'project'),
  output_id: id,
  progress: makeOptional(makeNullable(progress)),
  failure: makeOptional(makeNullable(codeAndMessage)),
  notes: makeOptional(list(codeAndMessage)),
  name: ignoreMisfit(text),
  source_seconds: ignoreMisfit(positive),
  picture_url: ignoreMisfit(httpUrl),
  source_task_id: ignoreMisfit(id),
  clip_count: ignoreMisfit(count),
});

const tasks = listIn('tasks', ignoreMisfit(task));

/** A task that cannot be read hides no other. */
export const readTaskList: Reader = (value, path) =>
  (tasks(value, path) as unknown[]).filter((one) => one !== undefined);
