import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base';
import { runInSpan, startTracing, traceCarrier } from '../../src/telemetry/tracing.ts';
import { eventually, World } from 'clip-testkit/world';

describe('traces', () => {
  const exporter = new InMemorySpanExporter();
  let world: World;
  after(() => world?.close());

  it('are not made without an SDK', async () => {
    await startTracing();
    const work = async () => [trace.getActiveSpan(), traceCarrier()];
    const options = { kind: 'SERVER', parent: () => assert.fail('nothing is read') } as const;
    assert.deepEqual(await runInSpan('GET', options, work), [undefined, undefined]);
  });

  describe('with an SDK', () => {
    before(async () => {
      context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
      propagation.setGlobalPropagator(new W3CTraceContextPropagator());
      trace.setGlobalTracerProvider(
        new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
      );
      world = await World.start();
    });

    it('lead from the request of a client to its jobs, their stages and programs', async () => {
      const traceId = 'af7651916cd43dd8448eb211c80319c0';
      const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };
      const { body } = await world.post('/tasks/video-to-video', world.whole(), { headers });
      await world.finishTask(body.id);
      const spans = (): ReadableSpan[] =>
        exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === traceId);
      const find = (name: string) => spans().find((span) => span.name === name);
      const parentsOf = (span: ReadableSpan | undefined): string[] => {
        const parent = spans().find(
          (one) => one.spanContext().spanId === span?.parentSpanContext?.spanId,
        );
        return parent ? [parent.name, ...parentsOf(parent)] : [];
      };
      const request = 'POST /v2/tasks/video-to-video';
      await eventually(() => assert.ok(find('job preview') && find(request)));
      assert.equal(find(request)!.parentSpanContext?.spanId, 'b7ad6b7169203331');
      assert.equal(find(request)!.attributes['http.response.status_code'], 201);
      const before = ['job scan', 'job ingest', request];
      assert.deepEqual(parentsOf(find('job preview')), before);
      assert.deepEqual(parentsOf(find('preview')), ['job preview', ...before]);
      const programs = spans().filter(({ name }) => name === 'ffmpeg');
      assert.ok(programs.some((span) => parentsOf(span)[0] === 'job preview'));
      assert.ok(programs.every(({ duration: [seconds, nano] }) => seconds + nano > 0));
      const lines = world.log.filter(({ trace: id }) => id === traceId);
      assert.ok(lines.some(({ event }) => event === 'preview-ready'));
    });
  });
});
