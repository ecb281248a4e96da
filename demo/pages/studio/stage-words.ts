import type { Task } from 'clip-kit/contract';

const words: Readonly<Record<string, string>> = {
  queued: 'Waiting for its turn',
  ingest: 'Fetching the video',
  scan: 'Listening and looking for cuts',
  transcript: 'Reading the transcript',
  candidates: 'Choosing the moments',
  preview: 'Making previews',
  render: 'Rendering',
};

/** What a task is doing, for a person. */
export const stageWords = (task: Task): string => {
  if (task.status === 'ready') return 'Done';
  if (task.status === 'error') return 'Failed';
  return words[task.progress?.stage ?? ''] ?? 'Working on it';
};

/** Percent of the whole, or null where the service does not say. */
export const percent = (task: Task): number | null =>
  task.status === 'ready' ? 100 : task.progress ? Math.round(task.progress.share * 100) : null;
