import { sql, type Kysely } from 'kysely';

const renamedColumns = {
  tasks: [['releases', 'uncounted_attempts']],
  projects: [
    ['releases', 'uncounted_attempts'],
    ['stretch', 'segment'],
    ['looked_ahead', 'analysed_ahead'],
  ],
  exports: [['releases', 'uncounted_attempts']],
  proxies: [['releases', 'uncounted_attempts']],
  edits: [
    ['basis', 'inputs'],
    ['look', 'analysis'],
  ],
};

/** Fields of JSON documents, by table and column. */
const renamedFields = [
  ['projects', 'edit', 'unseen', 'needsAnalysis'],
  ['projects', 'edit', 'wanted', 'manualFraming'],
  ['exports', 'edit', 'unseen', 'needsAnalysis'],
  ['exports', 'edit', 'wanted', 'manualFraming'],
  ['edits', 'inputs', 'wish', 'options'],
];

const statements = [
  // Proxies are made again when an editor is opened. Segments stay under the keys that they have.
  `insert into files_to_remove (prefix) select 'films/' || id from films on conflict do nothing`,
  'delete from films',
  'alter table films rename to proxies',
  ...Object.entries(renamedColumns).flatMap(([table, columns]) =>
    columns.map(([from, to]) => `alter table ${table} rename column ${from} to ${to}`),
  ),
  ...renamedFields.map(
    ([table, column, from, to]) => `update ${table}
      set ${column} = (${column} - '${from}') || jsonb_build_object('${to}', ${column} -> '${from}')
      where ${column} -> '${from}' is not null`,
  ),
];

/** Tables, columns and fields with the names that the code has for them. */
export const standardTerms = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
