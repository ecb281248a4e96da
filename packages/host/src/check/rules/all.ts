import type { Rule } from '../rule.ts';
import { answerRules } from './answers.ts';
import { crossSiteRules } from './cross-site.ts';
import { downloadRules } from './download.ts';
import { loginRules } from './login.ts';
import { optionalRules } from './optional.ts';
import { otherRules } from './others.ts';
import { readingRules } from './reading.ts';
import { requestRules } from './requests.ts';
import { settlingRules, startingRules } from './starting.ts';
import { tokenRules } from './token.ts';
import { videoRules } from './videos.ts';
import { watchingRules } from './watching.ts';

/**
 * Every rule, in the order of the check: a start comes first, its end before the download, and the
 * rules about all answers last.
 */
export const rules: readonly Rule[] = [
  ...loginRules,
  ...crossSiteRules,
  ...requestRules,
  ...tokenRules,
  ...startingRules,
  ...readingRules,
  ...watchingRules,
  ...settlingRules,
  ...downloadRules,
  ...otherRules,
  ...optionalRules,
  ...videoRules,
  ...answerRules,
];
