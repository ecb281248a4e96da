import { tables } from './0001-tables.ts';
import { filesToRemove } from './0002-files-to-remove.ts';
import { deliveriesByTime } from './0003-deliveries-by-time.ts';
import { tellClips } from './0004-tell-clips.ts';
import { sourceUses } from './0005-source-uses.ts';
import { edits } from './0006-edits.ts';
import { films } from './0007-films.ts';
import { uploads } from './0008-uploads.ts';
import { host } from './0009-host.ts';
import { standardTerms } from './0010-standard-terms.ts';
import { steering } from './0011-steering.ts';
import { furtherClips } from './0012-further-clips.ts';
import { webhookOutages } from './0013-webhook-outages.ts';
import { releases } from './0014-releases.ts';
import { tellRemovedFiles } from './0015-tell-removed-files.ts';
import { views } from './0016-views.ts';
import { appearance } from './0017-appearance.ts';
import { privateClips } from './0018-private-clips.ts';
import { postTexts } from './0019-post-texts.ts';
import { previewStreams } from './0020-preview-streams.ts';

/** All migrations, in their order. */
export const migrations = {
  '0001-tables': tables,
  '0002-files-to-remove': filesToRemove,
  '0003-deliveries-by-time': deliveriesByTime,
  '0004-tell-clips': tellClips,
  '0005-source-uses': sourceUses,
  '0006-edits': edits,
  '0007-films': films,
  '0008-uploads': uploads,
  '0009-host': host,
  '0010-standard-terms': standardTerms,
  '0011-steering': steering,
  '0012-further-clips': furtherClips,
  '0013-webhook-outages': webhookOutages,
  '0014-releases': releases,
  '0015-tell-removed-files': tellRemovedFiles,
  '0016-views': views,
  '0017-appearance': appearance,
  '0018-private-clips': privateClips,
  '0019-post-texts': postTexts,
  '0020-preview-streams': previewStreams,
};

/** How the last version before the first release named what is one migration now. */
export const beforeRelease = [
  ...['0001-start', '0002-export-style', '0003-notes', '0004-work', '0005-attempts', '0006-edit'],
  ...['0007-preview-jobs', '0008-turns', '0009-stretches', '0012-changes', '0013-limits'],
  ...['0016-tell-source', '0020-webhooks', '0021-deletion', '0022-idempotency-keys'],
  '0023-export-counts',
];
