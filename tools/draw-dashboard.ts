/**
 * Draws the panels of the Grafana dashboard from a real run, for docs/operate.md: two API processes
 * and two workers make clips for a few minutes, a worker is killed and the store is away for a
 * while, Prometheus scrapes them and evaluates the expressions of the dashboard. Grafana is not
 * among Debian's packages. Needs those of the cluster tests, `prometheus` and Chromium. `MINUTES`:
 * how long it runs (6).
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import puppeteer from 'puppeteer-core';
import dashboard from '../packages/service/deploy/monitoring/grafana-dashboard.json' with { type: 'json' };
import { Cluster } from '../packages/service/test/support/cluster.ts';
import { browserPath } from '../test/support/browser-path.mjs';
import { freePort } from './free-port.ts';
import { installPackages } from './install-packages.mjs';
import { startServer } from './own-server.ts';

const minutes = Number(process.env['MINUTES'] ?? 6);
const scrapeSeconds = 5;
const colours = ['#3274d9', '#e0752d', '#56a64b', '#a352cc', '#c4162a', '#8a6d00', '#1f9e9e'];
const [width, height] = [400, 130];

interface Series {
  name: string;
  /** Unix seconds and values. */
  points: [number, number][];
}

const alertsPath = fileURLToPath(
  new URL('../packages/service/deploy/monitoring/alerts.yml', import.meta.url),
);

/** Scrapes all processes, as `prometheus.yml` of the deployment does, by other addresses. */
async function startPrometheus(directory: string, { apis, workers }: Cluster) {
  if (spawnSync('prometheus', ['--version']).error) installPackages('prometheus');
  const addresses = [...apis, ...workers].map(
    ({ environment }) => `127.0.0.1:${environment['METRICS_PORT']}`,
  );
  const config = {
    global: { scrape_interval: `${scrapeSeconds}s`, evaluation_interval: `${scrapeSeconds}s` },
    rule_files: [alertsPath],
    scrape_configs: [
      { job_name: 'clip-processes', static_configs: [{ targets: addresses }] },
      {
        job_name: 'clip-installation',
        metrics_path: '/metrics/installation',
        static_configs: [{ targets: addresses.slice(0, 1) }],
      },
    ],
  };
  const path = join(directory, 'prometheus.json');
  await writeFile(path, JSON.stringify(config));
  const address = `127.0.0.1:${await freePort()}`;
  const stop = await startServer({
    // prettier-ignore
    command: [
      'prometheus', `--config.file=${path}`, `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=${address}`,
    ],
    env: { PATH: process.env['PATH'] ?? '' },
    directory,
    ready: { url: `http://${address}/-/ready` },
  });
  const ask = async (path: string): Promise<{ result: never[] }> => {
    const answer = (await (await fetch(`http://${address}/api/v1/${path}`)).json()) as {
      status: string;
      data: { result: never[] };
    };
    if (answer.status !== 'success') throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer.data;
  };
  return { stop, ask };
}

/** Makes clips and exports for a user, one task after the other. */
async function makeClips(cluster: Cluster, until: number): Promise<void> {
  const call = (...call: Parameters<Cluster['call']>) => cluster.call(...call).catch(() => null);
  const user = await cluster.call('POST', '/users');
  const as = user.body.id as string;
  while (Date.now() < until) {
    const task = await call('POST', '/tasks/video-to-shorts', {
      as,
      body: {
        ...{ source_video_url: cluster.sources.at('talk.mp4'), target_clip_count: 3 },
        ...{ min_duration: 3, max_duration: 5, target_duration: 4 },
        dimensions: { width: 640, height: 360 },
      },
    });
    if (task?.status !== 201) {
      await setTimeout(1000);
      continue;
    }
    const { id, output_id } = task.body;
    const headers = { Prefer: 'wait=25' };
    while (Date.now() < until) {
      const read = await call('GET', `/tasks/${id}`, { as, headers });
      if (read?.status === 200 && read.body.status !== 'processing') break;
      if (read?.status !== 200) await setTimeout(500);
    }
    const clips = await call('GET', `/projects/${output_id}`, { as });
    if (clips?.status !== 200) continue;
    for (const clip of [clips.body].flat() as { id: string }[]) {
      await call('POST', `/projects/${output_id}/${clip.id}/exports`, { as, body: {} });
    }
  }
}

async function disturb(cluster: Cluster): Promise<void> {
  const pause = () => setTimeout((minutes * 60_000) / 6);
  await pause();
  const [worker] = cluster.workers;
  await worker!.end('SIGKILL');
  await pause();
  await worker!.start();
  await pause();
  await cluster.swift.stop();
  await setTimeout(Math.min(40_000, minutes * 10_000));
  await cluster.swift.start();
}

const units: Readonly<Record<string, (value: number) => string>> = {
  s: (value) => (value < 1 ? `${Math.round(value * 1000)} ms` : `${+value.toPrecision(3)} s`),
  bytes: (value) => `${Math.round(value / 2 ** 20)} MiB`,
  percentunit: (value) => `${Math.round(value * 100)} %`,
  reqps: (value) => `${+value.toPrecision(3)}/s`,
  short: (value) => `${+value.toPrecision(3)}`,
};

const nameOf = (legend: string, labels: Record<string, string>): string =>
  legend.replaceAll(/\{\{(\w+)\}\}/g, (_, label: string) => labels[label] ?? '').trim();

/** A panel as SVG: lines, the greatest value, and a legend. */
function draw(title: string, unit: string, series: readonly Series[], from: number, to: number) {
  const say = units[unit] ?? units['short']!;
  const values = series.flatMap(({ points }) => points.map(([, value]) => value));
  const top = (Math.max(0, ...values) || 1) * 1.1;
  const lines = series.map(({ points }, at) => {
    let last = -Infinity;
    const path = points.map(([time, value]) => {
      const x = (((time - from) / (to - from)) * width).toFixed(1);
      const y = (height - (value / top) * height).toFixed(1);
      const command = time - last > 2 * scrapeSeconds ? 'M' : 'L';
      last = time;
      return `${command}${x} ${y}`;
    });
    const colour = colours[at % colours.length];
    return `<path d="${path.join('')}" fill="none" stroke="${colour}" stroke-width="1.5"/>`;
  });
  const legend = series.map(
    ({ name, points }, at) =>
      `<span style="color:${colours[at % colours.length]}">${name} ${say(points.at(-1)![1])}</span>`,
  );
  const axis = [0, 0.5, 1].map((share) => {
    const y = height - (share * height) / 1.1;
    return `<path d="M0 ${y}H${width}" stroke="#ddd"/><text x="2" y="${y - 2}">${say((top / 1.1) * share)}</text>`;
  });
  return `<section><h2>${title}</h2><svg viewBox="0 0 ${width} ${height}">${axis.join('')}${lines.join('')}</svg><p>${legend.join(' ') || 'no data'}</p></section>`;
}

const style = `body{margin:0;padding:12px;width:1296px;background:#f4f5f5;font:11px sans-serif;color:#333}
main{display:grid;grid-template-columns:repeat(3,1fr);gap:8px}
section{background:#fff;border:1px solid #ddd;padding:8px}
h2{font-size:12px;margin:0 0 6px}svg{display:block;width:100%}text{font-size:9px;fill:#777}
p{margin:6px 0 0;line-height:1.5}p span{margin-right:8px}`;

const directory = await mkdtemp(join(tmpdir(), 'clip-dashboard-'));
const cluster = await Cluster.start({ apis: 2, workers: 2 });
try {
  const { ask, stop } = await startPrometheus(directory, cluster);
  const began = Date.now();
  const until = began + minutes * 60_000;
  await Promise.all([disturb(cluster), ...[0, 1, 2].map(() => makeClips(cluster, until))]);
  const [from, to] = [began / 1000, Date.now() / 1000];
  const panels: string[] = [];
  for (const { title, fieldConfig, targets } of dashboard.panels) {
    const series: Series[] = [];
    for (const { expr, legendFormat } of targets) {
      const query = new URLSearchParams({
        query: expr.replaceAll('$__rate_interval', '1m'),
        ...{ start: String(from), end: String(to), step: String(scrapeSeconds) },
      });
      const { result } = (await ask(`query_range?${query.toString()}`)) as {
        result: { metric: Record<string, string>; values: [number, string][] }[];
      };
      for (const { metric, values } of result) {
        const points = values.map(([time, value]): [number, number] => [time, Number(value)]);
        const finite = points.filter(([, value]) => Number.isFinite(value));
        if (finite.length > 0) series.push({ name: nameOf(legendFormat, metric), points: finite });
      }
    }
    panels.push(draw(title, fieldConfig.defaults.unit, series, from, to));
  }
  const fired = new URLSearchParams({ query: `max_over_time(ALERTS[${minutes + 2}m])` });
  const { result: alerts } = await ask(`query?${fired.toString()}`);
  for (const { metric } of alerts as { metric: Record<string, string> }[]) {
    console.log(`${metric['alertname']} ${metric['alertstate']} ${metric['instance'] ?? ''}`);
  }
  await stop();
  const browser = await puppeteer.launch({
    executablePath: browserPath(),
    args: ['--no-sandbox'],
  });
  const page = await browser.newPage();
  await page.setViewport({ width: 1320, height: 100 });
  await page.setContent(`<style>${style}</style><main>${panels.join('')}</main>`);
  const path = fileURLToPath(new URL('../docs/images/dashboard.webp', import.meta.url));
  await page.screenshot({
    path: path as `${string}.webp`,
    type: 'webp',
    quality: 85,
    fullPage: true,
  });
  await browser.close();
  console.log(path);
} finally {
  await cluster.close();
  await rm(directory, { recursive: true, force: true });
}
