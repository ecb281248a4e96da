import { shareBeforePreviews } from '../clips/preview-queries.ts';

/** The stages of a task in their order, each with the share of the task that is done before it. */
export const taskStages = [
  ['ingest', 0],
  ['scan', 0.2],
  ['transcript', 0.4],
  ['candidates', 0.5],
  ['preview', shareBeforePreviews],
] as const;

export type TaskStage = (typeof taskStages)[number][0];

/** Share of the whole task at `share` of one of its stages, 0 to 1. */
export function taskShare(stage: TaskStage, share: number): number {
  const at = taskStages.findIndex(([name]) => name === stage);
  const [from, to] = [taskStages[at]?.[1] ?? 0, taskStages[at + 1]?.[1] ?? 1];
  return from + Math.min(1, Math.max(0, share)) * (to - from);
}
