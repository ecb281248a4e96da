/** A logged-in user of the site. */
export interface HostUser {
  /**
   * The site's own id of the user: stable, unique, and never taken from the request's body or
   * query.
   */
  readonly id: string;
}
