import type { ServiceCallOptions, ServiceClient, ServiceClip } from 'clip-kit/client';
import type { Export, HostStartExport, StartOptions } from 'clip-kit/contract';
import { type StartSearch, type PaidCall, startWindowMs } from '../paid-starts/paid-starts.ts';
import type { ServiceVariant } from '../service-variant.ts';
import type { PaidStart, HostRecords } from '../stores/records.ts';

/** Maximum expected difference between the service's clock and ours. */
const clockToleranceMs = 60_000;

interface Parts {
  readonly service: ServiceClient;
  readonly variant: ServiceVariant;
  readonly records: HostRecords;
  readonly now: () => number;
}

/** The request of a page as one canonical string, independent of the order of its fields. */
const canonicalizeRequest = (body: HostStartExport): string =>
  JSON.stringify([
    body.project_id,
    body.folder_id ?? null,
    body.preset_id ?? null,
    body.watermark
      ? [body.watermark.src_url, body.watermark.pos_x, body.watermark.pos_y, body.watermark.scale]
      : null,
  ]);

/**
 * Whether a stored request belongs to a task: a task's request is an object, an export's an array.
 */
const isTask = (stored: string): boolean => stored.startsWith('{');

/** The parts of a stored request: the page's request, and whether a watermark was sent. */
function readRequest(stored: string) {
  const request = JSON.parse(stored) as [string, unknown, unknown, unknown, boolean];
  const [projectId, , , , watermarked] = request;
  return { asked: JSON.stringify(request.slice(0, 4)), projectId, watermarked };
}

/** The start of an export, and the search for the export of a stored attempt. */
export class ExportCall implements PaidCall<Export> {
  readonly subject = 'clip';
  readonly request: string;
  readonly #parts: Parts;
  readonly #clip: ServiceClip;
  readonly #options: StartOptions;

  /** `body`: the page's request, which identifies the attempt. `options`: the options to send. */
  constructor(parts: Parts, body: HostStartExport, options: StartOptions) {
    const asked = canonicalizeRequest(body);
    this.request = `${asked.slice(0, -1)},${options.watermark !== undefined}]`;
    this.#parts = parts;
    this.#clip = { projectId: body.project_id, folderId: body.folder_id ?? null };
    this.#options = options;
  }

  isSameRequest(stored: string): boolean {
    return !isTask(stored) && readRequest(stored).asked === readRequest(this.request).asked;
  }

  async send(call: ServiceCallOptions) {
    const { variant, now } = this.#parts;
    const sentAt = now();
    const started = await variant.startExport(this.#clip, this.#options, call);
    return {
      id: started.id,
      complete: async (): Promise<Export> => {
        if ('project_id' in started) return started;
        try {
          return await this.read(started.id, { onBehalfOf: call.onBehalfOf! });
        } catch {
          // The export is started and paid for, so a failed read must not fail the start.
          return {
            id: started.id,
            status: started.status,
            src_url: null,
            estimated_ready_at: started.estimatedReadyAt,
            project_id: started.projectId,
            created_at: new Date(sentAt).toISOString(),
            finished_at: null,
            name: '',
            author_id: call.onBehalfOf!,
            folder_id: this.#clip.folderId ?? null,
            descriptions: null,
            watermarked: this.#options.watermark !== undefined,
          };
        }
      },
    };
  }

  read(id: string, call: ServiceCallOptions): Promise<Export> {
    return this.#parts.variant.getExport(this.#clip, id, call);
  }

  async search(
    attempt: PaidStart,
    key: string | null,
    call: ServiceCallOptions,
  ): Promise<StartSearch<Export>> {
    const { service, records } = this.#parts;
    const { projectId } = this.#clip;
    const { exports, keepsKeys } = await service.findExports(key, { project_id: projectId }, call);
    if (keepsKeys) return { found: exports[0] ?? null, keepsKeys };
    const trace = makeTrace(attempt);
    // Read after the exports, so that no export is without its attempt.
    const others = (
      await records.listPaidStartsSince(attempt.hostUser, trace.fromMs - startWindowMs)
    ).filter((other) => other.key !== attempt.key);
    const attributed = new Set(others.flatMap(({ exportId }) => exportId ?? []));
    const rivals = others
      .filter(({ exportId, request }) => exportId === null && isRequestFor(projectId, request))
      .map(makeTrace);
    const fitting = findMatchingExports(
      exports.filter((item) => item.project_id === projectId),
      trace,
      attributed,
    );
    return { found: matchExport(fitting, trace, rivals), keepsKeys };
  }
}

/** Counts the exports that a user has started since a time, in milliseconds since 1970. */
export async function countExportsSince(
  records: HostRecords,
  hostUser: string,
  sinceMs: number,
): Promise<number> {
  const attempts = await records.listPaidStartsSince(hostUser, sinceMs);
  return attempts.filter(({ request }) => !isTask(request)).length;
}

const isRequestFor = (projectId: string, request: string): boolean =>
  !isTask(request) && readRequest(request).projectId === projectId;

const makeTrace = ({ startedAt, request }: PaidStart): StartTrace => ({
  fromMs: startedAt - clockToleranceMs,
  untilMs: startedAt + startWindowMs + clockToleranceMs,
  watermarked: readRequest(request).watermarked,
});

/** Conditions for an export to be the one that an attempt has started. */
export interface StartTrace {
  /** The first and the last moment at which the service can have created it, since 1970. */
  readonly fromMs: number;
  readonly untilMs: number;
  /** Whether a watermark was sent. */
  readonly watermarked: boolean;
}

const readCreatedMs = (item: Export): number => Date.parse(item.created_at);

/** Compares the options as far as the Export Object has them. */
function matchesTrace(item: Export, { fromMs, untilMs, watermarked }: StartTrace): boolean {
  const created = readCreatedMs(item);
  return (
    created >= fromMs &&
    created <= untilMs &&
    (item.watermarked === null || item.watermarked === watermarked)
  );
}

/**
 * Returns the exports that an attempt can have started, oldest first. `attributed`: exports of
 * other attempts.
 */
export const findMatchingExports = (
  exports: readonly Export[],
  trace: StartTrace,
  attributed: ReadonlySet<string>,
): Export[] =>
  exports
    .filter((item) => matchesTrace(item, trace) && !attributed.has(item.id))
    .toSorted((a, b) => readCreatedMs(a) - readCreatedMs(b));

/**
 * Which of the fitting exports the attempt has started; null if there is none, or if one of the
 * `rivals`, the other attempts for the same clip without a known export, may have started it.
 */
export function matchExport(
  fitting: readonly Export[],
  trace: StartTrace,
  rivals: readonly StartTrace[],
): Export | null {
  if (!fitting.length) return null;
  const owners = rivals.filter((rival) => fitting.some((item) => matchesTrace(item, rival)));
  if (!owners.length) return fitting[0]!;
  // If there are as many exports as attempts with the same options, each has started one.
  const alike = owners.every(
    ({ watermarked, fromMs }) => watermarked === trace.watermarked && fromMs !== trace.fromMs,
  );
  const earlier = owners.filter(({ fromMs }) => fromMs < trace.fromMs).length;
  return alike && fitting.length > owners.length ? fitting[earlier]! : null;
}
