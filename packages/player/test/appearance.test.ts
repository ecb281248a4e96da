import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Appearance,
  computeContrast,
  isAppearance,
  makeLook,
  type Rgb,
} from '../src/appearance.ts';

describe('an appearance', () => {
  it('is checked value by value', () => {
    const good: Appearance = {
      scheme: 'light dark',
      accent: [0, 128, 255],
      onAccent: [255, 255, 255],
      surface: [255, 255, 255],
      text: [0, 0, 0],
      radius: 12.5,
      font: ['Inter', 'Noto Sans CJK JP', 'ヒラギノ角ゴ', 'sans-serif'],
      header: 'none',
    };
    assert.ok(isAppearance(good));
    assert.ok(isAppearance({}));
    assert.ok(isAppearance({ later: 'ignored' }));
    const bad: Record<string, readonly unknown[]> = {
      scheme: ['', 'dark; color: red', 'normal', 1, null, ['dark']],
      accent: ['red', 'url(https://x.example)', [1, 2], [1, 2, 3, 4], [1, 2, 256], [1, 2, 0.5]],
      surface: [[-1, 0, 0], ['1', 0, 0], {}, null, 'rgb(0 0 0)'],
      header: ['', 'block', null, 1],
      radius: [-1, 65, '8px', Infinity, NaN, null, 'calc(1px)'],
      font: [
        ...['Inter', [], [''], [1], Array(9).fill('Inter'), ['x'.repeat(65)]],
        ...[
          ['a"'],
          ["a'"],
          ['a\\22'],
          ['a;b'],
          ['a}b{'],
          ['url(x)'],
          ['var(--x)'],
          [' a'],
          ['a\n'],
        ],
      ],
    };
    for (const [name, values] of Object.entries(bad)) {
      for (const value of values) {
        assert.ok(!isAppearance({ ...good, [name]: value }), `${name}: ${JSON.stringify(value)}`);
      }
    }
    for (const value of [null, 'x', 1, [], undefined]) assert.ok(!isAppearance(value));
  });

  it('changes nothing that it does not name', () => {
    assert.deepEqual([...makeLook({}).properties], []);
    assert.deepEqual(
      [...makeLook({ scheme: 'dark', radius: 8, font: ['A B', 'serif'] }).properties],
      [
        ['color-scheme', 'dark'],
        ['--font', '"A B", serif'],
        ['--round', '0.5'],
      ],
    );
  });

  const parse = (text: string): Rgb[] =>
    [...text.matchAll(/rgb\((\d+) (\d+) (\d+)\)/g)].map(
      ([, ...parts]) => parts.map(Number) as unknown as Rgb,
    );
  const greys = [0, 40, 90, 119, 128, 160, 210, 255];
  const sampled: Rgb[] = [
    ...greys.map((grey): Rgb => [grey, grey, grey]),
    ...([
      [255, 0, 0],
      [0, 200, 80],
      [20, 30, 200],
      [255, 220, 0],
      [120, 90, 200],
    ] as Rgb[]),
  ];

  it('is readable, whatever colours it has', () => {
    const pairs = [
      ['--ink', '--surface', 4.5],
      ['--soft', '--surface', 4.5],
      ['--ink', '--ground', 4.5],
      ['--on-accent', '--accent', 4.5],
      ['--accent-text', '--surface', 4.5],
      ['--edge', '--surface', 3],
    ] as const;
    for (const surface of sampled) {
      for (const other of sampled) {
        const given = { surface, text: other, accent: other, onAccent: surface };
        for (const scheme of ['light', 'dark'] as const) {
          const { properties } = makeLook({ ...given, scheme });
          for (const [name, ground, least] of pairs) {
            const [[one], [two]] = [parse(properties.get(name)!), parse(properties.get(ground)!)];
            assert.ok(
              computeContrast(one!, two!) >= least,
              `${name} on ${ground} of ${surface} ${other}`,
            );
          }
        }
      }
    }
  });

  it('keeps colours that can be read, and tells which it has moved', () => {
    const fine = makeLook({ surface: [255, 255, 255], text: [20, 40, 60] });
    assert.equal(fine.properties.get('--ink'), 'rgb(20 40 60)');
    assert.deepEqual(fine.moved, []);
    const { properties, moved } = makeLook({ surface: [255, 255, 255], text: [200, 200, 200] });
    const [one] = moved;
    assert.equal(moved.length, 1);
    assert.equal(one!.name, '--clip-text');
    assert.equal(one!.ground, '--clip-surface');
    assert.equal(one!.to, properties.get('--ink'));
    const [colour] = parse(one!.to);
    // No farther than needed.
    assert.ok(computeContrast(colour!, [255, 255, 255]) < 6);
  });

  it('has both schemes where it names neither surface nor scheme', () => {
    const { properties } = makeLook({ text: [90, 90, 90] });
    assert.match(properties.get('--ink')!, /^light-dark\(rgb\(90 90 90\), rgb\(\d+ \d+ \d+\)\)$/);
    assert.equal(properties.get('color-scheme'), undefined);
  });

  it('takes the scheme of its surface', () => {
    const { properties } = makeLook({ surface: [20, 20, 24], scheme: 'light' });
    assert.equal(properties.get('color-scheme'), 'dark');
    assert.equal(properties.get('--ink'), 'rgb(243 244 248)');
  });
});
