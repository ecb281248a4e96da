import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import dashboard from '../../deploy/monitoring/grafana-dashboard.json' with { type: 'json' };
import { InstallationMetrics } from '../../src/operations/installation-metrics.ts';
import { Metrics } from '../../src/telemetry/metrics.ts';
import { JobWorld } from '../support/job-world.ts';

const directory = new URL('../../deploy/monitoring/', import.meta.url);
const pathOf = (name: string): string => fileURLToPath(new URL(name, directory));

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
}
const { groups } = parse(await readFile(pathOf('alerts.yml'), 'utf8')) as {
  groups: { rules: Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);

/** The metrics of an expression; those of a histogram by the name of the histogram. */
const namesIn = (expression: string): string[] =>
  [...expression.matchAll(/\b(?:clip|nodejs|process)_[a-z0-9_]+/g)].map(([name]) =>
    name.replace(/_(?:bucket|count|sum)$/, ''),
  );

describe('the alerts and the dashboard', () => {
  let world: JobWorld;
  let exposed: Set<string>;
  before(async () => {
    world = await JobWorld.open();
    const process = new Metrics({ slots: () => [], connections: () => null });
    const installation = new InstallationMetrics(world.service.db, () => new Map());
    const text = (await process.text()) + (await installation.text());
    exposed = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!));
  });
  after(() => world?.close());

  it('ask only for metrics that the service has', () => {
    const expressions = [
      ...rules.map(({ alert, expr }) => [alert, expr] as const),
      ...dashboard.panels.flatMap(({ title, targets }) =>
        targets.map(({ expr }) => [title, expr] as const),
      ),
    ];
    assert.ok(expressions.length > 30);
    for (const [where, expression] of expressions) {
      const names = namesIn(expression);
      assert.ok(names.length > 0 || expression.startsWith('up{'), where);
      for (const name of names) assert.ok(exposed.has(name), `${where}: ${name}`);
    }
  });

  it('stand in the docs, and so does each metric', async () => {
    const docs = await readFile(new URL('../../../../docs/operate.md', import.meta.url), 'utf8');
    for (const { alert } of rules) assert.ok(docs.includes(`\`${alert}\``), alert);
    const own = [...exposed].filter((name) => name.startsWith('clip_'));
    assert.ok(own.length > 15);
    for (const name of own) assert.ok(docs.includes(`\`${name}`), name);
  });

  const noPromtool =
    spawnSync('promtool', ['--version']).error &&
    'promtool is not here (Debian: apt-get install prometheus)';
  it('are what Prometheus takes', { skip: noPromtool }, () => {
    for (const words of [
      ['check', 'config', pathOf('prometheus.yml')],
      ['test', 'rules', pathOf('alerts.test.yml')],
    ]) {
      const { status, stdout, stderr } = spawnSync('promtool', words, { encoding: 'utf8' });
      assert.equal(status, 0, stdout + stderr);
    }
  });
});
