import * as z from 'zod';
import { makeDataAnswer } from '../answer.ts';
import { addTool, makeIdSchema, reads, type Clips } from './tool.ts';

const id = makeIdSchema('The id of a clip, or of a folder for all clips of a video');

/** Links open clips to anyone: the server has these tools only where they are allowed. */
export function addShareTools({ server, service, call }: Clips): void {
  addTool(server, {
    name: 'create_share_link',
    title: 'Share a clip or all clips of a video',
    description:
      'Makes an address that shows the clip, or all clips of the folder, to ANYONE who has it, also private clips. Do it only if the person asked for it. Give the address to the person: it is shown once.',
    input: {
      id,
      expires_at: z.iso.datetime({ offset: true }).exactOptional(),
      download: z.boolean().default(false).describe('Whether viewers may download the file'),
    },
    annotations: { destructiveHint: true, idempotentHint: false, openWorldHint: true },
    async work({ id, ...asked }) {
      const share = await service.createShare(id, { ...call, ...asked });
      return makeDataAnswer('The link is there. revoke_share_link ends it.', { share });
    },
  });
  addTool(server, {
    name: 'list_share_links',
    title: 'List the share links of a clip or folder',
    description: 'The links with their ends, and which are revoked. Not their addresses.',
    input: { id },
    annotations: reads,
    async work({ id }, { signal }) {
      const shares = await service.listShares(id, { ...call, signal });
      return makeDataAnswer('The links:', { shares });
    },
  });
  addTool(server, {
    name: 'revoke_share_link',
    title: 'Revoke a share link',
    description: 'Ends a share link at once and for good.',
    input: { id, share_id: makeIdSchema('The id of the link') },
    annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
    async work({ id, share_id }) {
      await service.revokeShare(id, share_id, call);
      return makeDataAnswer('The link is revoked.', { id: share_id });
    },
  });
}
