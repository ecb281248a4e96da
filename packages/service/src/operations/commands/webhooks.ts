import { randomBytes } from 'node:crypto';
import { isRemoteUrl } from 'clip-engine';
import {
  listFailedDeliveries,
  listWebhooks,
  readWebhook,
  sendAgain,
  writeWebhook,
} from '../../webhooks/queries.ts';
import { type Command, CommandError, organizationOf, UsageError } from './command.ts';

export const webhooks: Command = {
  forms: [
    ['webhooks', 'lists receivers, and how they do'],
    ['webhooks set ORGANIZATION URL [--keep-secret]', 'sets one, and shows its new secret once'],
    ['webhooks remove ORGANIZATION', 'sends nothing there any more'],
    ['webhooks failed [ORGANIZATION]', 'lists deliveries that were given up'],
    ['webhooks resend DELIVERY…', 'sends these again, with all of their tries'],
  ],
  options: { 'keep-secret': { type: 'boolean' } },
  async run(db, { words: [verb, ...words], options }) {
    const [word, url] = words;
    if (verb === undefined) return listWebhooks(db);
    if (verb === 'resend' && words.length > 0) {
      const rows = [];
      for (const delivery of words) rows.push({ delivery, resent: await sendAgain(db, delivery) });
      return rows;
    }
    if (words.length > (verb === 'set' ? 2 : 1)) throw new UsageError();
    if (verb === 'failed') return listFailedDeliveries(db, await organizationOf(db, word));
    if (word === undefined) throw new UsageError();
    const organizationId = await organizationOf(db, word);
    const made = { organizationId, origin: 'made' } as const;
    if (verb === 'remove') {
      await writeWebhook(db, null, made);
      return `Organization ${organizationId} has no webhook now.`;
    }
    if (verb !== 'set' || url === undefined) throw new UsageError();
    if (!isRemoteUrl(url)) {
      throw new CommandError(
        'URL must be an https address (http only in the own network) without user name, query or fragment.',
      );
    }
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const [last] = options['keep-secret']
      ? ((await readWebhook(db, organizationId))?.secrets ?? [])
      : [];
    await writeWebhook(db, { url, secrets: last === undefined ? [secret] : [secret, last] }, made);
    return [{ organization: organizationId, url, secret }];
  },
};
