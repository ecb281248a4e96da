import { type ClipLinks, clipLinksSchema, newLinksSchema } from 'clip-kit/contract';
import { hasWords } from 'clip-engine';
import type { Hono } from 'hono';
import { makeNoClipError } from '../api-error.ts';
import { findPlayable } from '../clips/queries.ts';
import type { Db } from '../db/schema.ts';
import { fit, readJsonObject } from './body.ts';
import { describeAnswer, describe } from './describe.ts';
import { answerJson } from './json.ts';
import { type AppEnv, addMethods } from './methods.ts';
import type { PublicFiles } from '../storage/public-files.ts';
import {
  makeClipAddress,
  makeClipFileAddress,
  usualLinkSeconds,
  type Links,
} from '../links/links.ts';

/**
 * `POST /projects/{id}/links`: addresses with which a clip can be watched, signed where clips are
 * private. Without `X-On-Behalf-Of` for any clip of the organization. Not in the specification.
 */
export function linkRoutes(
  app: Hono<AppEnv>,
  service: { db: Db; files: PublicFiles; links: Links; publicUrl: () => string },
): void {
  const { db, files, links } = service;
  addMethods(app, '/projects/:id/links', {
    POST: describe(
      describeAnswer(
        'The links of a clip, signed if clips are private',
        clipLinksSchema,
        ['clip-not-found'],
        {
          details:
            'Without `X-On-Behalf-Of`, for any clip of the organization. Links of public clips do not expire.',
          body: newLinksSchema,
        },
      ),
      async (c) => {
        const { expires_in: seconds = usualLinkSeconds } = fit(
          newLinksSchema,
          await readJsonObject(c),
        );
        const id = c.req.param('id') ?? '';
        const playable = await findPlayable(db, id);
        const [user, owner] = [c.get('user'), c.get('owner')];
        const isAllowed =
          user.id === owner.id
            ? playable?.organizationId === owner.organization_id
            : playable?.authorId === user.id;
        if (!playable || !isAllowed) throw makeNoClipError();
        const link = await links.signPrivate(playable.privateClips, id, seconds);
        const root = `${service.publicUrl()}/`;
        const { edit, posterKey, previewKey } = playable;
        const answer: ClipLinks = {
          player_url: `${root}player/${id}${link ? `?${link.query}` : ''}`,
          poster_url: posterKey && root + makeClipAddress(id, 'poster.jpg', link),
          video_url: previewKey && makeClipFileAddress(files, root, previewKey, { id, link }),
          captions_url:
            edit && hasWords(edit) ? root + makeClipAddress(id, 'captions.vtt', link) : null,
          expires_at: link && new Date(link.expires * 1000).toISOString(),
        };
        return answerJson(answer);
      },
    ),
  });
}
