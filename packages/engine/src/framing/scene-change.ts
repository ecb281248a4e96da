/** From this mean change of the pixels on (0 to 255), a picture is of another scene. */
const sceneChange = 24;

/** Whether a picture (four bytes per pixel) is of the same scene as the one before. */
export function sameScene(now: Uint8Array, before: Uint8Array): boolean {
  let [sum, count] = [0, 0];
  // Green, at every eleventh pixel.
  for (let at = 1; at < now.length; at += 44, count++) sum += Math.abs(now[at]! - before[at]!);
  return sum / count < sceneChange;
}
