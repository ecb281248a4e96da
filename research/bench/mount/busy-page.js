/** Buttons whose exports run for a long time, over a host that is a function of this page. */
import { contenders, load } from './contenders.js';

const grid = document.querySelector('main');
const json = (body, status = 200) =>
  Promise.resolve(new Response(JSON.stringify(body), { status }));

/** Seconds that each export is expected to take. */
let expected = 60;

function exportOf(project_id) {
  const now = Date.now();
  return {
    ...{ id: `export-${project_id}`, project_id, status: 'processing', src_url: null },
    estimated_ready_at: expected ? new Date(now + expected * 1000).toISOString() : null,
    created_at: new Date(now).toISOString(),
    ...{ finished_at: null, name: 'Clip', author_id: 'user', folder_id: null },
    ...{ descriptions: null, watermarked: null },
  };
}

// Questions are held for as long as the page is measured: what they cost is measured elsewhere.
globalThis.fetch = (address, { method, body, signal } = {}) =>
  method === 'POST'
    ? json(exportOf(JSON.parse(body).project_id), 201)
    : new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));

/** Fills the page with so many busy ones; `floor`: plain buttons with a bar that stands still. */
globalThis.measure = async (contender, many, seconds) => {
  expected = seconds;
  // What a page before has started would be found again, and be without an answer.
  localStorage.clear();
  if (contender === 'floor') {
    for (let at = 0; at < many; at++) {
      grid.insertAdjacentHTML(
        'beforeend',
        '<button>Exporting…</button><progress value="0.4"></progress>',
      );
    }
    return;
  }
  await load(contenders[contender]);
  const buttons = Array.from({ length: many }, (_, at) =>
    Object.assign(document.createElement('clip-export-button'), {
      project: `clip-${at}`,
      endpoint: '/clips',
    }),
  );
  grid.append(...buttons);
  await Promise.all(buttons.map((button) => button.start()));
  if (buttons.some(({ status }) => status !== 'processing')) throw new Error('not busy');
};
