import type { Task } from 'clip-kit/contract';

const words: Readonly<Record<string, string>> = {
  queued: 'Waiting for its turn',
  ingest: 'Fetching the video',
  scan: 'Looking and listening',
  transcript: 'Reading what is said',
  candidates: 'Choosing the moments',
  preview: 'Making previews',
  render: 'Rendering',
};

/** The task's current work, for a person. */
export function stageWords(task: Task): string {
  if (task.status === 'ready') return 'Done';
  if (task.status === 'error') return 'Failed';
  return words[task.progress?.stage ?? ''] ?? 'Working on it';
}

/** Percent of the whole, or null if the service does not say. Never 100 before it is done. */
export const percent = (task: Task): number | null =>
  task.status === 'ready'
    ? 100
    : task.progress
      ? Math.min(99, Math.floor(task.progress.share * 100))
      : null;

/** The remaining time, in words that an estimate can keep; null if nobody knows. */
export function timeLeft(task: Task): string | null {
  const left = task.status === 'processing' ? task.progress?.seconds_left : null;
  if (left === null || left === undefined) return null;
  if (left < 8) return 'A few seconds left';
  if (left < 55) return `About ${Math.max(10, 5 * Math.round(left / 5))} seconds left`;
  const minutes = Math.round(left / 60);
  if (minutes < 2) return 'About a minute left';
  if (minutes < 60) return `About ${minutes} minutes left`;
  const hours = Math.round(minutes / 30) / 2;
  return hours === 1 ? 'About an hour left' : `About ${hours} hours left`;
}

export interface Step {
  name: string;
  state: 'done' | 'now' | 'later';
}

const steps = [
  ['ingest', 'Fetch'],
  ['scan', 'Scan'],
  ['transcript', 'Words'],
  ['candidates', 'Moments'],
  ['preview', 'Previews'],
] as const;

/** The steps of a task in progress; none if its stage is not one of them. */
export function stepsOf(task: Task): Step[] {
  const stage = task.progress?.stage;
  const at = steps.findIndex(([name]) => name === stage);
  if (task.status !== 'processing' || (at < 0 && stage !== 'queued')) return [];
  return steps.map(([, name], index) => ({
    name,
    state: index < at ? 'done' : index === at ? 'now' : 'later',
  }));
}
