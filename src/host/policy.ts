import { hostStartExportSchema, type HostStartExport } from '../contract/host.ts';
import { fieldErrors } from '../contract/problem.ts';
import type { WatermarkInput } from '../contract/watermark.ts';
import type { HostUser } from './host-user.ts';

/** What a user does: `read` stands for every look at exports, projects and tasks. */
export type HostAction = 'token' | 'export' | 'download' | 'task' | 'read';

/** What is asked of a policy. */
export interface HostAsk<User extends HostUser = HostUser> {
  readonly user: User;
  readonly action: HostAction;
  /** As the page named them, null where the call has none: not yet known to be the user's. */
  readonly projectId: string | null;
  readonly folderId: string | null;
  readonly request: Request;
}

/** How an export is made: a watermark or a preset, or neither; never both. */
export interface ExportOptions {
  readonly watermark?: WatermarkInput;
  readonly preset_id?: string;
}

/** May the user do this? False is answered 403. */
export type Authorize<User extends HostUser = HostUser> = (
  ask: HostAsk<User>,
) => boolean | Promise<boolean>;

/** What is sent to the service, whatever the page asked for: the place to force a watermark, or to choose a preset. */
export type ChooseExportOptions<User extends HostUser = HostUser> = (
  asked: ExportOptions,
  ask: HostAsk<User>,
) => ExportOptions | Promise<ExportOptions>;

/** The options as they go out. Throws a `TypeError` for such as the service would refuse. */
export const checkedOptions = (
  options: ExportOptions,
  body: HostStartExport,
): Pick<HostStartExport, 'watermark' | 'preset_id'> => {
  const checked = hostStartExportSchema.safeParse({ project_id: body.project_id, ...options });
  if (!checked.success) {
    const [first] = fieldErrors(checked.error);
    throw new TypeError(`exportOptions gave no good options: ${first?.path} ${first?.message}`);
  }
  const { watermark, preset_id } = checked.data;
  return { ...(watermark && { watermark }), ...(preset_id && { preset_id }) };
};
