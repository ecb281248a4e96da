import { Hono } from 'hono';
import type { ServiceContext } from '../context.ts';
import type { InstallationMetrics } from './installation-metrics.ts';
import type { Metrics } from './metrics.ts';
import { answerError } from '../http/answer-error.ts';
import type { AppEnv } from '../http/methods.ts';
import { liveRoute, readyRoute } from './health-routes.ts';

/** What an operator's tools ask, on a port that is not public. */
export function createMetricsApp(
  service: Pick<ServiceContext, 'db' | 'log' | 'machine' | 'queue' | 'storage'>,
  metrics: Metrics,
  installation: InstallationMetrics,
): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.onError(answerError(service.log));
  liveRoute(app);
  readyRoute(app, service);
  for (const [path, source] of [
    ['/metrics', metrics],
    ['/metrics/installation', installation],
  ] as const) {
    app.get(path, async (c) =>
      c.body(await source.text(), 200, { 'Content-Type': source.contentType }),
    );
  }
  return app;
}
