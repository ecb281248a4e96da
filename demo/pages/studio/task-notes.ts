import type { Task } from 'clip-kit/contract';

/** What a video is missing. `command` is to be run in the folder of the project. */
export interface Hint {
  text: string;
  command?: string;
  after?: string;
}

/** What could not be done for a video, each with what helps. */
export const hintsOf = (task: Pick<Task, 'notes'>): Hint[] =>
  (task.notes ?? []).map(({ code, message }) =>
    code === 'no-words'
      ? {
          text: 'No words are known of this video, so its clips have no captions. This computer can recognise speech. Download a model for it once (161 MB):',
          command: 'npm run speech-model -- base',
          after: 'Then give the video again. Its sound does not leave this computer.',
        }
      : { text: message },
  );
