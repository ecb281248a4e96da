/** The message of the player.js protocol that calls a method of a player. */
export const playerMessage = (method: string, value?: unknown, listener?: string): string =>
  JSON.stringify({ context: 'player.js', version: '0.0.11', method, value, listener });
