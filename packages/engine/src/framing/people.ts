import type { Box } from '../edit.ts';
import type { Sighting, Subject } from './subject-finder.ts';
import { countPresence, type Track, findTracks, getMiddle } from './tracks.ts';

/** A person in some pictures: where each shows their face, and where their body. */
export interface Person {
  faces: Track;
  bodies: Track;
}

/** Hair, ears and chin around the box of a face, as shares of its size. */
const headRoom = { above: 0.28, beside: 0.05, below: 0.06 } as const;
/** A turned head is longer towards the body, by at most this share of the face's width. */
const maxTurn = 0.3;
/** The finder is sure of a person in at least this share of the finds. */
const minSureShare = 0.2;
/** Pictures over which a face or body is there, though it is found only before and after. */
const maxGap = { face: 2, person: 6 } as const;
/** A face belongs to a body whose upper part it is in, this much wider on each side. */
const bodyRoom = { beside: 0.25, upperShare: 0.6 } as const;
/** A body is the one of a face if they are seen this close to each other, in pictures. */
const maxLinkPictures = 6;

/** Returns the whole head around a face; a turned head is longer towards the body. */
export function getHeadAround(face: Box, body: Box | null): Box {
  const offset = body ? getMiddle(body).x - getMiddle(face).x : 0;
  const turn = Math.min(Math.max(offset, -maxTurn * face.width), maxTurn * face.width);
  const beside = headRoom.beside * face.width;
  return {
    x: face.x - beside + Math.min(0, turn),
    y: face.y - headRoom.above * face.height,
    width: face.width + 2 * beside + Math.abs(turn),
    height: (1 + headRoom.above + headRoom.below) * face.height,
  };
}

/** The head of a person in a picture; null if their face is not seen. */
export function findHead({ faces, bodies }: Person, at: number): Box | null {
  const face = faces[at];
  return face ? getHeadAround(face, bodies[at] ?? null) : null;
}

/** Whether a face is where the head of a body is. */
function isHeadWithBody(face: Box, body: Box): boolean {
  const { x, y } = getMiddle(face);
  const beside = bodyRoom.beside * body.width;
  return (
    x >= body.x - beside &&
    x <= body.x + body.width + beside &&
    y >= body.y - face.height &&
    y <= body.y + bodyRoom.upperShare * body.height
  );
}

/** The share of the pictures with both in which a face is that of a body; -1 if it never can be. */
function linkBetween(faces: Track, bodies: Track): number {
  let [both, linked] = [0, 0];
  let nearest: { pictures: number; isHead: boolean } | null = null;
  let lastFace = -Infinity;
  let lastBody = -Infinity;
  faces.forEach((face, at) => {
    const body = bodies[at];
    if (face && body) {
      both += 1;
      if (isHeadWithBody(face, body)) linked += 1;
    }
    if (face) lastFace = at;
    if (body) lastBody = at;
    const pictures = Math.abs(lastFace - lastBody);
    if (!(face || body) || pictures >= (nearest?.pictures ?? maxLinkPictures + 1)) return;
    nearest = { pictures, isHead: isHeadWithBody(faces[lastFace]!, bodies[lastBody]!) };
  });
  if (both > 0) return linked * 2 > both ? linked / both : -1;
  return (nearest as { isHead: boolean } | null)?.isHead ? 0 : -1;
}

const listBoxes = (sightings: readonly Sighting[], wanted: Subject['kind']): Box[][] =>
  sightings.map(({ subjects }) =>
    subjects.filter(({ kind }) => kind === wanted).map(({ box }) => box),
  );

/**
 * The minimum number of pictures with a person; fewer are a chance find, except in shorter shots.
 */
const minPictures = 8;

/** The persons of a shot: those with a face first, then by their size and presence. */
export function findPeople(sightings: readonly Sighting[]): Person[] {
  const least = Math.min(minPictures, sightings.length / 4);
  const nowhere: Track = sightings.map(() => null);
  const people = findTracks(listBoxes(sightings, 'face'), least).map((faces) => ({
    faces,
    bodies: nowhere,
  }));
  const others: Person[] = [];
  for (const bodies of findTracks(listBoxes(sightings, 'person'), least)) {
    const links = people.map(({ faces, bodies: own }) =>
      own === nowhere ? linkBetween(faces, bodies) : -1,
    );
    const best = links.indexOf(Math.max(...links));
    if (best >= 0 && links[best]! >= 0) people[best]!.bodies = bodies;
    else others.push({ faces: nowhere, bodies });
  }
  return [...people, ...others];
}

/** A track that is also where it was not found, or not searched, for at most some pictures. */
function fillGaps(track: Track, pictures: number): Track {
  const whole = [...track];
  let last = -1;
  track.forEach((to, at) => {
    if (!to) return;
    const from = track[last];
    for (let gap = last + 1; from && at - last - 1 <= pictures && gap < at; gap++) {
      const share = (gap - last) / (at - last);
      const side = (name: keyof Box) => from[name] + share * (to[name] - from[name]);
      whole[gap] = { x: side('x'), y: side('y'), width: side('width'), height: side('height') };
    }
    last = at;
  });
  return whole;
}

/**
 * Returns the sightings of a shot with only those faces and persons that are found more than by
 * chance. They are also where they were not found, or not searched, for a moment. Unsure finds
 * count only beside sure ones of the same person.
 */
export function confirmPeople(sightings: readonly Sighting[]): Sighting[] {
  const least = Math.min(minPictures, sightings.length / 4);
  const known = new Map<Box, Subject>();
  for (const { subjects } of sightings) for (const one of subjects) known.set(one.box, one);
  const followAll = (wanted: 'face' | 'person') =>
    findTracks(listBoxes(sightings, wanted), 1)
      .map((track) => ({ track, whole: fillGaps(track, maxGap[wanted]) }))
      .filter(({ whole }) => countPresence(whole) >= least);
  const faces = followAll('face').map(({ whole }) => whole);
  const bodies = followAll('person').filter(({ track, whole }) => {
    const sure = track.filter((box) => box && !known.get(box)!.isUnsure);
    const isSure = sure.length >= minSureShare * countPresence(track);
    return isSure || faces.some((face) => linkBetween(face, whole) > 0);
  });
  const tracks = [
    ...faces.map((track) => ({ kind: 'face' as const, track })),
    ...bodies.map(({ whole }) => ({ kind: 'person' as const, track: whole })),
  ];
  return sightings.map((sighting, at) => ({
    ...sighting,
    subjects: [
      ...sighting.subjects.filter(({ kind }) => kind !== 'face' && kind !== 'person'),
      ...tracks.flatMap(({ kind, track }): Subject[] => {
        const box = track[at];
        if (!box) return [];
        const { isUnsure: _, ...subject } = known.get(box) ?? { kind, box };
        return [subject];
      }),
    ],
  }));
}
