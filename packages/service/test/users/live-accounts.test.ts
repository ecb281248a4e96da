import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Changes } from '../../src/operations/changes.ts';
import { createManagedUser, createOrganization } from '../../src/users/queries.ts';
import type { OpenDatabase } from '../../src/db/open.ts';
import { temporaryDatabase } from 'clip-testkit/prepared-database';
import { eventually } from 'clip-testkit/world';

describe('keys and users that are kept', () => {
  let database: OpenDatabase;
  before(async () => {
    database = await temporaryDatabase();
  });
  after(() => database?.close());

  it('are refused as soon as they are gone, and are read once until then', async () => {
    const { db } = database;
    const { id, apiKey } = await createOrganization(db, 'First');
    const user = await createManagedUser(db, id);
    const { accounts, ...rest } = await listening();
    const owner = await accounts.owner(apiKey);
    assert.equal(owner?.organization_id, id);
    // The same object: nothing was read.
    assert.equal(await accounts.owner(apiKey), owner);
    const managed = await accounts.managedUser(id, user.id);
    assert.equal(managed?.id, user.id);
    assert.equal(await accounts.managedUser(id, user.id), managed);
    assert.equal(await accounts.managedUser(owner!.id, user.id), undefined);
    await db.deleteFrom('api_keys').where('organization_id', '=', id).execute();
    await eventually(async () => assert.equal(await accounts.owner(apiKey), undefined));
    await db.deleteFrom('users').where('id', '=', user.id).execute();
    await eventually(async () => assert.equal(await accounts.managedUser(id, user.id), undefined));
    await rest.close();
  });

  it('are read each time while changes may be missed', async () => {
    const { db } = database;
    const { id, apiKey } = await createOrganization(db, 'Second');
    const { accounts } = new Changes(db);
    assert.ok(await accounts.owner(apiKey));
    await db.deleteFrom('api_keys').where('organization_id', '=', id).execute();
    assert.equal(await accounts.owner(apiKey), undefined);
  });

  it('are known at once when they are new', async () => {
    const { accounts, close } = await listening();
    assert.equal(await accounts.owner('ck_nobody-has-this-key'), undefined);
    const { apiKey } = await createOrganization(database.db, 'Third');
    assert.ok(await accounts.owner(apiKey));
    await close();
  });

  async function listening() {
    const changes = new Changes(database.db);
    let heard = false;
    const stop = database.listen({
      notify: (notice) => changes.notify(notice),
      listening(state) {
        changes.listening(state);
        heard = state;
      },
    });
    await eventually(() => assert.ok(heard));
    const close = async () => {
      await stop();
      changes.close();
    };
    return { accounts: changes.accounts, close };
  }
});
