import { getTaskState } from 'clip-kit/contract';
import { PaidStarts } from './paid-starts/paid-starts.ts';
import { ExportWatch } from './exports/export-watch.ts';
import { HeldReads, Holds } from './holds.ts';
import type { HostSettings } from './options.ts';
import { RateLimit } from './rate-limit.ts';
import type { RouteContext } from './routes/route-context.ts';
import { createViewsRoute } from './routes/views.ts';
import { createWebhookRoute } from './routes/webhook.ts';
import { ServiceVariant } from './service-variant.ts';
import { HostRecords } from './stores/records.ts';
import { describePage, isMovingPage, TaskList, type TaskPageQuery } from './tasks/task-list.ts';
import { AccessTokens, createTokenCall } from './users/access-tokens.ts';
import { ManagedUsers } from './users/managed-users.ts';

export type HostParts = ReturnType<typeof createParts>;

/** Creates what all requests of a host share. */
export function createParts(settings: HostSettings, closing: AbortSignal) {
  const { service, store, now } = settings;
  const records = new HostRecords(store, now);
  const users = createUsers(settings, records);
  const context = {
    ...{ service, records, now, users },
    variant: new ServiceVariant(service),
    taskList: new TaskList({ service, records, now }),
    tokens: new AccessTokens(users, now),
    starts: new PaidStarts(users, records, now),
    exportOptions: settings.exportOptions,
    mayWatch: settings.mayWatch,
    mayShare: settings.mayShare,
    grants: settings.grants,
  };
  const holds = new Holds();
  const limit = new RateLimit(now);
  const createWatches = (signal: AbortSignal) => makeWatches(context, holds, signal);
  const watches = createWatches(closing);
  const views = createViewsRoute({
    onViews: settings.onViews,
    secret: settings.visitorSecret,
    now,
    take: (visitor) => limit.spend(`visitor ${visitor}`, 'request'),
  });
  return {
    context,
    limit,
    watches,
    createWatches,
    views,
    webhook: createWebhook(settings, watches),
  };
}

function createUsers(
  { service, now, log, ...options }: HostSettings,
  records: HostRecords,
): ManagedUsers {
  return new ManagedUsers(service, records, {
    now,
    createToken: createTokenCall(service, {
      permissions: options.tokenPermissions,
      hasPolicies: Boolean(options.authorize ?? options.exportOptions ?? options.audit),
    }),
    replaced: (from, to) =>
      log({
        level: 'warn',
        event: 'user-replaced',
        message: `the service says that it has no user ${from}; ${to} was created instead, without its clips`,
      }),
  });
}

type Watches = ReturnType<typeof makeWatches>;

/** The parts that hold requests until something changes. */
function makeWatches(
  context: Pick<RouteContext, 'service' | 'variant' | 'taskList' | 'now'>,
  holds: Holds,
  signal: AbortSignal,
) {
  const { service, variant, taskList, now } = context;
  return {
    watch: new ExportWatch(
      (onBehalfOf, ids) => variant.listExportsWith(ids, { onBehalfOf }),
      now,
      holds,
      signal,
    ),
    taskWatch: new HeldReads(
      {
        read: (onBehalfOf, id) => service.getTask(id, { onBehalfOf }),
        stateOf: getTaskState,
        isMoving: ({ status }) => status === 'processing',
      },
      holds,
      signal,
    ),
    taskListWatch: new HeldReads(
      {
        read: (managedUser, query) =>
          taskList.read(managedUser, JSON.parse(query) as TaskPageQuery),
        stateOf: describePage,
        isMoving: isMovingPage,
      },
      holds,
      signal,
    ),
  };
}

/** Returns the route of the service's notices; null for a host without their secrets. */
const createWebhook = ({ webhookSecrets, now }: HostSettings, { watch, taskWatch }: Watches) =>
  webhookSecrets?.length
    ? createWebhookRoute(webhookSecrets, now, (event) =>
        'output_id' in event.data
          ? taskWatch.notify(event.data.id, event.data)
          : watch.notify(event.data),
      )
    : null;
