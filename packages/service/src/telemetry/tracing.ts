import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { Attributes, Tracer } from '@opentelemetry/api';

/** The purpose of the current work. It is added to each log line, and stored with each job. */
export interface RequestContext {
  /** The request that began it, also if that was answered long ago. */
  request?: string | undefined;
  organization?: string;
  user?: string;
  /** The job that does it: the id of its row. */
  job?: string;
  /** The trace, if there is one. */
  trace?: string;
}

const contexts = new AsyncLocalStorage<RequestContext>();

export const withRequestContext = <T>(context: RequestContext, work: () => T): T =>
  contexts.run(context, work);

export const getRequestContext = (): Readonly<RequestContext> => contexts.getStore() ?? {};

/** Adds to the current context, if there is one. */
export function addToRequestContext(more: RequestContext): void {
  Object.assign(contexts.getStore() ?? {}, more);
}

type Api = typeof import('@opentelemetry/api');

/** Continues a trace in another process. */
export type TraceCarrier = Record<string, string>;

/** Null without a registered SDK: then nothing is traced. */
let on: { api: Api; tracer: Tracer } | null = null;

/** The channel on which the engine announces programs that have ended. */
const programs = 'clip-engine:program';

/** The key of the registry that all copies of the OpenTelemetry API in a process share. */
const registered = Symbol.for('opentelemetry.js.api.1');

/** Starts tracing if an OpenTelemetry SDK is registered in this process. */
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

/** Runs work in a span, which records its failure. `parent` returns the trace to continue. */
export async function runInSpan<T>(
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
      addToRequestContext({ trace: span.spanContext().traceId });
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

/** Renames the current span and adds attributes to it. `describe` is called if there is a span. */
export function updateSpan(
  describe: () => { name: string; attributes: Attributes; failed: boolean },
): void {
  const span = on?.api.trace.getActiveSpan();
  if (!on || !span) return;
  const { name, attributes, failed } = describe();
  span.updateName(name);
  span.setAttributes(attributes);
  if (failed) span.setStatus({ code: on.api.SpanStatusCode.ERROR });
}

/** Adds a span that has just ended. `ms` is its duration. */
export function addPastSpan(name: string, ms: number): void {
  if (!on) return;
  const end = Date.now();
  on.tracer.startSpan(name, { startTime: end - ms }).end(end);
}

/** Returns what continues the current trace in another process; undefined without a trace. */
export function traceCarrier(): TraceCarrier | undefined {
  if (!on) return undefined;
  const carrier: TraceCarrier = {};
  on.api.propagation.inject(on.api.context.active(), carrier);
  return Object.keys(carrier).length > 0 ? carrier : undefined;
}
