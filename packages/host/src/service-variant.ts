import {
  HttpError,
  type ServiceCallOptions,
  type ServiceClient,
  type ServiceClip,
} from 'clip-kit/client';
import type { Export, StartedExport, StartOptions } from 'clip-kit/contract';
import { HostProblem } from './http/host-problem.ts';

/** The service does not know the clip at this address. Nothing was started or paid for. */
const isUnknownAddress = (cause: unknown): boolean =>
  cause instanceof HttpError &&
  (cause.status === 404 || (cause.status === 400 && !cause.problem?.errors?.length));

/** The service requires the `preset_id` of variant B. Nothing was started or paid for. */
const isPresetRequired = (cause: unknown): boolean =>
  cause instanceof HttpError &&
  (cause.status === 400 || cause.status === 422) &&
  !!cause.problem?.errors?.some(({ path }) => path === 'preset_id');

/** The number of exports that are read at first: those that are waited for are among the newest. */
const newestCount = 100;

/** The service refuses query parameters that the specification does not have. */
const isPagingRefused = (cause: unknown): boolean =>
  cause instanceof HttpError && (cause.status === 400 || cause.status === 422);

/**
 * The calls in which deployments differ (4.6, 4.7), in the form that this deployment needs. A start
 * is sent in another form only if the refusal proves that nothing was started.
 */
export class ServiceVariant {
  readonly #service: ServiceClient;
  /** Null until one form has worked. */
  #address: 'folder' | 'direct' | null = null;
  #folderBody: 'A' | 'B' | null = null;
  #pages = true;

  constructor(service: ServiceClient) {
    this.#service = service;
  }

  startExport(
    clip: ServiceClip,
    asked: StartOptions,
    call: ServiceCallOptions,
  ): Promise<StartedExport> {
    return this.#addressed(clip, (at) => this.#start(at, asked, call));
  }

  getExport(clip: ServiceClip, exportId: string, call: ServiceCallOptions): Promise<Export> {
    return this.#addressed(clip, (at) => this.#service.getExport(at, exportId, call));
  }

  /** The user's exports, or only the newest if these ids are among them. */
  async listExportsWith(ids: readonly string[], call: ServiceCallOptions): Promise<Export[]> {
    if (this.#pages) {
      try {
        const { exports, complete } = await this.#service.listNewestExports(newestCount, call);
        const found = new Set(exports.map(({ id }) => id));
        if (complete || ids.every((id) => found.has(id))) return exports;
      } catch (cause) {
        if (!isPagingRefused(cause)) throw cause;
        this.#pages = false;
      }
    }
    return this.#service.listExports({}, call);
  }

  async #addressed<T>(clip: ServiceClip, send: (at: ServiceClip) => Promise<T>): Promise<T> {
    if (!clip.folderId) return send(clip);
    const direct = { projectId: clip.projectId, folderId: null };
    if (this.#address) return send(this.#address === 'direct' ? direct : clip);
    try {
      const answer = await send(clip);
      this.#address = 'folder';
      return answer;
    } catch (cause) {
      if (!isUnknownAddress(cause)) throw cause;
      const answer = await send(direct).catch((other: unknown) => {
        // If neither address is known, report the first error; otherwise the second one matters.
        throw isUnknownAddress(other) ? cause : other;
      });
      this.#address = 'direct';
      return answer;
    }
  }

  async #start(
    clip: ServiceClip,
    { watermark, preset_id }: StartOptions,
    call: ServiceCallOptions,
  ) {
    if (preset_id !== undefined) return this.#service.startExport(clip, { preset_id }, call);
    if (!clip.folderId || this.#folderBody !== 'B') {
      try {
        const started = await this.#service.startExport(clip, { watermark }, call);
        if (clip.folderId) this.#folderBody ??= 'A';
        return started;
      } catch (cause) {
        if (!clip.folderId || this.#folderBody || !isPresetRequired(cause)) throw cause;
        this.#folderBody = 'B';
      }
    }
    const path = watermark ? 'watermark' : 'preset_id';
    const detail = watermark
      ? 'For clips in a folder, the clip service accepts a preset and no watermark.'
      : 'For clips in a folder, the clip service needs a preset. Set one with preset-id, or with exportOptions of the host.';
    throw new HostProblem('unprocessable', { detail, errors: [{ path, message: detail }] });
  }
}
