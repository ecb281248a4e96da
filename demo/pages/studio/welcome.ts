import { html, svg, type TemplateResult } from 'lit';
import { drawAvatar } from '../head.ts';
import type { Person } from '../session.ts';

const drawUpright = (x: number, y: number, kind: string, title: string): TemplateResult => svg`
  <g class=${kind} transform="translate(${x} ${y})">
    <rect class="frame" width="84" height="149" rx="10" />
    <circle class="head" cx="42" cy="62" r="15" />
    <path class="body" d="M14 122c2-26 12-38 28-38s26 12 28 38z" />
    <rect class="bar" x="12" y="14" width=${title} height="8" rx="4" />
    <rect class="words" x="20" y="128" width="44" height="7" rx="3.5" />
  </g>`;

/** A wide picture with three upright ones cut out of it. */
const picture = svg`<svg class="picture" viewBox="0 0 640 232" role="img" aria-label="One wide video becomes three upright clips">
  <rect class="wide" x="4" y="34" width="292" height="164" rx="12" />
  <rect class="cut" x="34" y="34" width="62" height="164" />
  <rect class="cut" x="122" y="34" width="62" height="164" />
  <rect class="cut" x="210" y="34" width="62" height="164" />
  <path class="track" d="M20 216h260" />
  <path class="mark" d="M34 216h62M122 216h62M210 216h62" />
  <path class="arrow" d="M312 116h32m-10-10 10 10-10 10" />
  ${drawUpright(364, 42, 'one', '44')}${drawUpright(456, 26, 'two', '60')}${drawUpright(548, 42, 'three', '36')}
</svg>`;

/** The page for a person who is not logged in. */
export const drawWelcome = (
  people: readonly Person[],
  enter: (person: Person) => void,
): TemplateResult => html`
  <div class="welcome">
    <div class="lead">
      <h1>Long videos into clips worth posting.</h1>
      <p>
        Give a talk, a lesson or a show. Cutroom finds the moments that stand on their own, cuts
        them upright with captions and a title, and says why it chose each one.
      </p>
      <p class="small">
        Everything runs on this machine: the site, the clip service and its engine. Nothing is sent
        elsewhere.
      </p>
      ${picture}
    </div>
    <section class="card people" aria-labelledby="enter">
      <h2 id="enter">Who are you today?</h2>
      <p class="soft small">
        Two people of one organization. Each sees only their own videos, clips and exports.
      </p>
      ${people.map(
        (person) =>
          html`<button @click=${() => enter(person)}>
            ${drawAvatar(person)}<span
              ><strong>${person.name}</strong><small>${person.role}</small></span
            ><span aria-hidden="true">→</span>
          </button>`,
      )}
    </section>
  </div>
`;
