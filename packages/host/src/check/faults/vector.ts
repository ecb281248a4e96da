import type { ListFault, StartFault } from './late-service.ts';

/** What a host may answer to a step. */
export type Outcome =
  /** 200 or 201 with the export, or 200 with a list of only that export. */
  | 'export'
  /** A 5xx with `unknown_outcome: true`. */
  | 'unknown'
  /** 202 and `[]`. */
  | 'in-flight'
  /** 200 and `[]`, with the promise that nothing was started. */
  | 'nothing'
  /** 200 and `[]`, without that promise. */
  | 'no-promise'
  /** A 4xx. */
  | 'refused'
  /** A 5xx of a question. */
  | 'failed';

/** A request of a page. */
export interface Step {
  /** `start`: `POST /exports`. `ask`: `GET /exports?attempt=`. */
  readonly do: 'start' | 'ask';
  /** Stands for an attempt key. */
  readonly key: 'a' | 'b';
  /** When it is sent: milliseconds after the last start reached the service; at once if omitted. */
  readonly atMs?: number;
  /** Whether the start asks for a watermark. */
  readonly watermark?: boolean;
  /** How often it is sent at the same time. */
  readonly times?: number;
  /** The host is killed when the start is at the service, and started again. */
  readonly kill?: boolean;
  readonly expect?: readonly Outcome[];
}

/** A service that fails in a certain way, and what a host must make of it. */
export interface Vector extends ListFault {
  readonly name: string;
  /** What becomes of the starts that reach the service, in their order. Later ones work. */
  readonly starts: readonly StartFault[];
  readonly steps: readonly Step[];
  /** How many exports the service has of the clip at the end. */
  readonly exports: number;
}
