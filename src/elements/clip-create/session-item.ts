import { html, nothing, type TemplateResult } from 'lit';
import type { CreateSession } from '../../client/create-session.ts';
import { formatDuration } from '../../locales/duration.ts';
import { formatBytes } from '../../locales/size.ts';
import type { PageController } from '../settings/page-controller.ts';
import { slotOf } from '../sign-in.ts';
import { errorLanguage, errorText, isOfLimit } from './create-texts.ts';

interface SessionActs {
  readonly cancel: () => void;
  readonly chooseAgain: () => void;
}

function bar({ phase, job, sentBytes }: CreateSession): TemplateResult {
  const size = job.file?.size ?? 0;
  const isSent = phase === 'starting' || phase === 'checking';
  const share = size && !isSent ? sentBytes / size : null;
  const known = share === null || phase === 'waiting' ? null : Math.floor(share * 100) / 100;
  return html`<div
    part="progress"
    role="progressbar"
    aria-label=${job.file?.name ?? job.body.name ?? nothing}
    aria-valuemin="0"
    aria-valuemax="1"
    aria-valuenow=${known ?? nothing}
  >
    <i .style=${share === null ? '' : `transform:scaleX(${share})`}></i>
  </div>`;
}

/** How much is sent, or what it waits for. */
function about(page: PageController, session: CreateSession): TemplateResult | null {
  const { phase, job, sentBytes, msLeft } = session;
  const language = page.textLanguage('create-sent');
  let text = '';
  if (phase === 'sending' && job.file) {
    text = page
      .text('create-sent', '{0} of {1}', formatBytes(sentBytes, language))
      .replace('{1}', () => formatBytes(job.file!.size, language));
    const left =
      msLeft === null
        ? ''
        : page.text('time-left', 'About {0} left', formatDuration(msLeft, language));
    if (session.isStalled) {
      text = page.text('stalled', 'The connection is interrupted. Still trying.');
    } else if (left) text += ` · ${left}`;
  } else if (phase === 'waiting') text = page.text('create-waiting', 'Waiting');
  else if (phase === 'paused') text = page.text('create-paused', 'Paused');
  else if (phase === 'starting') text = page.text('starting', 'Starting…');
  else if (phase === 'file' && !session.error) {
    text = page.text('create-file', 'Choose this file again, and it continues where it was.');
  }
  return text ? html`<small part="time-left">${text}</small>` : null;
}

/** A video that is being sent, or whose task is being started. */
export function sessionItem(
  page: PageController,
  session: CreateSession,
  acts: SessionActs,
): TemplateResult {
  const { phase, job, error } = session;
  const name = job.file?.name ?? job.body.name ?? '';
  return html`<li part="video" role="listitem">
    <div class="what wide">
      <bdi part="name">${name}</bdi>
      ${phase === 'error' || phase === 'file' ? null : bar(session)} ${about(page, session)}
      ${
        error
          ? html`<p part="error" role="alert">
              <slot name=${isOfLimit(error) ? 'limit' : slotOf(error)}
                ><span dir="auto" lang=${errorLanguage(page, error)}
                  >${errorText(page, error)}</span
                ></slot
              >
            </p>`
          : null
      }
      ${
        session.mayHaveStarted && phase !== 'starting'
          ? html`<small
              >${page.text(
                'create-cancel-open',
                '“Cancel” only removes this entry: the file stays, and what has started goes on.',
              )}</small
            >`
          : null
      }
    </div>
    <div class="does">
      ${
        phase === 'sending' || (phase === 'waiting' && job.file)
          ? html`<button part="pause" class="plain" @click=${() => session.pause()}>
              ${page.text('create-pause', 'Pause')}
            </button>`
          : phase === 'paused'
            ? html`<button part="resume" class="plain" @click=${() => session.resume()}>
                ${page.text('create-resume', 'Continue')}
              </button>`
            : error?.code === 'file-changed'
              ? html`<button part="retry" class="plain" @click=${() => session.startOver()}>
                  ${page.text('create-start-over', 'Start over')}
                </button>`
              : phase === 'file'
                ? html`<button part="resume" class="plain" @click=${acts.chooseAgain}>
                    ${page.text('create-resume', 'Continue')}
                  </button>`
                : phase === 'error' && error!.retryable
                  ? html`<button part="retry" class="plain" @click=${() => session.retry()}>
                      ${page.text('retry', 'Try again')}
                    </button>`
                  : null
      }${
        phase === 'starting'
          ? null
          : html`<button part="cancel" class="plain" @click=${acts.cancel}>
              ${page.text('create-cancel', 'Cancel')}
            </button>`
      }
    </div>
  </li>`;
}
