import type { Log } from '../config/config.ts';

/** Logs the progress of a speech model's download, in steps of ten percent. */
export function downloadLog(log: Log): (model: string, share: number) => void {
  let logged = -1;
  return (model, share) => {
    const percent = Math.floor(share * 10) * 10;
    if (percent === logged) return;
    logged = percent;
    log({ event: 'speech-model', model, percent });
  };
}
