import { html, type TemplateResult } from 'lit';
import { avatar } from '../head.ts';
import type { Person } from '../session.ts';

/** What somebody sees who is not logged in. */
export const welcome = (
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
    </div>
    <section class="card people" aria-labelledby="enter">
      <h2 id="enter">Who are you today?</h2>
      <p class="soft small">
        Two people of one organization. Each sees only their own videos, clips and exports.
      </p>
      ${people.map(
        (person) =>
          html`<button @click=${() => enter(person)}>
            ${avatar(person)}<span
              ><strong>${person.name}</strong><small>${person.role}</small></span
            ><span aria-hidden="true">→</span>
          </button>`,
      )}
    </section>
  </div>
`;
