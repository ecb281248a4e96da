import type { IncomingMessage } from 'node:http';
import type { BlockList } from 'node:net';
import { createClipHost, type ClipHost, type HostLogEntry } from 'clip-host';
import type { Context, Hono } from 'hono';
import { findFirstOrganizationId, findOrganizationOwner } from '../users/queries.ts';
import { findHostSite, hostStore, type HostSite } from '../users/host-queries.ts';
import type { Log } from '../config/config.ts';
import { isId } from '../db/id.ts';
import type { Db } from '../db/schema.ts';
import type { CollectedViews } from '../views/collected.ts';
import { getClientAddress } from './client-address.ts';
import { actsFor, type AppEnv } from './methods.ts';
import { ApiError } from '../api-error.ts';

/** The time for which the secrets of an organization are believed. */
const believedMs = 10_000;

interface OpenHost {
  /** The JSON of its {@link HostSite}. */
  readonly site: string;
  readonly host: ClipHost;
  believedUntil: number;
}

interface Dependencies {
  closing: AbortSignal;
  db: Db;
  /** The sites that use the host of the first organization; null if there are none. */
  hostSite: HostSite | null;
  log: Log;
  /** The proxies in front of the service, which say who sends a request. */
  proxies: BlockList;
  publicUrl: () => string;
  views: CollectedViews;
}

/** Starts the host of an organization, which calls the API in this process, without HTTP. */
function startHost(
  app: Hono<AppEnv>,
  { db, log, views, publicUrl }: Dependencies,
  basePath: string,
  organizationId: string,
  site: HostSite,
): ClipHost {
  const base = publicUrl();
  return createClipHost({
    sessions: { secrets: site.secrets },
    origins: site.origins,
    basePath: new URL(base).pathname.replace(/\/$/, '') + basePath,
    store: hostStore(db, organizationId),
    service: {
      baseUrl: `${base}/v2`,
      // Not needed inside, and not known to anyone.
      apiKey: 'inside',
      async fetch(input, init) {
        const request = new Request(input, init);
        // The file of an export may be in a bucket.
        if (!request.url.startsWith(`${base}/`)) return fetch(request);
        const owner = await findOrganizationOwner(db, organizationId);
        // A path of the public address is a proxy's, which takes it away.
        const inside = new URL(request.url.slice(base.length), 'http://localhost');
        return app.fetch(new Request(inside, request), owner && { [actsFor]: owner });
      },
    },
    onViews: (batch) => views.add(organizationId, batch),
    log: ({ event, level, message, code }: HostLogEntry) => {
      // The service logs each request itself.
      if (event !== 'request') log({ event: `host-${event}`, level, message, code });
    },
  });
}

/** Returns the request as browsers send it, behind whatever proxy. */
function restorePublicRequest(c: Context<AppEnv>, publicUrl: string): Request {
  const { method, headers, body, signal } = c.req.raw;
  const { pathname, search } = new URL(c.req.url);
  const prefix = new URL(publicUrl).pathname.replace(/\/$/, '');
  const url = new URL(prefix + pathname + search, publicUrl);
  return new Request(url, { method, headers, body, signal, ...(body && { duplex: 'half' }) });
}

/**
 * `/host` is the host of the first organization, with the secrets of the environment, and
 * `/host/{organization_id}` that of an organization with secrets of its own.
 */
export function hostRoutes(app: Hono<AppEnv>, service: Dependencies): void {
  const open = new Map<string, OpenHost>();
  service.closing.addEventListener('abort', () => {
    for (const { host } of open.values()) void host.close();
  });

  async function findHost(basePath: string, organizationId: string | null) {
    const known = open.get(basePath);
    if (known && Date.now() < known.believedUntil) return known.host;
    const id = organizationId ?? (await findFirstOrganizationId(service.db));
    if (id === undefined) return null;
    const site = organizationId === null ? service.hostSite : await findHostSite(service.db, id);
    if (!site?.secrets.length) {
      open.delete(basePath);
      return null;
    }
    const text = JSON.stringify(site);
    const host = known?.site === text ? known.host : startHost(app, service, basePath, id, site);
    open.set(basePath, { site: text, host, believedUntil: Date.now() + believedMs });
    return host;
  }

  app.all('/host/*', async (c) => {
    const [, , segment = ''] = c.req.path.split('/');
    const organizationId = isId(segment) ? segment : null;
    const basePath = organizationId === null ? '/host' : `/host/${organizationId}`;
    const host = await findHost(basePath, organizationId);
    if (!host) {
      throw new ApiError(
        'not-found',
        organizationId === null
          ? 'The host is not set up: set HOST_SECRETS and HOST_ORIGINS.'
          : 'The host of this organization is not set up: clip-service host-secrets create.',
      );
    }
    const { incoming } = c.env as { incoming?: IncomingMessage };
    const forwardedFor = c.req.header('x-forwarded-for');
    const connection = incoming?.socket.remoteAddress;
    return host(restorePublicRequest(c, service.publicUrl()), {
      clientAddress: getClientAddress(connection, forwardedFor, service.proxies),
    });
  });
}
