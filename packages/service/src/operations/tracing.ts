import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { Attributes, Tracer } from '@opentelemetry/api';

/** What the work of the moment is done for. The lines of the log tell it, and its jobs keep it. */
export interface Cause {
  /** The request that began it, also if that was answered long ago. */
  request?: string | undefined;
  organization?: string;
  user?: string;
  /** The job that does it: the id of its row. */
  job?: string;
  /** The trace, if there is one. */
  trace?: string;
}

const causes = new AsyncLocalStorage<Cause>();

export const withCause = <T>(cause: Cause, work: () => T): T => causes.run(cause, work);

export const currentCause = (): Readonly<Cause> => causes.getStore() ?? {};

/** More is known of it by now. */
export function learnCause(more: Cause): void {
  const cause = causes.getStore();
  if (cause) Object.assign(cause, more);
}

type Api = typeof import('@opentelemetry/api');

/** What continues a trace in another process. */
export type TraceCarrier = Record<string, string>;

/** Null: nobody listens, and nothing is done. An SDK is registered for the whole process. */
let on: { api: Api; tracer: Tracer } | null = null;

/** The channel on which the engine tells of programs that have ended. */
const programs = 'clip-engine:program';

/** Where all copies of its API in a process keep what is registered. */
const registered = Symbol.for('opentelemetry.js.api.1');

/** Traces from now on, if an SDK of OpenTelemetry is registered in this process. */
export async function startTracing(): Promise<void> {
  // Otherwise the API need not even be loaded.
  if (on || !(registered in globalThis)) return;
  const api = await import('@opentelemetry/api').catch(() => null);
  if (!api) return;
  const provider = api.trace.getTracerProvider();
  const name = 'clip-service';
  if (provider instanceof api.ProxyTracerProvider && !provider.getDelegateTracer(name)) return;
  on = { api, tracer: api.trace.getTracer(name) };
  subscribe(programs, (message) => {
    const { program, ms } = message as { program: string; ms: number };
    addPastSpan(program, ms);
  });
}

/** Works in a span, which a failure marks. `parent`: the trace that is continued. */
export async function inSpan<T>(
  name: string,
  {
    kind,
    parent,
    attributes = {},
  }: {
    kind: 'SERVER' | 'CONSUMER';
    parent: () => TraceCarrier | undefined;
    attributes?: Attributes;
  },
  work: () => Promise<T>,
): Promise<T> {
  if (!on) return work();
  const { api, tracer } = on;
  const context = api.propagation.extract(api.context.active(), parent() ?? {});
  return tracer.startActiveSpan(
    name,
    { kind: api.SpanKind[kind], attributes },
    context,
    async (span) => {
      learnCause({ trace: span.spanContext().traceId });
      try {
        return await work();
      } catch (error) {
        span.recordException(error as Error);
        span.setStatus({ code: api.SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
  );
}

/** What is known of the span of the moment by now. */
export function learnSpan(name: string, attributes: Attributes, failed: boolean): void {
  const span = on?.api.trace.getActiveSpan();
  if (!on || !span) return;
  span.updateName(name);
  span.setAttributes(attributes);
  if (failed) span.setStatus({ code: on.api.SpanStatusCode.ERROR });
}

/** Adds a span that has just ended, after so long. */
export function addPastSpan(name: string, ms: number): void {
  if (!on) return;
  const end = Date.now();
  on.tracer.startSpan(name, { startTime: end - ms }).end(end);
}

/** What continues the trace of the moment, or undefined. */
export function traceCarrier(): TraceCarrier | undefined {
  if (!on) return undefined;
  const carrier: TraceCarrier = {};
  on.api.propagation.inject(on.api.context.active(), carrier);
  return Object.keys(carrier).length > 0 ? carrier : undefined;
}
