import { html, type TemplateResult } from 'lit';
import type { ClipError } from '../../client/clip-error.ts';
import { formatBytes, formatLength } from '../../locales/size.ts';
import type { PageController } from '../settings/page-controller.ts';
import type { VideoFacts } from './file-facts.ts';

/** A video that somebody has chosen and that is not begun. */
export interface Chosen {
  readonly source: File | string;
  readonly handle?: FileSystemFileHandle | undefined;
  /** Null until they are read. */
  facts: VideoFacts | null;
  subtitles?: File | undefined;
}

/** A chosen video, and what will not work with it. */
export function chosenItem(
  page: PageController,
  one: Chosen,
  fault: ClipError | null,
  remove: () => void,
): TemplateResult {
  const { source, facts, subtitles } = one;
  const name = typeof source === 'string' ? source : source.name;
  const language = page.textLanguage('create-start');
  const details =
    typeof source === 'string'
      ? []
      : [
          formatBytes(source.size, language),
          ...(facts?.seconds ? [formatLength(facts.seconds, language)] : []),
        ];
  return html`<li part="video" role="listitem">
    <div part="picture" aria-hidden="true">${facts?.picture}</div>
    <div class="what">
      <bdi part="name">${name}</bdi>
      ${
        fault
          ? html`<p part="error" role="alert">
              <span dir="auto" lang=${page.textLanguage(fault.code)}>${fault.message}</span>
            </p>`
          : html`<small>${details.join(' · ')}</small>`
      }
      ${
        subtitles
          ? html`<small
              >${page.text('create-subtitles', 'With subtitles: {0}', subtitles.name)}</small
            >`
          : null
      }
    </div>
    <button
      part="remove"
      class="plain icon"
      aria-label=${page.text('create-remove', 'Remove {0}', name)}
      @click=${remove}
    >
      <span aria-hidden="true">×</span>
    </button>
  </li>`;
}
