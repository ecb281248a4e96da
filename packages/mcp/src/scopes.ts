import * as z from 'zod';

/** The scopes of a person's token. */
export const scopes = ['clips:read', 'clips:change', 'clips:export', 'clips:share'] as const;

export type Scope = (typeof scopes)[number];

/** The tools that change nothing. Any other tool needs more, also one that is new. */
const readingTools = [
  ...['check_export', 'download_clip', 'list_clips', 'list_media', 'list_videos', 'read_edit'],
  ...['list_share_links', 'wait_for_export', 'wait_for_video'],
];

/** The tools that open clips to anyone, or close them again. */
const sharingTools = ['create_share_link', 'revoke_share_link'];

const callSchema = z.object({
  name: z.string(),
  arguments: z.looseObject({ export_when_ready: z.unknown().optional() }).default({}),
});

/** Returns the scopes that the messages of a request need: all for a call that cannot be read. */
export const listNeededScopes = (body: unknown): Scope[] => [
  'clips:read',
  ...([body].flat() as ({ method?: unknown; params?: unknown } | null)[]).flatMap((message) => {
    if (message?.method !== 'tools/call') return [];
    const { data } = callSchema.safeParse(message.params);
    if (data?.name === 'export_clip') return ['clips:export' as const];
    if (data && sharingTools.includes(data.name)) return ['clips:share' as const];
    if (data && readingTools.includes(data.name)) return [];
    const isCounted = !data || data.arguments.export_when_ready !== undefined;
    return ['clips:change' as const, ...(isCounted ? ['clips:export' as const] : [])];
  }),
];
