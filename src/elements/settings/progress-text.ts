import type { Task } from '../../contract/task.ts';
import { formatBytes, formatDuration } from '../../locales/measures.ts';
import { getNumberFormat } from '../../locales/number-format.ts';
import type { PageController } from './page-controller.ts';

/** Returns the present step of a video. */
export function describeProgress(page: PageController, progress: Task['progress']): string {
  const { bytes, total_bytes: total, stage_seconds_left: left } = progress ?? {};
  if (bytes !== undefined && total !== undefined) {
    const key = 'working-model';
    const language = page.textLanguage(key);
    const megabytes = getNumberFormat(language, {}).format(Math.floor(bytes / 1e6));
    return page
      .text(key, 'Downloading the speech model, once: {0} of {1}', megabytes)
      .replace('{1}', () => formatBytes(total, language));
  }
  if (left !== undefined) {
    const duration = formatDuration(left * 1000, page.textLanguage('working-speech'));
    return page.text('working-speech', 'Recognising speech, about {0} left', duration);
  }
  return page.text('list-working', 'Making clips…');
}
