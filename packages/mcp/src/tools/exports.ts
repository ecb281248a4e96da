import type { Allowance } from 'clip-kit/contract';
import * as z from 'zod';
import { quote, refuse, makeDataAnswer } from '../answer.ts';
import { saveClip } from '../save-clip.ts';
import {
  addTool,
  makeIdSchema,
  idempotencyKey,
  reads,
  waitSeconds,
  watch,
  type AddTool,
  disagreement,
  type Clips,
  type Run,
} from './tool.ts';

/** Exports that are left; null: no limit. */
const countLeft = ({ allowance, used }: Allowance): number | null =>
  allowance === null ? null : Math.max(0, allowance - used);

function describeCost(allowance: Allowance): string {
  const count = countLeft(allowance);
  if (allowance.refusal) return `It cannot be exported: ${allowance.refusal}`;
  if (!allowance.counts) return 'This clip was paid for before: an export does not count.';
  return count === null
    ? 'The plan has no limit.'
    : `An export uses 1 of the ${count} left of ${allowance.allowance}.`;
}

const clipId = makeIdSchema('The id of the clip');
const exportId = makeIdSchema('The id of the export');

function addCheckExport({ server, service, call }: Clips): void {
  addTool(server, {
    name: 'check_export',
    title: 'Check the cost of an export',
    description:
      'Returns the cost of exporting the clip, how many exports are left, and the exports that it already has. Free. Call it and tell the person before export_clip.',
    input: { project_id: clipId },
    annotations: reads,
    async work({ project_id }, { signal }) {
      const options = { ...call, signal };
      const [allowance, exports] = await Promise.all([
        service.getAllowance(project_id, options),
        service.listExports({ project_id }, options),
      ]);
      return makeDataAnswer(describeCost(allowance), {
        exports_left: countLeft(allowance),
        ...allowance,
        exports,
      });
    },
  });
}

function addWaitForExport({ server, service, call }: Clips): void {
  addTool(server, {
    name: 'wait_for_export',
    title: 'Wait for an export to finish',
    description: 'Waits until the file of an export is ready, with progress.',
    input: { project_id: clipId, export_id: exportId, seconds: waitSeconds },
    annotations: reads,
    async work({ project_id, export_id, seconds }, run) {
      const options = { ...call, signal: run.signal };
      const found = await watch(seconds, run, () =>
        service.getExport({ projectId: project_id }, export_id, options),
      );
      return makeDataAnswer(`The status of the export is ${found.status}.`, { export: found });
    },
  });
}

function addDownloadClip({ server, service, call, settings }: Clips): void {
  addTool(server, {
    name: 'download_clip',
    title:
      settings.downloads === null ? 'Get the address of an exported clip' : 'Save an exported clip',
    description:
      settings.downloads === null
        ? 'Returns the address of the MP4 of a finished export. Free.'
        : 'Saves the MP4 of a finished export in the downloads folder. Never replaces a file. Free.',
    input: { project_id: clipId, export_id: exportId },
    annotations:
      settings.downloads === null
        ? reads
        : { destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async work({ project_id, export_id }, { signal }) {
      const options = { ...call, signal };
      const found = await service.getExport({ projectId: project_id }, export_id, options);
      if (found.status !== 'ready') {
        return refuse(`The status of the export is ${found.status}. Call wait_for_export first.`);
      }
      if (settings.downloads === null) return makeDataAnswer('The file:', { url: found.src_url });
      const response = await service.download(project_id, export_id, options);
      return makeDataAnswer('Saved:', {
        path: await saveClip(settings.downloads, found.name, response),
      });
    },
  });
}

/** Returns why an export does not start; null if what it costs is known, and the person agrees. */
async function findObjection(
  { service, call }: Clips,
  run: Run,
  projectId: string,
  exportsLeft: number | null,
): Promise<string | null> {
  const readCost = async () => {
    const allowance = await service.getAllowance(projectId, call);
    const [cost, left] = [describeCost(allowance), countLeft(allowance)];
    const change = `exports_left is ${left}, not ${exportsLeft}. ${cost} Tell the person, then call again.`;
    return { cost, change: left === exportsLeft ? null : change };
  };
  const { cost, change } = await readCost();
  if (change !== null) return change;
  // Unlike the clip itself, its edit is found without its folder.
  const { title } = await service.getEdit(projectId, call);
  if (!(await run.isAgreed(`Export the clip ${quote(title)}? ${cost}`))) return disagreement;
  // The answer may have taken minutes.
  return (await readCost()).change;
}

/** The one call that uses up the allowance: the server has it only where it is allowed. */
export function addExportClip(clips: Clips): void {
  const { server, service, call } = clips;
  addTool(server, {
    name: 'export_clip',
    title: 'Export a clip',
    description:
      'Starts the render of a clip to an MP4. THIS USES UP THE PLAN’S ALLOWANCE. Call check_export first, tell the person what it costs, and export only what the person wants.',
    input: {
      project_id: clipId,
      idempotency_key: idempotencyKey,
      exports_left: z
        .int()
        .nullable()
        .describe('exports_left from the last check_export; null: no limit'),
    },
    annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
    async work({ project_id, idempotency_key: idempotencyKey, exports_left }, run) {
      const { exports, keepsKeys } = await service.findExports(idempotencyKey, {}, call);
      if (!keepsKeys) {
        return refuse(
          'Nothing was started: this service does not guarantee that a repeated start is charged only once. A person can export the clip on the site.',
        );
      }
      const [before] = exports;
      if (!before) {
        const objection = await findObjection(clips, run, project_id, exports_left);
        if (objection !== null) return refuse(`Nothing was started: ${objection}`);
      } else if (before.project_id !== project_id) {
        return refuse('Nothing was started: this key was used for another clip. Use a new key.');
      }
      const clip = { projectId: project_id };
      const started = before ?? (await service.startExport(clip, {}, { ...call, idempotencyKey }));
      return makeDataAnswer('The export has started. Call wait_for_export for its file.', {
        export_id: started.id,
        status: started.status,
      });
    },
  });
}

/** Reads of exports, which cost nothing. */
export const exportTools: readonly AddTool[] = [addCheckExport, addWaitForExport, addDownloadClip];
