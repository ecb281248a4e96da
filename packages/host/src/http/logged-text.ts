/** A path or message for the log: the id of an upload is an address that takes its bytes. */
export const loggedText = (text: string): string =>
  text.replaceAll(/(\/uploads\/)[^\s/?:]+/g, '$1*');
