import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  addRecord,
  mergeRecords,
  pickNewMarks,
  noViews,
  viewCsv,
  makeViewReport,
  type ViewCounts,
} from '../../src/views/rules.ts';

const record = { project_id: 'a', begins: true, marks: [0], muted: false };
const nothing = { begun: false, marks: [] };

describe('what a batch adds to the counts of a clip', () => {
  it('is one visit’s worth, however many records there are', () => {
    const more = { ...record, begins: false, marks: [0, 2] };
    assert.deepEqual(mergeRecords([more, record, { ...record, place: 'home' }]), {
      ...record,
      marks: [0, 2],
    });
  });

  it('is what its visit has not added before, within the clip', () => {
    const visit = { begun: true, marks: [0, 1] };
    const all = { ...record, marks: [0, 1, 2, 3] };
    assert.deepEqual(pickNewMarks(all, visit, 25), { ...record, begins: false, marks: [2] });
    assert.deepEqual(pickNewMarks(all, nothing, 30), { ...record, marks: [0, 1, 2] });
  });

  it('is a view only if it begins', () => {
    const once = addRecord(noViews, { ...record, muted: true });
    assert.deepEqual(once, { views: 1, muted: 1, marks: [1], places: {} });
    const further = addRecord(once, { ...record, begins: false, marks: [2], place: 'home' });
    assert.deepEqual(further, { views: 1, muted: 1, marks: [1, 0, 1], places: {} });
  });

  it('names at most twenty places, whatever they are called, and those that are watched most', () => {
    let counts: ViewCounts = noViews;
    const watch = (place: string) => (counts = addRecord(counts, { ...record, place }));
    for (let at = 0; at < 20; at++) watch(`invented-${at}`);
    for (const place of ['__proto__', 'home', '__proto__', 'home']) watch(place);
    for (let at = 20; at < 100; at++) watch(`invented-${at}`);
    assert.equal(counts.views, 104);
    assert.equal(Object.keys(counts.places).length, 20);
    const most = Object.entries(counts.places).filter(([, views]) => views > 1);
    assert.deepEqual(most.toSorted(), [
      ['__proto__', 2],
      ['home', 2],
    ]);
  });

  it('lets a new word of the site outlive invented ones, now and then', () => {
    let counts: ViewCounts = noViews;
    for (let at = 0; at < 200; at++) {
      counts = addRecord(counts, { ...record, place: at % 10 ? `invented-${at}` : 'home' });
    }
    assert.ok(counts.places['home']! > 1, JSON.stringify(counts.places));
  });
});

describe('the report of a clip', () => {
  const counts = { views: 4, muted: 3, marks: [4, 2, 1, 1], places: { home: 4 } };

  it('has the share left for each ten seconds, and the seconds watched', () => {
    assert.deepEqual(makeViewReport('a', counts, 25), {
      project_id: 'a',
      views: 4,
      muted: 3,
      watched_seconds: 65,
      retention: [
        { second: 0, watched: 4, share: 1 },
        { second: 10, watched: 2, share: 0.5 },
        { second: 20, watched: 1, share: 0.25 },
      ],
      places: { home: 4 },
    });
  });

  it('of a clip that nobody has watched has no share', () => {
    assert.deepEqual(makeViewReport('a', noViews, 5).retention, [
      { second: 0, watched: 0, share: 0 },
    ]);
  });

  it('has no share over 1, if views that began before were watched on', () => {
    const [first] = makeViewReport('a', { ...counts, views: 3 }, 25).retention;
    assert.equal(first!.share, 1);
  });

  it('is a line of CSV for each ten seconds', () => {
    assert.equal(
      viewCsv([makeViewReport('a', counts, 15)]),
      'project_id,views,muted,second,watched,share\r\na,4,3,0,4,1\r\na,4,3,10,2,0.5\r\n',
    );
  });
});
