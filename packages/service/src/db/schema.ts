import type {
  Analysis,
  EditInputs,
  Edit,
  PictureStrip,
  IngestedSource,
  FramingAnalysis,
  MutedWords,
  SoundWave,
  Span,
  SourceSegment,
  Style,
} from 'clip-engine';
import type {
  EditChanges,
  Metadata,
  Note,
  Status,
  TaskType,
  VideoToShortsRequest,
  VideoToVideoRequest,
  Watermark,
  PingEvent,
  WebhookEvent,
} from 'clip-kit/contract';
import type {
  ColumnType,
  Generated,
  GeneratedAlways,
  Kysely,
  Selectable,
  Transaction,
} from 'kysely';

/** The appearance that an organization wants for its pages, as the API takes it. */
export interface AppearanceValue {
  color_scheme?: 'light' | 'dark' | 'light dark' | undefined;
  accent?: string | undefined;
  on_accent?: string | undefined;
  surface?: string | undefined;
  text?: string | undefined;
  radius?: number | undefined;
  font?: string[] | undefined;
  logo_url?: string | undefined;
}

/** A JSON column: read as the value, written as its text. */
type Json<T> = ColumnType<T, string, string>;
type JsonOrNull<T> = ColumnType<T | null, string | null, string | null>;

interface OrganizationTable {
  id: string;
  name: string;
  /** `free`: every export counts. `paid`: a clip counts once, however often it is exported. */
  plan: 'free' | 'paid';
  /** Exports (or clips) that the plan allows; null: no limit. */
  export_allowance: number | null;
  state: 'active' | 'paused' | 'past_due';
  /** The number of turns that its users get where others get one. */
  queue_weight: Generated<number>;
  /** Whether its clips need signed addresses; null: as the installation has it. */
  private_clips: boolean | null;
  /** Words that are not heard in its clips; null: it has no list. */
  muted_words: ColumnType<MutedWords | null, string | null | undefined, string | null>;
  created_at: Generated<Date>;
}

interface UserTable {
  id: string;
  organization_id: string;
  email: string;
  is_guest: boolean;
  created_at: Generated<Date>;
}

interface ApiKeyTable {
  id: string;
  organization_id: string;
  /** SHA-256 of the key, hexadecimal. */
  hash: string;
  origin: 'environment' | 'made';
  created_at: Generated<Date>;
}

/** An ingested source with storage keys in the place of paths. */
export interface StoredSource extends Omit<IngestedSource, 'path' | 'transcriptPath'> {
  key: string;
  transcriptKey: string | null;
}

/** A clip's own piece of the source. */
export interface StoredSegment extends SourceSegment {
  key: string;
}

export type TaskRequest = (
  | ({ type: 'video-to-shorts' } & VideoToShortsRequest)
  | ({ type: 'video-to-video' } & VideoToVideoRequest)
) & {
  /** The task whose stored source is used. */
  source_task_id?: string;
  /** The clips are further ones: the analysis of that task is used too. */
  further?: true;
  /** The request names a number of clips. */
  asks_count?: boolean;
};

/** Words that a task with clips is to get. */
export interface AskedWords {
  /** No other words of the task have the same. */
  round: number;
  subtitles_url?: string | undefined;
  language?: string | undefined;
  /** The key of the subtitles; null: speech is recognised. Missing until they are fetched. */
  transcriptKey?: string | null;
}

/** The part of a row that an attempt changes. */
interface Attempted {
  /** The number of jobs that have begun on the row, which is the number of the last attempt. */
  attempts: Generated<number>;
  /**
   * Attempts that do not count towards the limit: the service was stopped in an orderly way, or the
   * attempt has done its part of the work.
   */
  uncounted_attempts: Generated<number>;
  /** Attempts that a machine has released because it could not do them: those do not count. */
  releases: Generated<number>;
  /** Rows of lower turns are worked on first. */
  turn: Generated<number>;
}

/** The part of a row that a job works on. */
interface Worked extends Attempted {
  status: Status;
  stage: string;
  share: number;
  failure_code: string | null;
  failure_message: string | null;
  /** Parts of the request that could not be carried out; null: none yet. */
  notes: JsonOrNull<Note[]>;
  created_at: Generated<Date>;
  finished_at: Date | null;
}

/** The known facts of a task's stage beside its share. */
export interface StageDetail {
  /** Downloaded bytes of the speech model. */
  bytes?: number;
  totalBytes?: number;
  /** When the speech will be recognised. */
  endsAt?: string;
}

export interface TaskTable extends Worked {
  id: string;
  type: TaskType;
  /** The details of `stage`; null: none. */
  stage_detail: JsonOrNull<StageDetail>;
  author_id: string;
  request: Json<TaskRequest>;
  output_type: 'folder' | 'project';
  output_id: string;
  source: JsonOrNull<StoredSource>;
  /** The picture of the source; null until the source is here, and if it has none. */
  picture_key: string | null;
  /** The length of the source. Null until it is here; it stays when the source is removed. */
  source_seconds: number | null;
  /** Whether all its clips are chosen. */
  scanned: Generated<boolean>;
  /** Null unless its clips are being made again with these. */
  words: JsonOrNull<AskedWords>;
  /** State of the exports that it has asked for; null: it has not. */
  ready_exports: 'asked' | 'chosen' | 'started' | 'done' | null;
  /** Texts of the request. */
  metadata: GeneratedAlways<Metadata | null>;
}

interface FolderTable {
  id: string;
  author_id: string;
  task_id: string;
  name: string;
  created_at: Generated<Date>;
}

/** A preview that is being rendered, as a fragmented MP4. */
export interface StoredStream {
  /** The attempt whose encode it is: segments of another one do not fit. */
  attempt: number;
  /** Storage keys: the initialization segment, then the media segments. */
  keys: string[];
  isComplete: boolean;
}

export interface ProjectTable extends Attempted {
  id: string;
  author_id: string;
  task_id: string;
  folder_id: string | null;
  /** Place in the folder's list, from 0. */
  position: number;
  name: string;
  virality_score: number | null;
  virality_score_explanation: string | null;
  /** The requested topic that the clip is about; null if none was requested. */
  topic: string | null;
  /** Up to three, as they were made. */
  titles: JsonOrNull<string[]>;
  description: string | null;
  tags: JsonOrNull<string[]>;
  /** The name before a person changed the title; null if it was not changed. */
  made_name: string | null;
  edit: Json<Edit>;
  preview: 'preparing' | 'ready' | 'failed';
  /** The state of `preview`, in the words of the other rows that are worked on. */
  status: GeneratedAlways<Status>;
  stage: Generated<string>;
  share: Generated<number>;
  /** The analysis and the preview, in processor seconds of a plain machine. */
  work: Generated<number>;
  /** Null: the clip is rendered from the source. */
  segment: JsonOrNull<StoredSegment>;
  /** Whether a worker has begun its analysis while rendering another clip. */
  analysed_ahead: Generated<boolean>;
  preview_key: string | null;
  poster_key: string | null;
  /**
   * The stream of the first preview, if it was waited for. The files last a little longer than the
   * render.
   */
  preview_stream: JsonOrNull<StoredStream>;
  /** Small pictures of the preview. Null until it is ready. */
  storyboard: ColumnType<StoredStoryboard | null, string | undefined, string>;
  notes: JsonOrNull<Note[]>;
  created_at: Generated<Date>;
  /** The revision of `edit`: 1 as it was made, and one more with each change. */
  revision: Generated<number>;
  /** When `edit` was last changed; null if it was not. */
  edited_at: Date | null;
  /** The earliest time to make the preview: the user may still be editing. */
  preview_due_at: Date | null;
}

/**
 * The inputs from which a clip's edit is made, and made again. Beside the clip, as they are large.
 */
interface EditTable {
  project_id: string;
  inputs: Json<EditInputs>;
  /** Null until the clip's pictures are analysed. */
  analysis: JsonOrNull<FramingAnalysis>;
  changes: ColumnType<EditChanges, string | undefined, string>;
}

/** The results of the analysis of a task's source. */
interface AnalysisTable {
  task_id: string;
  analysis: Json<Analysis>;
}

/** The earlier changes, as of each revision but the clip's own. */
interface EditRevisionTable {
  project_id: string;
  revision: number;
  changes: Json<EditChanges>;
  created_at: Date;
}

/** A storyboard with its storage key. */
export interface StoredStoryboard extends PictureStrip {
  key: string;
}

/** The parts of the source that the editor shows, with storage keys. */
export interface StoredProxy {
  videoKey: string;
  stripKey: string;
  strip: PictureStrip;
  wave: SoundWave;
}

/** The proxy of a clip, whose id it has. */
export interface ProxyTable extends Worked {
  id: string;
  author_id: string;
  /** The part of the source that it shows. */
  span: Json<Span>;
  /** Null until it is ready. */
  made: JsonOrNull<StoredProxy>;
}

export interface ExportTable extends Worked {
  id: string;
  organization_id: string;
  author_id: string;
  project_id: string;
  folder_id: string | null;
  name: string;
  /** Seconds of video, with intro and outro. */
  duration: number;
  watermark: JsonOrNull<Watermark & { key: string }>;
  /** Null: the style of the clip's own edit. */
  style: JsonOrNull<Style>;
  /** The clip's, as it was when the export was started. */
  edit: Json<Edit>;
  /** The revision of the edit. */
  revision: Generated<number>;
  file_key: string | null;
  /** Null: the clip has no chosen cover, or it is not ready. */
  cover_key: string | null;
  /** The clip's, for a post. */
  description: string | null;
  tags: JsonOrNull<string[]>;
  /** The render, in processor seconds of a plain machine (the engine's `renderWork`). */
  work: Generated<number>;
  /** Whether the clip will be copied, as far as is known beforehand. */
  copied: Generated<boolean>;
  started_at: Date | null;
  /** When `share` was true; null before the first. */
  share_at: Date | null;
  /** The time that was estimated when the export was started. */
  estimated_ready_at: Date;
}

interface WebhookTable {
  id: string;
  organization_id: string;
  url: string;
  /** The types of events that it gets; `*` stands for all. */
  events: Generated<string[]>;
  enabled: Generated<boolean>;
  description: Generated<string>;
  /** Not hashed: they sign. The newest first. */
  secrets: string[];
  /** When only the first secret signs; null: all do. */
  previous_secret_until: Date | null;
  /** Outages since the last try that was accepted: tries at the same time count once. */
  failures: Generated<number>;
  /** When the last of them was noted. */
  failed_at: Date | null;
  /** The receiver gets nothing until then; null: it gets all. */
  resting_until: Date | null;
  /** Set by the operator, or by the organization with the API; `task`: for addresses of tasks. */
  origin: 'environment' | 'made' | 'api' | 'task';
  created_at: Generated<Date>;
}

interface WebhookDeliveryTable {
  /** The message's id. */
  id: string;
  organization_id: string;
  webhook_id: string;
  /** The address that a task names; null: it goes to the webhook's. */
  task_url: string | null;
  type: (WebhookEvent | PingEvent)['type'];
  /** The id of the task, the export, or the webhook that is tested. */
  row_id: string;
  status: 'waiting' | 'delivered' | 'failed';
  attempts: Generated<number>;
  /** When it is sent next, if it still waits. */
  next_try_at: Generated<Date>;
  /** The status of the last answer; null if there was none. */
  response_status: number | null;
  /** Why the last try failed; null if it did not. */
  problem: string | null;
  created_at: Generated<Date>;
  finished_at: Date | null;
}

/** The clips that were exported once or more, also those that have been deleted since. */
interface ExportedClipsTable {
  organization_id: string;
  project_id: string;
}

interface ExportCountsTable {
  organization_id: string;
  /** Exports that were ever started: also those that failed or have been deleted. */
  exports: number;
  /** The number of the organization's rows in `exported_clips`. */
  clips: number;
}

interface IdempotencyKeyTable {
  user_id: string;
  key: string;
  /** SHA-256 of the request, hexadecimal. */
  request_hash: string;
  /** The task, export or user that was made. */
  made_id: string;
  created_at: Generated<Date>;
}

interface ShareTable {
  id: string;
  author_id: string;
  /** Null for a folder, which is null for a clip. */
  project_id: string | null;
  folder_id: string | null;
  /** SHA-256 of the key in its address, hexadecimal. */
  hash: string;
  download: boolean;
  expires_at: Date | null;
  revoked_at: Date | null;
  created_at: Generated<Date>;
}

/** A file that a user sends, or has sent. */
interface UploadTable {
  /** Unguessable: it is all that a client needs to send the bytes. */
  id: string;
  author_id: string;
  name: string;
  kind: 'video' | 'subtitles';
  /** Bytes of the whole file. */
  size: number;
  sha256: string | null;
  file_key: string;
  /** Bytes that have arrived, as of the last answer. */
  received: Generated<number>;
  /** In a bucket: the multipart upload that its parts belong to. */
  multipart_id: string | null;
  /** In a bucket: what has arrived after the last part. */
  tail_key: string | null;
  /** The process that writes to the upload, with the end of its lease. */
  holder: string | null;
  held_until: Date | null;
  /** Whether another client waits for the lock. */
  wanted: Generated<boolean>;
  created_at: Generated<Date>;
  /** The time when the upload is removed, unless a task has taken it. */
  expires_at: Date;
  /** When all bytes had arrived as a usable file. The upload is final from then on. */
  finished_at: Date | null;
}

interface UploadPartTable {
  upload_id: string;
  number: number;
  etag: string;
  bytes: number;
}

/** Which tasks have taken an upload, and for what. */
interface UploadUseTable {
  task_id: string;
  field: UploadField;
  upload_id: string;
}

/** The field of a task's request that may name an upload. */
export type UploadField = 'source_video_url' | 'subtitles_url';

interface SettingTable {
  name: string;
  value: Json<unknown>;
}

interface HostSiteTable {
  organization_id: string;
  secrets: Json<readonly string[]>;
  origins: Json<readonly string[]>;
}

interface AppearanceTable {
  organization_id: string;
  value: Json<AppearanceValue>;
}

interface StylePresetTable {
  organization_id: string;
  id: string;
  name: string;
  description: string;
  style: Json<Style>;
  created_at: Generated<Date>;
}

interface FontTable {
  id: string;
  organization_id: string;
  /** The name in the file itself. */
  family: string;
  weight: 'regular' | 'bold';
  bytes: number;
  file_key: string;
  created_at: Generated<Date>;
  /** From then on nothing new is set in it. */
  deleted_at: Generated<Date | null>;
}

/** Files of an organization that clips play. */
interface MediaTable {
  id: string;
  organization_id: string;
  kind: 'music' | 'bumper';
  name: string;
  seconds: number;
  bytes: number;
  file_key: string;
  created_at: Generated<Date>;
  /** From then on no clip can choose it. */
  deleted_at: Generated<Date | null>;
}

export interface Database {
  appearances: AppearanceTable;
  style_presets: StylePresetTable;
  fonts: FontTable;
  media: MediaTable;
  organizations: OrganizationTable;
  users: UserTable;
  api_keys: ApiKeyTable;
  tasks: TaskTable;
  folders: FolderTable;
  projects: ProjectTable;
  analyses: AnalysisTable;
  edits: EditTable;
  edit_revisions: EditRevisionTable;
  proxies: ProxyTable;
  exports: ExportTable;
  webhooks: WebhookTable;
  webhook_deliveries: WebhookDeliveryTable;
  exported_clips: ExportedClipsTable;
  export_counts: ExportCountsTable;
  idempotency_keys: IdempotencyKeyTable;
  share_links: ShareTable;
  uploads: UploadTable;
  upload_parts: UploadPartTable;
  upload_uses: UploadUseTable;
  settings: SettingTable;
  host_sites: HostSiteTable;
}

export type Db = Kysely<Database>;
export type Trx = Transaction<Database>;

export type PlanRow = Pick<OrganizationTable, 'plan' | 'export_allowance' | 'state'>;
export type AppearanceRow = Selectable<AppearanceTable>;
export type FontRow = Selectable<FontTable>;
export type MediaRow = Selectable<MediaTable>;
export type UserRow = Selectable<UserTable>;
export type WebhookRow = Selectable<WebhookTable>;
export type DeliveryRow = Selectable<WebhookDeliveryTable>;
export type TaskRow = Selectable<TaskTable>;
export type ProjectRow = Selectable<ProjectTable>;
export type ProxyRow = Selectable<ProxyTable>;
export type ExportRow = Selectable<ExportTable>;
export type UploadRow = Selectable<UploadTable>;
export type ShareRow = Selectable<ShareTable>;
