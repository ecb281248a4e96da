/** Priority of looking at a clip: it gives way to the render of another one. */
export const lookNiceness = 12;
