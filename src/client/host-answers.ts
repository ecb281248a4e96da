/**
 * The schemas of the host's answers that the elements read. They bring zod, so this module is imported only when an
 * answer is there. The mini flavour compiles nothing with `new Function`: a page with a strict policy sees no report.
 */
export { exportListSchema, exportSchema } from '../contract/export.ts';
export { tokenAnswerSchema } from '../contract/host.ts';
export { fieldErrors, problemSchema } from '../contract/problem.ts';
