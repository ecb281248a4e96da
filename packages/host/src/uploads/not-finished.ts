import { HostProblem } from '../http/host-problem.ts';

/** An upload is used before its last byte has arrived. */
export const notFinished = (): HostProblem =>
  new HostProblem('unprocessable', { detail: 'The file has not arrived completely yet.' });
