import { listViews } from '../../views/queries.ts';
import { type ReportedViews, viewCsv, makeViewReport } from '../../views/rules.ts';
import { type Command, CommandError, chooseOrganization, CommandUsageError } from './command.ts';

const makeReport = ({ id, duration, ...counts }: ReportedViews) =>
  makeViewReport(id, counts, duration);

export const views: Command = {
  forms: [
    ['views [ORGANIZATION]', 'prints the views of its clips as CSV, a line for each ten seconds'],
    ['views clip PROJECT_ID', 'prints the same for one clip'],
  ],
  async run(db, { words: [verb, word, ...more] }) {
    if (more.length > 0 || (verb === 'clip' ? word === undefined : word !== undefined)) {
      throw new CommandUsageError();
    }
    if (verb !== 'clip') {
      const organizationId = await chooseOrganization(db, verb);
      return viewCsv((await listViews(db, { organizationId })).map(makeReport)).trimEnd();
    }
    const [watched] = await listViews(db, { projectId: word! });
    if (!watched) throw new CommandError(`There is no clip ${word}.`);
    return viewCsv([makeReport(watched)]).trimEnd();
  },
};
