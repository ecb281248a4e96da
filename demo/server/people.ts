/**
 * A person who may log in to the demo site. Each becomes a managed user of the only organization.
 */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly role: string;
}

export const people: readonly Person[] = [
  { id: 'ada', name: 'Ada Moreno', role: 'Runs the talks channel' },
  { id: 'ben', name: 'Ben Okafor', role: 'Edits the weekly show' },
];

export const findPerson = (id: string): Person | null =>
  people.find((person) => person.id === id) ?? null;
