import { openBucket } from '../../config/environment.ts';
import {
  listPrivateClips,
  replaceLinkKeys,
  setPrivateClips,
  settleLinkKeys,
} from '../../links/queries.ts';
import { createBucketFiles } from '../../storage/public-files.ts';
import { type Command, CommandError, chooseOrganization, CommandUsageError } from './command.ts';

const settings = new Map([
  ['on', true],
  ['off', false],
  ['default', null],
]);

export const privateClips: Command = {
  forms: [
    ['private-clips', 'lists the organizations, and whether their clips are private'],
    [
      'private-clips on|off|default [ORGANIZATION]',
      'sets whether clips need signed links; default means PRIVATE_CLIPS',
    ],
  ],
  async run(db, { words: [verb, word, ...more] }, { s3, privateClips: byDefault = false }) {
    if (more.length > 0) throw new CommandUsageError();
    if (verb === undefined) {
      return (await listPrivateClips(db)).map(({ private_clips, ...row }) => ({
        ...row,
        private: private_clips ?? byDefault,
        set: private_clips !== null,
      }));
    }
    const setting = settings.get(verb);
    if (setting === undefined) throw new CommandUsageError();
    if (setting && s3 && createBucketFiles(s3).direct) throw new CommandError(openBucket);
    const id = await chooseOrganization(db, word);
    await setPrivateClips(db, id, setting);
    return (setting ?? byDefault)
      ? `The clips of organization ${id} are private now. Links without a signature no longer work.`
      : `The clips of organization ${id} are public now, to everyone with their addresses.`;
  },
};

export const linkKeys: Command = {
  forms: [
    ['link-keys', 'shows the two keys with which a CDN checks signed addresses'],
    ['link-keys replace', 'signs with the next key; existing links stay valid'],
    [
      'link-keys replace --now',
      'replaces both, and revokes all links, for example if a key has leaked',
    ],
  ],
  options: { now: { type: 'boolean' } },
  async run(db, { words: [verb, ...more], options }) {
    const now = options['now'] === true;
    if (more.length > 0 || (verb === undefined && now)) throw new CommandUsageError();
    if (verb !== undefined && verb !== 'replace') throw new CommandUsageError();
    if (verb === 'replace') await replaceLinkKeys(db, { now });
    const { current, next, previous } = await settleLinkKeys(db);
    return [
      { key: current, use: 'signs' },
      { key: next, use: 'signs after the next replacement' },
      ...(previous ? [{ key: previous.key, use: 'has signed until the last replacement' }] : []),
    ];
  },
};
