import { openNetworkFinder } from '../faces/face-finder.ts';
import type { FinderOptions, SubjectFinder } from '../subject-finder.ts';
import type { FoundPerson } from './person-network.ts';

/** Finds whole persons: from behind, in profile and far away, too. */
export function createPersonFinder({ size }: FinderOptions): SubjectFinder {
  const finder = openNetworkFinder(size, 'persons');
  return {
    find: async (picture) => {
      const persons = (await finder.search(picture)) as FoundPerson[];
      return persons.map(({ isSure, ...box }) => ({
        kind: 'person',
        box,
        ...(!isSure && { isUnsure: true }),
      }));
    },
    close: () => finder.close(),
  };
}
